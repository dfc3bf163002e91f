/** The questions to the Windows spooler, in PowerShell. */
import type { Ran, Run } from '../run.ts'

/** Where a script finds the values it works on: a queue's name never becomes part of its text. */
export interface ScriptValues {
  readonly queue?: string
  readonly document?: string
  readonly job?: number
}

/** Answers are JSON in UTF-8, whatever the console's own code page; an error ends the script with exit code 1. */
const HEAD =
  '[Console]::OutputEncoding = [System.Text.UTF8Encoding]::new($false); $ErrorActionPreference = "Stop"; '

/**
 * `Get-Printer` knows a queue's state, `Win32_Printer` its paper forms, the default, and "use printer offline".
 * Names of enumerations are the same in every language of Windows; their display texts are not.
 */
const QUEUES =
  '$more = @{}; Get-CimInstance Win32_Printer | ForEach-Object { $more[$_.Name] = $_ }; ' +
  '$all = @(Get-Printer | ForEach-Object { $of = $more[$_.Name]; @{ Name = $_.Name; Comment = $_.Comment; ' +
  'Location = $_.Location; DriverName = $_.DriverName; Status = [string]$_.PrinterStatus; ' +
  'Offline = [bool]$of.WorkOffline; Default = [bool]$of.Default; Papers = @($of.PrinterPaperNames) } }); '

/** The queue that the till asks about, by its exact name. */
const THIS_QUEUE = 'Where-Object Name -eq $env:TILLPOINTS_QUEUE'

export const SCRIPTS = {
  /** every queue, with the names of its driver's paper forms */
  list: `${HEAD}${QUEUES}ConvertTo-Json -Compress -Depth 3 $all`,
  /** the jobs whose document is the till's file, and the state of the queue they are in */
  job:
    `${HEAD}$queue = Get-Printer | ${THIS_QUEUE}; ` +
    '$jobs = @(Get-PrintJob -PrinterName $env:TILLPOINTS_QUEUE | ' +
    'Where-Object { $_.DocumentName -like ("*" + $env:TILLPOINTS_DOCUMENT + "*") } | ' +
    'ForEach-Object { @{ Id = $_.Id; Status = [string]$_.JobStatus } }); ' +
    'ConvertTo-Json -Compress -Depth 3 @{ Queue = [string]$queue.PrinterStatus; Jobs = $jobs }',
  /** takes a job out of the queue */
  remove: `${HEAD}Remove-PrintJob -PrinterName $env:TILLPOINTS_QUEUE -ID $env:TILLPOINTS_JOB`
} as const
export type Script = keyof typeof SCRIPTS

/** Runs one of the scripts for at most `timeout` ms. Never rejects. */
export function powerShell(
  run: Run,
  script: Script,
  { queue, document, job }: ScriptValues,
  environment: NodeJS.ProcessEnv,
  timeout: number
): Promise<Ran> {
  return run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', SCRIPTS[script]], {
    environment: {
      ...environment,
      ...(queue !== undefined && { TILLPOINTS_QUEUE: queue }),
      ...(document !== undefined && { TILLPOINTS_DOCUMENT: document }),
      ...(job !== undefined && { TILLPOINTS_JOB: String(job) })
    },
    timeout
  })
}
