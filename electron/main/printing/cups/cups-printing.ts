/** Queues of CUPS, on Linux and macOS. */
import { ok, type Result } from '../../../contract/failure.ts'
import type {
  Printer,
  PrinterState,
  PrintFault,
  RawQueueConnection,
  SystemQueue
} from '../../../contract/printing.ts'
import { waitForJob } from '../job-monitor.ts'
import {
  isPdf,
  notPrinted,
  timeoutsFor,
  type PrintJob,
  type PrintResult,
  type SystemPrinting,
  type SystemPrintingOptions
} from '../print-job.ts'
import { CupsClient, findServer, PRINTER_STATE, type CupsQueue } from './cups-client.ts'
import { IppError } from './ipp.ts'
import { cupsQueueFault, CupsPrintJob, isRawCupsQueue, refusal, type CancelJob } from './status-mapping.ts'
import { pdfDocument, rawDocument, readQueueOptions, submitJob, type CupsDocument } from './submit-job.ts'

const FAULT_OF_ERROR = {
  down: 'print-system-down',
  silent: 'print-system-down',
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
      return ok(
        queues.map((queue) => ({
          kind: 'queue',
          name: queue.name,
          description: queue.description,
          state: stateOf(queue),
          isDefault: queue.name === defaultName,
          isRaw: isRawCupsQueue(queue),
          reportsDeletedJobs: true,
          deviceUri: queue.deviceUri
        }))
      )
    } catch (error) {
      return notPrinted(this.#faultOf(error))
    }
  }

  async print(job: PrintJob, { name: queue }: SystemQueue, signal: AbortSignal): Promise<PrintResult> {
    // CUPS would keep it in the queue, stopped, until it is cancelled.
    if (!isPdf(job.pdf)) return notPrinted('bad-document')
    const options = await readQueueOptions(this.#options.environment, queue)
    return this.#submit(pdfDocument(job, options), job, queue, signal)
  }

  /** A queue with a driver takes commands as well, since the raw format bypasses it. */
  printRaw(
    bytes: Uint8Array,
    job: PrintJob,
    { name }: RawQueueConnection,
    signal: AbortSignal
  ): Promise<PrintResult> {
    return this.#submit(rawDocument(bytes), job, name, signal)
  }

  async #submit(
    document: CupsDocument,
    job: PrintJob,
    queue: string,
    signal: AbortSignal
  ): Promise<PrintResult> {
    const { timeouts, log } = this.#options
    const client = await this.#connect()
    if (client === null) return notPrinted('print-system-down')
    const fault = await client.queue(queue).then(
      (state) => refusal(state, document.format),
      (error: unknown) => this.#faultOf(error)
    )
    if (fault !== null) return notPrinted(fault)
    if (signal.aborted) return notPrinted('cancelled-here')

    let id: number
    try {
      id = await submitJob(client.server, queue, job.title, document, timeouts.response)
    } catch (error) {
      const submitFault = this.#faultOf(error)
      log.error('print-job-refused', { error, ...job.trace })
      return notPrinted(submitFault, error instanceof IppError && error.reason === 'silent')
    }
    log.info('print-queued', { ...job.trace, printer: queue, job: id })
    const queued = new CupsPrintJob(queue, id, client, this.#cancel, timeouts.response)
    return waitForJob(queued, { printer: queue, job: id }, timeoutsFor(job, timeouts), signal)
  }

  readonly #cancel: CancelJob = async (queue, id) => {
    const { exec, environment, timeouts } = this.#options
    await exec('cancel', [`${queue}-${id}`], { environment, timeout: timeouts.response })
  }

  /** Null when CUPS is not installed. */
  async #connect(): Promise<CupsClient | null> {
    if (this.#client === null) {
      const { exec, environment, timeouts } = this.#options
      const server = await findServer(exec, environment, timeouts.response)
      this.#client = server && new CupsClient(server, timeouts.response)
    }
    return this.#client
  }

  /** Maps an `IppError`; rethrows any other error. */
  #faultOf(error: unknown): PrintFault {
    if (!(error instanceof IppError)) throw error
    if (error.isServerGone) this.#client = null
    if (error.reason === 'other') this.#options.log.error('ipp-request-refused', { error })
    return FAULT_OF_ERROR[error.reason]
  }
}
