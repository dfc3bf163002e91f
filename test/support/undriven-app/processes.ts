/** Memory of an app's processes, as the operating system counts it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'

const KILOBYTES_PER_MEGABYTE = 1024

const HAS_PROPORTIONAL_SIZES = existsSync('/proc/self/smaps_rollup')

/** Returns the sum of some lines of a process's memory in MB. Throws when the process has ended. */
function rollupOf(pid: number, names: readonly string[]): number {
  const rollup = readFileSync(`/proc/${String(pid)}/smaps_rollup`, 'utf8')
  return names.reduce((sum, name) => {
    const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(rollup)?.[1]
    if (kilobytes === undefined) throw new Error(`No ${name} of process ${String(pid)}`)
    return sum + Number(kilobytes) / KILOBYTES_PER_MEGABYTE
  }, 0)
}

/** Returns a process's proportional set size in MB: a page that several processes share counts in part. */
const proportionalSize = (pid: number): number => rollupOf(pid, ['Pss'])

/** Returns what no other process has in MB: it does not depend on which other Chromiums run. */
const privateSize = (pid: number): number => rollupOf(pid, ['Private_Clean', 'Private_Dirty'])

/** Returns the descendants of a process. */
function descendants(pid: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // The name in parentheses may contain anything, also a parenthesis.
        const rest = readFileSync(`/proc/${name}/stat`, 'utf8').replace(/^.*\) /s, '')
        return [{ child: Number(name), parent: Number(rest.split(' ')[1]) }]
      } catch {
        return []
      }
    })
  const childrenOf = (of: number): number[] =>
    parents.flatMap(({ child, parent }) => (parent === of ? [child, ...childrenOf(child)] : []))
  return childrenOf(pid)
}

/** Returns the private size in MB of each descendant of `pid` whose command line matches, the largest first. */
function sizesOf(pid: number, commandLine: RegExp): number[] {
  return descendants(pid)
    .flatMap((child) => {
      try {
        const command = readFileSync(`/proc/${String(child)}/cmdline`, 'utf8')
        return commandLine.test(command) ? [privateSize(child)] : []
      } catch {
        // It ended meanwhile.
        return []
      }
    })
    .sort((one, other) => other - one)
}

const RENDERER = /--type=renderer/
/** In the stand-in, and in Electron. */
const PDF_WORKER = /main\/pdf-worker\.js|node\.mojom\.NodeService/

/** Memory of an app's processes that no other process has, in MB. */
export interface AppMemory {
  readonly main: number
  /** the page's renderer, the largest; null when the system does not report it */
  readonly page: number | null
  /** null: the app has none, or the system does not report it */
  readonly pdfWorker: number | null
}

/** Memory of all processes of an app together, in MB. */
export interface WholeMemory {
  /** what several processes of the machine share counts in part */
  readonly proportional: number
  /** what no other process has */
  readonly private: number
}

/** Returns the memory of the process and of all its descendants. Throws where the system does not report it. */
export const wholeMemoryOf = (pid: number): WholeMemory =>
  [pid, ...descendants(pid)].reduce(
    (sum, one) => ({
      proportional: sum.proportional + proportionalSize(one),
      private: sum.private + privateSize(one)
    }),
    { proportional: 0, private: 0 }
  )

/**
 * Makes glibc return free memory to the system, as the allocator of Electron's main process does: the stand-in's main is
 * plain Node, whose C library keeps tens of megabytes in an arena for each thread that ever compiled a script.
 */
export const MALLOC_ENVIRONMENT = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' } as const

/** Returns the memory of the app with this main process; null when the system does not report it. Throws when main has ended. */
export const memoryOf = (pid: number): AppMemory | null =>
  HAS_PROPORTIONAL_SIZES
    ? {
        main: privateSize(pid),
        page: sizesOf(pid, RENDERER)[0] ?? null,
        pdfWorker: sizesOf(pid, PDF_WORKER)[0] ?? null
      }
    : null
