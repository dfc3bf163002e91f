/** Queues of CUPS, on Linux and macOS: their states and those of their jobs as print faults. */
import { ok, type Result } from '../../../contract/failure.ts'
import type {
  OfferedPapers,
  Printer,
  PrinterState,
  PrintFault,
  RawQueueConnection,
  SystemQueue
} from '../../../contract/printing.ts'
import {
  type CancelOutcome,
  isPdf,
  type JobStatus,
  type MonitoredJob,
  notPrinted,
  poll,
  refusedSize,
  type PrintJob,
  type PrintResult,
  type SystemPrinting,
  type SystemPrintingOptions,
  timeoutsFor,
  waitForJob
} from '../print-job.ts'
import { offeredPapers, pagesOf } from '../pages.ts'
import {
  CupsClient,
  type CupsJob,
  type CupsQueue,
  type CupsQueueState,
  findServer,
  JOB_STATE,
  PRINTER_STATE
} from './cups-client.ts'
import { readClientConfiguration } from './client-configuration.ts'
import type { IppAttribute } from './ipp.ts'
import { IppError, IppServer } from './ipp-server.ts'
import { mediaName, sizeOption } from './media.ts'
import {
  type CupsDocument,
  pdfDocument,
  RAW_FORMAT,
  rawDocument,
  readQueueOptions,
  submitJob
} from './submit-job.ts'

const FAULT_OF_ERROR = {
  down: 'print-system-down',
  silent: 'print-system-down',
  insecure: 'print-system-insecure',
  forbidden: 'permission-denied',
  'not-found': 'unknown-queue',
  'not-accepting': 'queue-rejecting',
  'unsupported-document': 'bad-document',
  other: 'unknown'
} as const satisfies Record<IppError['reason'], PrintFault>

function stateOf(queue: CupsQueue): PrinterState {
  const fault = queue.accepting ? cupsQueueFault(queue) : 'queue-rejecting'
  if (fault !== null) return { kind: 'hindered', fault }
  if (queue.state === PRINTER_STATE.idle) return { kind: 'ready' }
  return queue.state === PRINTER_STATE.processing ? { kind: 'printing' } : { kind: 'unknown' }
}

/**
 * Returns the queues that print the jobs of a queue: itself, or those of a class.
 * @param find the queue of a name; undefined: there is none any more
 */
async function printersOf(
  queue: CupsQueue,
  find: (name: string) => Promise<CupsQueue | undefined>
): Promise<readonly CupsQueue[]> {
  if (queue.members.length === 0) return [queue]
  const members = await Promise.all(queue.members.map(find))
  return members.filter((member) => member !== undefined)
}

const sizesOf = (printers: readonly CupsQueue[]) => printers.map(({ media }) => media)

/** Any of the printers may get a job. `minLength` as in `offeredPapers`. */
const offeredBy = (printers: readonly CupsQueue[], minLength = 0): OfferedPapers =>
  offeredPapers(
    (document) => pagesOf(document).some((page) => sizeOption(sizesOf(printers), page) !== null),
    sizesOf(printers).flat().map(mediaName),
    minLength
  )

/** The document of a job in a size that all of the printers take; null if there is none. */
function documentFor(
  job: PrintJob,
  printers: readonly CupsQueue[],
  options: readonly IppAttribute[]
): CupsDocument | null {
  for (const page of pagesOf(job)) {
    const pdf = page.isHeadWide ? job.headPdf : job.pdf
    const size = sizeOption(sizesOf(printers), page)
    if (pdf !== undefined && size !== null) return pdfDocument(pdf, size, options)
  }
  return null
}

/** The server is looked up once, and again after it was gone: it may start after the app. */
export class CupsPrinting implements SystemPrinting {
  readonly #options: SystemPrintingOptions
  #client: CupsClient | null = null

  constructor(options: SystemPrintingOptions) {
    this.#options = options
  }

