/** Runs programs of the system: never through a shell, and with a time limit. */
import { execFile } from 'node:child_process'
import { win32 } from 'node:path'

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

/** A first start of PowerShell on a slow till loads its modules for many seconds. */
export const POWERSHELL_TIMEOUT_MS = 30_000

/** The start of a script. Output is in UTF-8, whatever the console's code page; an error ends the script with exit code 1. */
export const POWERSHELL_HEAD =
  '[Console]::OutputEncoding = [System.Text.UTF8Encoding]::new($false); $ErrorActionPreference = "Stop"; '

/** Values of an environment whose names differ only in case, as on Windows. */
const valueOf = (environment: NodeJS.ProcessEnv, name: string): string | undefined =>
  Object.entries(environment).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]

/** The path of a program of Windows: one of that name may come first on PATH. */
export const windowsProgram = (environment: NodeJS.ProcessEnv, name: string): string =>
  win32.join(valueOf(environment, 'SystemRoot') ?? 'C:\\Windows', 'System32', name)

/** Without `PSModulePath`: one that PowerShell 7 set names modules that 5.1 cannot load; 5.1 has its own default. */
const withoutModulePath = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => name.toLowerCase() !== 'psmodulepath'))

/** `-InputFormat None`: with a standard input that is open, PowerShell 5.1 may wait for it. */
const POWERSHELL_ARGUMENTS = ['-NoProfile', '-NonInteractive', '-InputFormat', 'None', '-Command'] as const

/** Runs a script in Windows PowerShell 5.1. Values reach it in the environment, never in its text. Never rejects. */
export const runPowerShell = (
  exec: Exec,
  script: string,
  { environment, timeout }: Parameters<Exec>[2]
): Promise<ExecResult> =>
  exec(
    windowsProgram(environment, 'WindowsPowerShell\\v1.0\\powershell.exe'),
    [...POWERSHELL_ARGUMENTS, script],
    { environment: withoutModulePath(environment), timeout }
  )
