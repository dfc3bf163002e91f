/** Runs the system's own print commands: never through a shell, never longer than it is worth. */
import { execFile } from 'node:child_process'

/** How a command ended. */
export interface ExecResult {
  /** its exit code; null when it could not be started or was stopped */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** set when it could not be started: ENOENT, EACCES… */
  readonly cause?: string
}

/** Runs `command` with `args` and `environment` for at most `timeout` milliseconds. Never rejects. */
export type Exec = (
  command: string,
  args: readonly string[],
  options: { readonly environment: NodeJS.ProcessEnv; readonly timeout: number }
) => Promise<ExecResult>

export const run: Exec = (command, args, { environment, timeout }) =>
  new Promise((resolve) => {
    execFile(
      command,
      [...args],
      { env: environment, timeout, windowsHide: true, encoding: 'utf8', maxBuffer: 4 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (error === null) resolve({ code: 0, stdout, stderr })
        else if (typeof error.code === 'string') resolve({ code: null, stdout, stderr, cause: error.code })
        else resolve({ code: error.code ?? null, stdout, stderr })
      }
    )
  })
