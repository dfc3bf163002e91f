/** The Windows spooler by PowerShell: the scripts, the schemas of their output, and the mapping of its states. */
import { isIPv6 } from 'node:net'
import * as v from 'valibot'
import type { PrintFault } from '../../../contract/printing.ts'
import {
  type Exec,
  type ExecResult,
  POWERSHELL_HEAD,
  POWERSHELL_TIMEOUT_MS,
  runPowerShell
} from '../../exec.ts'
import type { JobStatus } from '../print-job.ts'
import { RAW_PRINTER_SCRIPT } from './raw-printer.ts'

/** Values for a script, passed as environment variables: a queue's name never becomes part of a script. */
export interface ScriptValues {
  readonly queue?: string
  readonly document?: string
  readonly file?: string
  readonly job?: number
}

/**
 * Outputs the queues in `$found`. `Get-Printer` provides a queue's state, `Win32_Printer` (`$details`) the names of its paper
 * forms, the default, and "use printer offline"; `PrinterSettings` the sizes of the forms, where the system allows .NET;
 * `$ports`, if set, the addresses of TCP/IP ports. Names of enumerations are the same in every language of Windows; their
 * display texts are not.
 */
const OUTPUT =
  'try { Add-Type -AssemblyName System.Drawing } catch { }; ' +
  '$more = @{}; $details | ForEach-Object { $more[$_.Name] = $_ }; ' +
  '$at = @{}; foreach ($port in $ports) { $at[[string]$port.Name] = $port }; ' +
  '$all = @($found | ForEach-Object { $of = $more[$_.Name]; $port = $at[[string]$_.PortName]; $sizes = @(); ' +
  'try { $settings = New-Object System.Drawing.Printing.PrinterSettings; $settings.PrinterName = $_.Name; ' +
  '$sizes = @($settings.PaperSizes | ForEach-Object { ' +
  '@{ Name = $_.PaperName; Width = $_.Width; Height = $_.Height } }) } catch { $sizes = @() }; ' +
  '@{ Name = $_.Name; Comment = $_.Comment; ' +
  'Location = $_.Location; DriverName = $_.DriverName; Status = [string]$_.PrinterStatus; ' +
  'PortName = [string]$_.PortName; HostAddress = [string]$port.PrinterHostAddress; ' +
  'PortNumber = [int]$port.PortNumber; ' +
  'Offline = [bool]$of.WorkOffline; Default = [bool]$of.Default; Papers = @($of.PrinterPaperNames); ' +
  'Sizes = $sizes } }); ConvertTo-Json -Compress -Depth 4 $all'

/** Ports that cannot be listed are no reason to list no queues. */
const FIND_PORTS =
  'try { $ports = @(Get-PrinterPort -ErrorAction SilentlyContinue) } catch { $ports = @() }; '

/**
 * Finds one queue by its exact name, without asking the others: one that is offline in the network delays the answer.
 * The name may contain wildcards of PowerShell and quotes of WQL. Without such a queue `$found` is empty.
 */
const FIND_QUEUE =
  '$name = $env:TILLPOINTS_QUEUE; ' +
  'try { $found = @(Get-Printer -Name ([WildcardPattern]::Escape($name)) | Where-Object Name -eq $name) } ' +
  'catch { if ($_.CategoryInfo.Category -ne "ObjectNotFound") { throw }; $found = @() }; '

const FIND_DETAILS =
  "$wql = $name.Replace('\\', '\\\\').Replace(\"'\", \"\\'\"); " +
  '$details = @(Get-CimInstance Win32_Printer -Filter "Name = \'$wql\'"); '