  async list(): Promise<Result<readonly Printer[]>> {
    const client = await this.#connect()
    if (client === null) return notPrinted('print-system-down')
    try {
      const [queues, defaultName] = await Promise.all([client.queues(), client.defaultQueueName()])
      const named = new Map(queues.map((queue) => [queue.name, queue]))
      const printers = queues.map(async (queue): Promise<Printer> => {
        const of = await printersOf(queue, (name) => Promise.resolve(named.get(name)))
        return {
          kind: 'queue',
          name: queue.name,
          description: queue.description,
          state: stateOf(queue),
          isDefault: queue.name === defaultName,
          isRaw: of.some(isRawCupsQueue),
          offered: offeredBy(of),
          reportsDeletedJobs: true,
          deviceUri: queue.deviceUri
        }
      })
      return ok(await Promise.all(printers))
    } catch (error) {
      return notPrinted(this.#faultOf(error))
    }
  }

  async print(job: PrintJob, { name }: SystemQueue, signal: AbortSignal): Promise<PrintResult> {
    // CUPS would keep it in the queue, stopped, until it is cancelled.
    if (!isPdf(job.pdf)) return notPrinted('bad-document')
    const options = await readQueueOptions(this.#options.environment, name)
    return this.#submit(job, name, signal, 'application/pdf', (printers) =>
      documentFor(job, printers, options)
    )
  }

  /** A queue with a driver takes commands as well, since the raw format bypasses it. */
  printRaw(
    bytes: Uint8Array,
    job: PrintJob,
    { name }: RawQueueConnection,
    signal: AbortSignal
  ): Promise<PrintResult> {
    return this.#submit(job, name, signal, RAW_FORMAT, () => rawDocument(bytes))
  }

  /** @param documentFor makes the document for the printers of the queue; null: they do not take its size */
  async #submit(
    job: PrintJob,
    name: string,
    signal: AbortSignal,
    format: CupsDocument['format'],
    documentFor: (printers: readonly CupsQueue[]) => CupsDocument | null
  ): Promise<PrintResult> {
    const { timeouts, log } = this.#options
    const client = await this.#connect()
    if (client === null) return notPrinted('print-system-down')
    let document: CupsDocument | null
    try {
      const queue = await client.queue(name)
      const printers = await printersOf(queue, (member) => client.queue(member))
      const fault = refusal(queue, printers, format)
      if (fault !== null) return notPrinted(fault)
      document = documentFor(printers)
      if (document === null) return refusedSize(offeredBy(printers, job.heightMillimetres))
    } catch (error) {
      return notPrinted(this.#faultOf(error))
    }
    if (signal.aborted) return notPrinted('cancelled-here')

    let id: number
    try {
      id = await submitJob(client.server, name, job.title, document, timeouts.response)
    } catch (error) {
      const submitFault = this.#faultOf(error)
      log.error('print-job-refused', { error, ...job.trace })
      return notPrinted(submitFault, error instanceof IppError && error.reason === 'silent')
    }
    log.info('print-queued', { ...job.trace, printer: name, job: id })
    const queued = new CupsPrintJob(name, id, client, this.#cancel, timeouts.response)
    return waitForJob(queued, { printer: name, job: id }, timeoutsFor(job, timeouts), signal)
  }

  readonly #cancel: CancelJob = async (queue, id) => {
    const { exec, environment, timeouts } = this.#options
    await exec('cancel', [`${queue}-${id}`], { environment, timeout: timeouts.response })
  }

  /** Null when CUPS is not installed. */
  async #connect(): Promise<CupsClient | null> {
    if (this.#client === null) {
      const { exec, environment, timeouts } = this.#options
      const address = await findServer(exec, environment, timeouts.response)
      if (address === null) return null
      const configuration = await readClientConfiguration(environment)
      this.#client = new CupsClient(new IppServer(address, { configuration, environment }), timeouts.response)
    }
    return this.#client
  }

  /** Maps an `IppError`; rethrows any other error. */
  #faultOf(error: unknown): PrintFault {
    if (!(error instanceof IppError)) throw error
    // Its address and the certificate that is known of it are read again then.
    if (error.isServerGone || error.reason === 'insecure') this.#client = null
    if (error.reason === 'other') this.#options.log.error('ipp-request-refused', { error })
    return FAULT_OF_ERROR[error.reason]
  }
}

/** Keywords of printer-state-reasons (RFC 8011, 5.4.12) without severity, most specific first. */
const REASONS: readonly (readonly [RegExp, PrintFault])[] = [
  [/^(cover-open|door-open|interlock-open)/, 'cover-open'],
  [/^(media-empty|media-needed|input-tray-missing)/, 'out-of-paper'],
  [/^(offline|shutdown|timed-out|connecting-to-device)/, 'printer-offline'],
  [/^(media-jam|cutter|fuser|marker-supply-empty|toner-empty|other-error|resource)/, 'printer-fault'],
  [/^paused/, 'queue-paused']
]

/** Messages of CUPS's backends while the printer is off: the reasons remain `none` then. English was requested. */
const UNREACHABLE = /may not exist or is unavailable|unable to connect|unreachable|not responding|is offline/i

/**
 * The fault of a queue, or null. Warnings count only for a job that does not continue: a printer without any paper may
 * report that as a warning, and so does one with an empty tray beside a full one.
 */
export function cupsQueueFault(
  { state, reasons, message }: CupsQueueState,
  warnings: 'ignored' | 'counted' = 'ignored'
): PrintFault | null {
  const ignored = warnings === 'counted' ? /-report$/ : /-(warning|report)$/
  const counted = reasons.filter((reason) => !ignored.test(reason))
  for (const [pattern, fault] of REASONS) if (counted.some((reason) => pattern.test(reason))) return fault
  if (UNREACHABLE.test(message)) return 'printer-offline'
  return state === PRINTER_STATE.stopped ? 'queue-paused' : null
}

/** The models of CUPS 1.2 to 2.4 for a queue without a driver, and for such a queue to another CUPS. */
const RAW_MODEL = 'Local Raw Printer'
const REMOTE_MODEL = 'Remote Printer'

/** Backends that name a document's format to the printer, instead of sending it as it is. */
const IPP_DEVICE = /^(ipps?|https?):|\._ipps?\._tcp/i

