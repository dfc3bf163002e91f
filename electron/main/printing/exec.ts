/** Runs the system's print commands: never through a shell, and with a time limit. */
import { execFile } from 'node:child_process'

export interface ExecResult {
  /** exit code; null when the command could not be started or was stopped */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** set when it could not be started: ENOENT, EACCES…; without it, the command may have done all of its work */
  readonly cause?: string
}

/** Runs `command` for at most `timeout` milliseconds. Never rejects. */
export type Exec = (
  command: string,
  args: readonly string[],
  options: { readonly environment: NodeJS.ProcessEnv; readonly timeout: number }
) => Promise<ExecResult>

const MAX_OUTPUT_BYTES = 4 * 1024 * 1024

export const exec: Exec = (command, args, { environment, timeout }) =>
  new Promise((resolve) => {
    const child = execFile(
      command,
      [...args],
      { env: environment, timeout, windowsHide: true, encoding: 'utf8', maxBuffer: MAX_OUTPUT_BYTES },
      (error, stdout, stderr) => {
        if (error === null) resolve({ code: 0, stdout, stderr })
        else if (child.pid === undefined) resolve({ code: null, stdout, stderr, cause: String(error.code) })
        // Stopped for too much output, its code is a string.
        else resolve({ code: typeof error.code === 'number' ? error.code : null, stdout, stderr })
      }
    )
  })