export const SCRIPTS = {
  /** every queue, with its port and the names of its driver's paper forms */
  list: `${POWERSHELL_HEAD}$found = @(Get-Printer); $details = @(Get-CimInstance Win32_Printer); ${FIND_PORTS}${OUTPUT}`,
  /** the queue of the given name, as `list` outputs it, without the address of its port */
  queue: `${POWERSHELL_HEAD}${FIND_QUEUE}${FIND_DETAILS}${OUTPUT}`,
  /** the jobs whose document has the given name, and the state of their queue */
  job:
    `${POWERSHELL_HEAD}${FIND_QUEUE}` +
    '$jobs = @(Get-PrintJob -PrinterName $env:TILLPOINTS_QUEUE | ' +
    'Where-Object { $_.DocumentName -like ("*" + $env:TILLPOINTS_DOCUMENT + "*") } | ' +
    'ForEach-Object { @{ Id = $_.Id; Status = [string]$_.JobStatus } }); ' +
    'ConvertTo-Json -Compress -Depth 3 @{ Queue = [string]$found[0].PrinterStatus; Jobs = $jobs }',
  /** hands the bytes of a file to a queue */
  raw: `${POWERSHELL_HEAD}${RAW_PRINTER_SCRIPT}`,
  /** removes a job from its queue */
  remove: `${POWERSHELL_HEAD}Remove-PrintJob -PrinterName $env:TILLPOINTS_QUEUE -ID $env:TILLPOINTS_JOB`
} as const
export type Script = keyof typeof SCRIPTS

/** Runs a script. Never rejects. */
export function runScript(
  exec: Exec,
  script: Script,
  { queue, document, file, job }: ScriptValues,
  environment: NodeJS.ProcessEnv
): Promise<ExecResult> {
  return runPowerShell(exec, SCRIPTS[script], {
    environment: {
      ...environment,
      ...(queue !== undefined && { TILLPOINTS_QUEUE: queue }),
      ...(document !== undefined && { TILLPOINTS_DOCUMENT: document }),
      ...(file !== undefined && { TILLPOINTS_FILE: file }),
      ...(job !== undefined && { TILLPOINTS_JOB: String(job) })
    },
    timeout: POWERSHELL_TIMEOUT_MS
  })
}

const text = v.nullish(v.string(), '')

/** Windows PowerShell 5.1 writes some lists as `{ "value": […], "Count": n }`. */
const list = <Item extends v.GenericSchema>(item: Item) =>
  v.union([
    v.array(item),
    v.pipe(
      v.object({ value: v.array(item) }),
      v.transform(({ value }) => value)
    )
  ])

const queueSchema = v.object({
  Name: v.string(),
  Comment: text,
  Location: text,
  DriverName: text,
  /** names of MSFT_Printer.PrinterStatus, comma separated: `Normal`, `Paused, Offline` */
  Status: text,
  /** `192.168.1.20`, `COM3:`, `USB001`, `PORTPROMPT:`; several of a pool, comma separated */
  PortName: text,
  /** of a TCP/IP port: an address or a host name; else empty */
  HostAddress: text,
  /** of a TCP/IP port; else 0 */
  PortNumber: v.nullish(v.number(), 0),
  Offline: v.boolean(),
  Default: v.boolean(),
  /** a driver without forms has one null */
  Papers: v.pipe(
    list(v.nullable(v.string())),
    v.transform((names) => names.filter((name) => name !== null))
  ),
  /** of the forms, in hundredths of an inch; empty where .NET does not tell them */
  Sizes: v.nullish(list(v.object({ Name: v.string(), Width: v.number(), Height: v.number() })), [])
})

export const queuesSchema = list(queueSchema)
export const jobsSchema = v.object({
  Queue: text,
  Jobs: list(v.object({ Id: v.number(), Status: text }))
})

export type WindowsQueue = v.InferOutput<typeof queueSchema>
type WindowsJobs = v.InferOutput<typeof jobsSchema>

/** Parses the output of a script; null when the script failed or its output does not match `schema`. */
export function parseOutput<Schema extends v.GenericSchema>(
  schema: Schema,
  { code, stdout }: ExecResult
): v.InferOutput<Schema> | null {
  if (code !== 0) return null
  const parsed = v.safeParse(v.pipe(v.string(), v.trim(), v.parseJson(), schema), stdout)
  return parsed.success ? parsed.output : null
}