/** Whether the queue sends its documents to the printer as they are: the printer would print a PDF as text. */
export const isRawCupsQueue = ({ model, deviceUri }: CupsQueue): boolean =>
  model === RAW_MODEL && !IPP_DEVICE.test(deviceUri)

/**
 * Whether commands reach the printer. CUPS reports a job of commands for a printer of IPP as completed, but such a printer
 * takes no commands and prints nothing. Another CUPS passes them on.
 */
const takesCommands = ({ model, deviceUri }: CupsQueue): boolean =>
  model === REMOTE_MODEL || !IPP_DEVICE.test(deviceUri)

/**
 * The fault that makes submitting a job pointless, or null. Reasons of paper and cover may be of the last job. Any of the
 * `printers` of a class may get it.
 */
export function refusal(
  queue: CupsQueueState,
  printers: readonly CupsQueue[],
  format: CupsDocument['format']
): PrintFault | null {
  if (format === 'application/pdf' && printers.some(isRawCupsQueue)) return 'refused-pdf'
  if (format === RAW_FORMAT && !printers.every(takesCommands)) return 'refused-commands'
  if (!queue.accepting) return 'queue-rejecting'
  return queue.state === PRINTER_STATE.stopped ? 'queue-paused' : null
}

const DOCUMENT_REASON = /^(document-format-error|document-unprintable|unsupported-document|document-access)/

function endedFault({ state, reasons, message }: CupsJob): PrintFault {
  if (/supplied options/i.test(message)) return 'refused-size'
  if (reasons.some((reason) => DOCUMENT_REASON.test(reason))) return 'bad-document'
  if (state === JOB_STATE.cancelled) return 'cancelled-at-printer'
  return UNREACHABLE.test(message) ? 'printer-offline' : 'aborted'
}

/** Faults of a document, of which nothing was printed. */
const OF_DOCUMENT: ReadonlySet<PrintFault> = new Set(['refused-size', 'bad-document'])

/** Maps the state of a job in its queue. */
export function cupsJobStatus(job: CupsJob, queue: CupsQueueState): JobStatus {
  switch (job.state) {
    case JOB_STATE.completed:
      return { kind: 'printed' }
    case JOB_STATE.cancelled:
    case JOB_STATE.aborted: {
      const fault = endedFault(job)
      return { kind: 'ended', fault, isAtPrinter: job.hasBegun && !OF_DOCUMENT.has(fault) }
    }
    case JOB_STATE.stopped:
      // A filter failed, perhaps after it had passed pages on: the printer itself remains idle and without fault.
      return { kind: 'stuck', fault: cupsQueueFault(queue) ?? 'bad-document', isAtPrinter: job.hasBegun }
    case JOB_STATE.processing:
      return {
        kind: 'pending',
        isAtPrinter: true,
        hindrance: UNREACHABLE.test(job.message) ? 'printer-offline' : cupsQueueFault(queue, 'counted')
      }
    default:
      // Waiting, at first or after an attempt: other jobs may be before it, and only a stopped queue is a hindrance.
      return {
        kind: 'pending',
        isAtPrinter: job.hasBegun,
        hindrance: queue.state === PRINTER_STATE.stopped ? cupsQueueFault(queue) : null
      }
  }
}

/** A server that went away is a hindrance: it may return, and the job with it. */
function statusWithoutResponse(error: unknown): JobStatus {
  if (!(error instanceof IppError)) throw error
  // A server without job history forgets a job at its end, and with it how the job ended: `unknown`.
  const hindrance = error.isServerGone ? 'print-system-down' : 'unknown'
  return { kind: 'pending', hindrance, isAtPrinter: true }
}

/**
 * Cancels a job with CUPS's own `cancel`, whose library knows how a user proves that the job is theirs. The job's state
 * shows whether it worked.
 */
export type CancelJob = (queue: string, id: number) => Promise<void>

/** A job in a CUPS queue. */
export class CupsPrintJob implements MonitoredJob {
  readonly #queue: string
  readonly #id: number
  readonly #client: CupsClient
  readonly #cancel: CancelJob
  readonly #timeoutMs: number

  /** @param timeoutMs how long the confirmation of a cancellation is waited for */
  constructor(queue: string, id: number, client: CupsClient, cancel: CancelJob, timeoutMs: number) {
    this.#queue = queue
    this.#id = id
    this.#client = client
    this.#cancel = cancel
    this.#timeoutMs = timeoutMs
  }

  async status(): Promise<JobStatus> {
    try {
      return cupsJobStatus(await this.#client.job(this.#id), await this.#client.queueState(this.#queue))
    } catch (error) {
      return statusWithoutResponse(error)
    }
  }

  async cancel(): Promise<CancelOutcome> {
    await this.#cancel(this.#queue, this.#id)
    const end = await poll(async () => {
      const { state } = await this.#client.job(this.#id).catch(() => ({ state: 0 }))
      return state >= JOB_STATE.cancelled ? state : null
    }, this.#timeoutMs)
    if (end === null) return 'unknown'
    return end === JOB_STATE.completed ? 'printed' : 'gone'
  }
}
