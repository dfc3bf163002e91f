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
  type PrintControl,
  type PrintJob,
  type PrintResult,
  type SystemPrinting,
  type SystemPrintingOptions,
  timeoutsFor,
  waitForJob
} from '../print-job.ts'
import { offeredPapers, pagesOf } from '../pages.ts'
import { CupsClient, type CupsQueue, findServer, JOB_STATE, PRINTER_STATE } from './cups-client.ts'
import { cupsJobStatus, cupsQueueFault, isRawCupsQueue, refusal } from './cups-faults.ts'
import { readClientConfiguration } from './client-configuration.ts'
import type { IppAttribute } from './ipp.ts'
import { IppError, IppServer } from './ipp-server.ts'
import { mediaName, sizeOption } from './media.ts'
import { printersOf, type RemoteQueue } from './remote-queue.ts'
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
  unreachable: 'printer-offline',
  silent: 'print-system-down',
  insecure: 'insecure-connection',
  forbidden: 'permission-denied',
  quota: 'quota-reached',
  'too-many-jobs': 'too-many-jobs',
  busy: 'printer-busy',
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

const sizesOf = (printers: readonly CupsQueue[]) => printers.map(({ media }) => media)

/** Any of the printers may get a job. `minLength` as in `offeredPapers`. */
const offeredBy = (printers: readonly CupsQueue[], minLength = 0): OfferedPapers =>
  offeredPapers(
    (document) => pagesOf(document).some((page) => sizeOption(sizesOf(printers), page) !== null),
    sizesOf(printers).flat().map(mediaName),
    minLength
  )

/** The document of a job in a size that all of the printers take; null if there is none. */
async function documentFor(
  job: PrintJob,
  printers: readonly CupsQueue[],
  options: readonly IppAttribute[]
): Promise<CupsDocument | null> {
  for (const page of pagesOf(job)) {
    const size = sizeOption(sizesOf(printers), page)
    if (size === null) continue
    const pdf = page.isHeadWide ? await job.headPdf?.() : job.pdf
    if (pdf !== undefined) return pdfDocument(pdf, size, options)
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
        const { of, fault } = await this.#findPrinters(queue, (name) => Promise.resolve(named.get(name)))
        return {
          kind: 'queue',
          name: queue.name,
          description: queue.description,
          state: fault === null ? stateOf(queue) : { kind: 'hindered', fault },
          isDefault: queue.name === defaultName,
          isRaw: of.some(isRawCupsQueue),
          offered: offeredBy(of),
          reportsDeletedJobs: true,
          deviceUri: queue.deviceUri
        }
      })
      return ok(await Promise.all(printers))
    } catch (error) {
      return this.#refused(error)
    }
  }

  /** One whose other server refuses to tell, or does not respond, has no sizes and a fault. */
  async #findPrinters(
    queue: CupsQueue,
    find: (name: string) => Promise<CupsQueue | undefined>
  ): Promise<{ readonly of: readonly CupsQueue[]; readonly fault: PrintFault | null }> {
    try {
      return { of: await printersOf(queue, find, this.#connectTo), fault: null }
    } catch (error) {
      if (!(error instanceof IppError)) throw error
      return { of: [queue], fault: FAULT_OF_ERROR[error.reason] }
    }
  }

  async print(job: PrintJob, { name }: SystemQueue, control: PrintControl): Promise<PrintResult> {
    // CUPS would keep it in the queue, stopped, until it is cancelled.
    if (!isPdf(job.pdf)) return notPrinted('bad-document')
    const options = await readQueueOptions(this.#options.environment, name)
    return this.#submit(job, name, control, 'application/pdf', (printers) =>
      documentFor(job, printers, options)
    )
  }

  /** A queue with a driver takes commands as well, since the raw format bypasses it. */
  printRaw(
    bytes: Uint8Array,
    job: PrintJob,
    { name }: RawQueueConnection,
    control: PrintControl
  ): Promise<PrintResult> {
    return this.#submit(job, name, control, RAW_FORMAT, () => Promise.resolve(rawDocument(bytes)))
  }

  /** @param documentFor makes the document for the printers of the queue; null: they do not take its size */
  async #submit(
    job: PrintJob,
    name: string,
    control: PrintControl,
    format: CupsDocument['format'],
    documentFor: (printers: readonly CupsQueue[]) => Promise<CupsDocument | null>
  ): Promise<PrintResult> {
    const { timeouts, log } = this.#options
    const client = await this.#connect()
    if (client === null) return notPrinted('print-system-down')
    let document: CupsDocument | null
    try {
      const queue = await client.queue(name)
      const printers = await printersOf(queue, (member) => client.queue(member), this.#connectTo)
      const fault = refusal(queue, printers, format)
      if (fault !== null) return notPrinted(fault)
      document = await documentFor(printers)
      if (document === null) return refusedSize(offeredBy(printers, job.heightMillimetres))
    } catch (error) {
      return this.#refused(error)
    }
    if (control.signal.aborted) return notPrinted('cancelled-here')

    let id: number
    try {
      id = await submitJob(client.server, name, job.title, document, timeouts.response)
    } catch (error) {
      log.error('print-job-refused', { error, ...job.trace })
      return this.#refused(error)
    }
    log.info('print-queued', { ...job.trace, printer: name, job: id })
    const queued = new CupsPrintJob(name, id, client, this.#cancel, timeouts.response)
    return waitForJob(queued, { printer: name, job: id }, timeoutsFor(job, timeouts), control)
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

  readonly #connectTo = async ({ address, isEncrypted }: RemoteQueue): Promise<CupsClient> => {
    const { environment, timeouts } = this.#options
    const configured = await readClientConfiguration(environment)
    const configuration = isEncrypted ? { ...configured, encryption: 'required' as const } : configured
    return new CupsClient(new IppServer(address, { configuration, environment }), timeouts.response)
  }

  /** The result of an `IppError`: after `silent` CUPS may have the job. Rethrows any other error. */
  #refused(error: unknown): Extract<PrintResult, { readonly ok: false }> {
    if (!(error instanceof IppError)) throw error
    // Its address and the certificate that is known of it are read again then.
    if (error.isServerGone || error.reason === 'insecure') this.#client = null
    if (error.reason === 'other') this.#options.log.error('ipp-request-refused', { error })
    const fault = FAULT_OF_ERROR[error.reason]
    return notPrinted(fault, error.reason === 'silent', fault === 'unknown' ? error.said : undefined)
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
