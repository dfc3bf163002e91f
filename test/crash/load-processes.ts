/** Tills that run one after the other on the same folder, each until it is killed. The next one loads meanwhile. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as after } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { fontsFolder } from '../unit/main/slips/slip-service-fixture.ts'

const program = fileURLToPath(new URL('./load-generator.ts', import.meta.url))

/** More points than any till of a run uses up before it is killed. */
const POINTS_EACH = 1000

/** A till that is loaded, and does nothing yet. */
interface LoadedTill {
  readonly process: ChildProcessWithoutNullStreams
  readonly ready: Promise<unknown>
  readonly complaints: string[]
}

/** How long a till works before it is killed. */
export interface Life {
  /** changes of slips and batches that it writes first: on a slow machine as many as on a fast one */
  readonly changes: number
  /** milliseconds after them */
  readonly rest: number
}

export interface BusyTills {
  /** Lets the next till live, kills it, and gives what it complained of. */
  runAndKill(life: Life): Promise<string>
  /** Kills the till that is loaded and waits. */
  close(): Promise<void>
}

const kill = async ({ process: till }: LoadedTill): Promise<void> => {
  const ended = once(till, 'exit')
  till.kill('SIGKILL')
  await ended
}

/** Resolves once a till has told of so many changes, a byte for each, or has ended. */
const changed = ({ process: till }: LoadedTill, changes: number): Promise<void> =>
  new Promise((resolve) => {
    let told = 0
    const count = (bytes: Buffer | null): void => {
      told += bytes?.length ?? 0
      if (told >= changes) resolve()
    }
    count(null)
    till.stdout.on('data', count)
    till.on('exit', () => resolve())
  })

/** Makes the tills of one folder; `seed` decides what each of them does. */
export function createBusyTills(folder: string, baseUrl: string, seed: number): BusyTills {
  let count = 0
  const load = (): LoadedTill => {
    count += 1
    const values = [folder, fontsFolder, baseUrl, String(seed + count), String(count * POINTS_EACH)]
    const till = spawn(process.execPath, [program, ...values], { stdio: 'pipe' })
    const complaints: string[] = []
    till.stderr.on('data', (chunk: Buffer) => complaints.push(chunk.toString('utf8')))
    till.stdin.on('error', () => undefined)
    return { process: till, ready: once(till.stdout, 'data'), complaints }
  }
  let next = load()

  return {
    async runAndKill({ changes, rest }) {
      const till = next
      await till.ready
      next = load()
      const worked = changed(till, changes)
      till.process.stdin.write('go\n')
      await worked
      await after(rest)
      if (till.process.exitCode !== null) return `The till ended by itself: ${till.complaints.join('')}`
      await kill(till)
      return till.complaints.join('')
    },
    close: () => kill(next)
  }
}
