import { fork, type ChildProcess } from 'node:child_process'
import { basename, dirname, join } from 'node:path'

/**
 * Starts a program in a Node of its own that has a `process.parentPort`.
 * @param report where Node writes its report of a fatal error
 */
export const forkProgram = (program: string, args: readonly string[], report?: string): ChildProcess =>
  fork(join(import.meta.dirname, 'boot.ts'), [program, ...args], {
    serialization: 'advanced',
    execArgv:
      report === undefined
        ? []
        : [
            '--report-on-fatalerror',
            `--report-directory=${dirname(report)}`,
            `--report-filename=${basename(report)}`
          ],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc']
  })
