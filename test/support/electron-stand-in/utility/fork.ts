import { fork, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'

/** What of Electron's options a child takes. */
export interface ForkOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly execArgv?: readonly string[]
  readonly cwd?: string
  readonly serviceName?: string
}

/** Starts a program in a Node of its own that has a `process.parentPort`. */
export const forkProgram = (
  program: string,
  args: readonly string[],
  { env, execArgv = [], cwd }: ForkOptions = {}
): ChildProcess =>
  fork(join(import.meta.dirname, 'boot.ts'), [program, ...args], {
    serialization: 'advanced',
    execArgv: [...execArgv],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    ...(env && { env }),
    ...(cwd !== undefined && { cwd })
  })
