/** Tills under load that run one after the other on one folder, each until it is killed. The next one loads meanwhile. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as after } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** What the tills do. */
const PROGRAMS = {
  issuing: fileURLToPath(new URL('./load-generator.ts', import.meta.url)),
  operating: fileURLToPath(new URL('./operating-process.ts', import.meta.url)),
  offline: fileURLToPath(new URL('./offline-process.ts', import.meta.url))
}

/** More points than one process uses before it is killed. */
const POINTS_PER_PROCESS = 1000

/** A process that is loaded, and idle. */
interface LoadedProcess {
  readonly process: ChildProcessWithoutNullStreams
  readonly ready: Promise<unknown>
  readonly errors: string[]
}

/** How long a process works before it is killed. */
interface Lifetime {
  /** changes of slips and batches to wait for: as many on a slow machine as on a fast one */
  readonly changes: number
  /** how long to wait after them */
  readonly extraMs: number
}

export interface LoadProcesses {
  /** Runs the next process, kills it, and resolves with its error output. */
  runAndKill(lifetime: Lifetime): Promise<string>
  /** Kills the loaded process. */
  close(): Promise<void>
}

const kill = async ({ process: till }: LoadedProcess): Promise<void> => {
  const ended = once(till, 'exit')
  till.kill('SIGKILL')
  await ended
}

/** Resolves when a process reported so many changes, or ended. */
const waitForChanges = ({ process: till }: LoadedProcess, changes: number): Promise<void> =>
  new Promise((resolve) => {
    let reported = 0
    const count = (bytes: Buffer | null): void => {
      reported += bytes?.length ?? 0
      if (reported >= changes) resolve()
    }
    count(null)
    till.stdout.on('data', count)
    till.on('exit', () => resolve())
  })

/** Creates the processes of one folder; `seed` decides what each of them does. */
export function createLoadProcesses(
  folder: string,
  baseUrl: string,
  seed: number,
  work: keyof typeof PROGRAMS = 'issuing'
): LoadProcesses {
  let count = 0
  const load = (): LoadedProcess => {
    count += 1
    const values = [folder, baseUrl, String(seed + count), String(count * POINTS_PER_PROCESS)]
    const till = spawn(process.execPath, [PROGRAMS[work], ...values], { stdio: 'pipe' })
    const errors: string[] = []
    till.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString('utf8')))
    till.stdin.on('error', () => undefined)
    return { process: till, ready: once(till.stdout, 'data'), errors }
  }
  let next = load()

  return {
    async runAndKill({ changes, extraMs }) {
      const till = next
      await till.ready
      next = load()
      const worked = waitForChanges(till, changes)
      till.process.stdin.write('go\n')
      await worked
      await after(extraMs)
      if (till.process.exitCode !== null) return `The process exited by itself: ${till.errors.join('')}`
      await kill(till)
      return till.errors.join('')
    },
    close: () => kill(next)
  }
}