/** Names of the enumerations PrinterStatus and JobStatus, most specific first. */
const FAULTS: readonly (readonly [RegExp, PrintFault])[] = [
  [/DoorOpen/i, 'cover-open'],
  [/PaperOut/i, 'out-of-paper'],
  [/Offline|NotAvailable|ServerUnknown/i, 'printer-offline'],
  [/PaperJam|PaperProblem|NoToner|UserIntervention|OutputBinFull|OutOfMemory/i, 'printer-fault'],
  [/Paused/i, 'queue-paused'],
  [/Error|Blocked/i, 'printer-fault']
]

const faultIn = (names: string): PrintFault | null =>
  FAULTS.find(([pattern]) => pattern.test(names))?.[1] ?? null

/** The driver of a queue for printers without one; Windows has this name in every language. It prints no images. */
const RAW_DRIVER = 'Generic / Text Only'

/** The driver for printers of IPP, which take documents and no commands. */
const IPP_DRIVER = 'Microsoft IPP Class Driver'

/** Whether the queue takes the commands of a receipt printer. */
export const takesCommands = ({ DriverName }: WindowsQueue): boolean => DriverName !== IPP_DRIVER

/** Whether the queue has no driver for PDFs. */
export const isTextOnlyQueue = ({ DriverName }: WindowsQueue): boolean => DriverName === RAW_DRIVER

/**
 * Returns where a queue sends its jobs, as a URI in the notation of CUPS: `serial:COM3`, `socket://192.168.1.20:9100`. Empty
 * for every other port: Windows has no file for `USB001`, and the port of a shared queue is one of its server.
 */
export function portUri({ Name, PortName, HostAddress, PortNumber }: WindowsQueue): string {
  if (Name.startsWith('\\\\')) return ''
  const [, serial] = /^(COM\d{1,3}):?$/iu.exec(PortName) ?? []
  if (serial !== undefined) return `serial:${serial.toUpperCase()}`
  if (!/^[\p{L}\p{N}._:-]{1,253}$/u.test(HostAddress)) return ''
  const host = isIPv6(HostAddress) ? `[${HostAddress}]` : HostAddress
  return URL.parse(`socket://${host}:${String(PortNumber)}`)?.href ?? ''
}

/** The fault of a queue, or null. */
export const windowsQueueFault = ({ Status, Offline }: WindowsQueue): PrintFault | null =>
  Offline ? 'printer-offline' : faultIn(Status)

/**
 * Returns whether something keeps a job from printing: its own fault, or a queue that is paused or offline. Other faults
 * of a queue may be left from the last job.
 */
export function isHeld({ Queue, Jobs }: WindowsJobs): boolean {
  const fault = faultIn(Queue)
  return (
    fault === 'queue-paused' ||
    fault === 'printer-offline' ||
    Jobs.some(({ Status }) => faultIn(Status) !== null)
  )
}

/**
 * Maps a job's state. The spooler forgets a job once the printer has all of it, and when it is deleted: a job that is
 * gone was printed, unless something held it until then. Some drivers keep printed jobs as `Printed` or `Complete`.
 */
export function windowsJobStatus({ Queue, Jobs }: WindowsJobs, wasHeld: boolean): JobStatus {
  const [job] = Jobs
  if (job === undefined) return { kind: wasHeld ? 'lost' : 'printed' }
  const fault = faultIn(job.Status)
  const isAtPrinter = /Printing|Restart|Retained/i.test(job.Status)
  if (/Printed|Complete/i.test(job.Status) && fault === null) return { kind: 'printed' }
  if (/Delet/i.test(job.Status)) return { kind: 'ended', fault: 'cancelled-at-printer', isAtPrinter }
  return { kind: 'pending', hindrance: fault ?? faultIn(Queue), isAtPrinter }
}
