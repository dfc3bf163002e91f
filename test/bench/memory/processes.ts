/** Memory of an app's processes, as the system counts it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'

const KILOBYTES_A_MEGABYTE = 1024

/** Whether this system tells what of a process's memory is its own. */
const TELLS_SHARES = existsSync('/proc/self/smaps_rollup')

/** What is counted, for a reader. */
export const COUNTED = TELLS_SHARES
  ? 'memory is the proportional set size (PSS) of the process, of all threads'
  : 'this system tells the resident set only, shared pages included'

/**
 * Megabytes of a process: its proportional set size, in which a page that several processes share counts as its part.
 * Throws where the process is gone.
 */
function shareOf(pid: number): number {
  const rollup = readFileSync(`/proc/${String(pid)}/smaps_rollup`, 'utf8')
  const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1]
  if (kilobytes === undefined) throw new Error(`Process ${String(pid)} tells no share`)
  return Number(kilobytes) / KILOBYTES_A_MEGABYTE
}

/** The processes below `pid`, at any depth. */
function below(pid: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // The name in parentheses may hold anything, a parenthesis too.
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

/** Megabytes of the processes below `pid` whose command line has one of these words, the largest first. */
function sharesBelow(pid: number, words: RegExp): number[] {
  return below(pid)
    .flatMap((child) => {
      try {
        const command = readFileSync(`/proc/${String(child)}/cmdline`, 'utf8')
        return words.test(command) ? [shareOf(child)] : []
      } catch {
        // It ended meanwhile.
        return []
      }
    })
    .sort((one, other) => other - one)
}

const RENDERER = /--type=renderer/
/** In the stand-in, and in Electron. */
const PAPERS = /main\/paper\.js|node\.mojom\.NodeService/

/** Memory of an app's processes in megabytes. */
export interface Held {
  readonly main: number
  /** of the page's renderer, which is the largest; null where the system does not report it */
  readonly page: number | null
  /** of the process that papers are made in; 0 where there is none */
  readonly papers: number
}

/**
 * Has glibc give back what is free, as the allocator of Electron's own main process does: the stand-in's main is plain
 * Node, whose C library keeps tens of megabytes in an arena for each thread that ever compiled a script.
 */
export const GIVES_BACK = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' } as const

/** What the app with this main process holds now; null where the system does not report it. Throws where main is gone. */
export const sharesOf = (pid: number): Held | null =>
  TELLS_SHARES
    ? {
        main: shareOf(pid),
        page: sharesBelow(pid, RENDERER)[0] ?? null,
        papers: sharesBelow(pid, PAPERS)[0] ?? 0
      }
    : null
