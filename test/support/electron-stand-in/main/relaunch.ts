import { spawn } from 'node:child_process'

export interface RelaunchOptions {
  readonly args?: readonly string[]
  readonly execPath?: string
}

/** Waits for the end of the process `$0`. */
const RELAUNCHER = 'while kill -0 "$0" 2> /dev/null; do sleep 0.05; done; exec "$@"'

/**
 * Starts a process that waits for the end of this one and then becomes the program, as `shell/browser/relauncher.cc` does:
 * with the environment of now, detached, and without output.
 */
export function startAfterThisProcess(program: string, args: readonly string[]): void {
  const waiting = spawn('/bin/sh', ['-c', RELAUNCHER, String(process.pid), program, ...args], {
    detached: true,
    stdio: 'ignore'
  })
  waiting.unref()
}
