/** Kills a program at a system call that renames, removes or syncs a file, before the call is done. Linux, with strace. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as v from 'valibot'

const STRACE = '/usr/bin/strace'
export const STRACE_PACKAGE = 'strace'

/**
 * Returns why the tests that kill at system calls are skipped, as one sentence; null when they run. With `CI` set they run on
 * Linux in any case, and fail where it is missing.
 */
export const straceSkipReason = (): string | null => {
  if (process.platform !== 'linux')
    return `Programs are killed at system calls on Linux only; this is ${process.platform}.`
  return existsSync(STRACE) || process.env['CI']
    ? null
    : `The kills at system calls need strace: apt-get install --no-install-recommends ${STRACE_PACKAGE}`
}

/** What makes a change durable or visible. */
const CALLS = 'rename,renameat,renameat2,link,linkat,unlink,unlinkat,fsync,fdatasync,ftruncate'

/** A line of strace: the process, the call, and the first path or the path of the descriptor. */
const LINE = /^(\d+) +(\w+)\((?:AT_FDCWD(?:<[^>]*>)?, )?(?:"([^"]+)"|\d+<([^>]+)>)/

/** The `count`th call of one kind with a path, in one thread. */
export interface CallPoint {
  readonly call: string
  readonly path: string
  readonly count: number
}

/** Programs on the files below a folder. Their names are the same in each run. */
export class SystemCalls {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Runs a program to its end. Returns its calls with paths below the folder. Rejects if it fails. */
  async record(command: readonly string[]): Promise<readonly CallPoint[]> {
    const log = join(this.#folder, 'strace')
    const options = ['-f', '-qq', '-y', '--seccomp-bpf', '-e', `trace=${CALLS}`, '-e', 'signal=none']
    await promisify(execFile)(STRACE, [...options, '-o', log, ...command])
    const counts = new Map<string, number>()
    const points = new Map<string, CallPoint>()
    for (const line of readFileSync(log, 'utf8').split('\n')) {
      const [, thread = '', call = '', named = '', opened = ''] = LINE.exec(line) ?? []
      const path = named + opened
      if (!path.startsWith(`${this.#folder}/`)) continue
      const key = [thread, call, path].join('\n')
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      points.set([call, path, String(count)].join('\n'), { call, path, count })
    }
    return [...points.values()]
  }

  /** Runs a program, and kills it at a call. Resolves with whether it came there. */
  async killAt({ call, path, count }: CallPoint, command: readonly string[]): Promise<boolean> {
    const injection = `inject=${call}:signal=SIGKILL:when=${String(count)}`
    // Without --seccomp-bpf: with it and -P, strace 6.1 sees no calls of the first thread.
    const options = ['-f', '-qq', '-P', path, '-e', `trace=${call}`, '-e', injection]
    const child = spawn(STRACE, [...options, '-o', '/dev/null', ...command], { stdio: 'ignore' })
    const [, signal] = v.parse(
      v.tuple([v.nullable(v.number()), v.nullable(v.string())]),
      await once(child, 'close')
    )
    // It ends as its program does.
    return signal === 'SIGKILL'
  }
}
