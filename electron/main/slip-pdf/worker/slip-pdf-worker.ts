/** Main's client of the PDF worker, and the messages between them. */
import type { PrintDocument, PrintJob, PrintTarget } from '../../printing/print-job.ts'
import { UnscannableError } from '../../../images/qr-code.ts'
import type { OperationDocument } from '../operation-slip.ts'
import type { ReportDocument } from '../report.ts'
import { SAMPLE_SLIP, type SlipDocument } from '../slip-document.ts'
import type { PdfRenderer, RenderedSlips } from '../slip-pdf-renderer.ts'
import type { TestPageDocument } from '../test-page.ts'

/** Name of a `PdfRenderer` method. */
type RenderMethod = keyof PdfRenderer

/** A method call with its arguments. */
export interface WorkerRequest {
  readonly id: number
  readonly method: RenderMethod
  readonly args: readonly unknown[]
}

/** The outcome of the request with the same id. */
export type WorkerResponse =
  { readonly id: number; readonly value: unknown } | { readonly id: number; readonly error: SerializedError }

/** A structured clone of an error has no class. */
interface SerializedError {
  /** the one class that callers distinguish */
  readonly isUnscannable: boolean
  readonly message: string
  readonly stack: string | undefined
}

/** Converts a thrown value to a cloneable object. */
export function serializeError(error: unknown): SerializedError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return { isUnscannable: error instanceof UnscannableError, message, stack }
}

/** Restores the error's class, message and stack. */
function deserializeError({ isUnscannable, message, stack }: SerializedError): Error {
  const error = isUnscannable ? new UnscannableError(message) : new Error(message)
  if (stack !== undefined) error.stack = stack
  return error
}

/** A process that runs `worker-entry.ts`. */
interface WorkerProcess {
  send(request: WorkerRequest): void
  /** Kills it, whatever it is doing. */
  end(): void
}

/** Callbacks of a `WorkerProcess`. */
interface WorkerProcessEvents {
  replied(response: unknown): void
  /** The process exited with this code; called once. `fault` is where V8 stopped, if it did. */
  ended(code: number, fault?: string): void
}

/** Starts processes. A service does not import Electron: implemented by `UtilityProgram` in `platform/`. */
export interface WorkerProgram {
  start(events: WorkerProcessEvents): WorkerProcess
}

/** The longest time without a response. Below the time that a user would wait, above that of a slow first start. */
const TIMEOUT_MS = 20_000
/** Added for each slip of a request: a hundred times what one takes. */
const TIMEOUT_PER_SLIP_MS = 500
/** How long an idle process is kept: it has 50 to 80 MB, and the next customer of a busy shop comes before. */
const IDLE_MS = 45_000

interface SlipPdfWorkerOptions {
  readonly timeoutMs?: number
  readonly idleMs?: number
  readonly onIdle?: () => void
}

interface PendingRequest {
  /** how long the worker may take for it */
  readonly timeoutMs: number
  readonly response: PromiseWithResolvers<unknown>
}

interface RunningWorker {
  readonly process: WorkerProcess
  readonly pending: Map<number, PendingRequest>
  readonly exited: Promise<void>
  /** kills the process when the oldest pending request has taken too long, or when it has been idle */
  watchdog: NodeJS.Timeout | undefined
}

const rejectAll = (pending: Map<number, PendingRequest>, error: Error): void => {
  for (const { response } of pending.values()) response.reject(error)
  pending.clear()
}

/**
 * Renders in a utility process: a job of fifty slips does not block main, and a font that crashes the shaper takes only
 * that process with it. The process is started by `warmUp` or a request, and runs until it has been idle. If it exits
 * before, or does not respond in time and is killed, its pending requests reject and the next request starts another one.
 */
export class SlipPdfWorker implements PdfRenderer {
  readonly #program: WorkerProgram
  readonly #timeoutMs: number
  readonly #idleMs: number
  readonly #onIdle: () => void
  #maxTimeoutMs = Infinity
  #running: RunningWorker | null = null
  #isClosed = false
  #lastId = 0

  /**
   * @param program runs `worker-entry.ts`
   * @param timeoutMs how long it may take for a request, besides the time for each slip
   * @param idleMs how long it is kept without a request
   * @param onIdle called when it was not kept any longer: the till rests
   */
  constructor(
    program: WorkerProgram,
    { timeoutMs = TIMEOUT_MS, idleMs = IDLE_MS, onIdle = () => undefined }: SlipPdfWorkerOptions = {}
  ) {
    this.#program = program
    this.#timeoutMs = timeoutMs
    this.#idleMs = idleMs
    this.#onIdle = onIdle
  }

  /**
   * Call when a slip may follow soon. Starts the process and renders one sample slip, so that the slip does not wait for
   * the process, its modules and the fonts of every slip; a process that runs is kept for another idle time. Rejects as
   * `renderSlips`, but not when `close` comes before the sample is ready.
   * @param target that of the slip: each way to write it has code of its own
   */
  async warmUp(target: PrintTarget): Promise<void> {
    if (this.#running) {
      if (this.#running.pending.size === 0) this.#watch(this.#running)
      return
    }
    try {
      await this.renderSlips([SAMPLE_SLIP], target)
    } catch (error) {
      if (!this.#isClosed) throw error
    }
  }

  renderSlips(slips: readonly SlipDocument[], target: PrintTarget): Promise<RenderedSlips> {
    return this.#request('renderSlips', slips, target)
  }

  renderReport(report: ReportDocument, target: PrintTarget): Promise<PrintDocument> {
    return this.#request('renderReport', report, target)
  }

  renderOperation(document: OperationDocument, target: PrintTarget): Promise<PrintDocument> {
    return this.#request('renderOperation', document, target)
  }

  renderTestPage(page: TestPageDocument, target: PrintTarget): Promise<PrintJob> {
    return this.#request('renderTestPage', page, target)
  }

  renderPreview(pdf: Uint8Array): Promise<Uint8Array | null> {
    return this.#request('renderPreview', pdf)
  }

  /** From now on no request may take longer, not even the pending one: the till quits. */
  limitTime(timeoutMs: number): void {
    this.#maxTimeoutMs = timeoutMs
    if (this.#running) this.#watch(this.#running)
  }

  /** Kills the process and resolves when it has exited; pending requests reject. */
  async close(): Promise<void> {
    const running = this.#running
    this.#isClosed = true
    this.#running = null
    running?.process.end()
    await running?.exited
  }

  #request<Method extends RenderMethod>(
    method: Method,
    ...args: Parameters<PdfRenderer[Method]>
  ): ReturnType<PdfRenderer[Method]> {
    this.#running ??= this.#startProcess()
    const running = this.#running
    const id = ++this.#lastId
    const [slips] = args
    const timeoutMs = this.#timeoutMs + (Array.isArray(slips) ? slips.length * TIMEOUT_PER_SLIP_MS : 0)
    const response = Promise.withResolvers<unknown>()
    running.pending.set(id, { timeoutMs, response })
    if (running.pending.size === 1) this.#watch(running)
    running.process.send({ id, method, args })
    // The worker, compiled from the same sources, responds with what this method returns.
    return response.promise as ReturnType<PdfRenderer[Method]>
  }

  /** Starts the time of the oldest pending request, which the worker is rendering, or that of an idle process. */
  #watch(running: RunningWorker): void {
    clearTimeout(running.watchdog)
    const [oldest] = running.pending.values()
    const timeoutMs = oldest === undefined ? this.#idleMs : Math.min(oldest.timeoutMs, this.#maxTimeoutMs)
    running.watchdog = setTimeout(() => {
      if (this.#running === running) this.#running = null
      running.process.end()
      if (running.pending.size === 0) this.#onIdle()
      rejectAll(running.pending, new Error(`The PDF worker did not respond within ${timeoutMs} ms`))
    }, timeoutMs)
  }

  #startProcess(): RunningWorker {
    const pending = new Map<number, PendingRequest>()
    const exited = Promise.withResolvers<undefined>()
    const process = this.#program.start({
      replied: (message) => {
        const response = message as WorkerResponse
        const request = pending.get(response.id)
        pending.delete(response.id)
        this.#watch(running)
        if ('error' in response) request?.response.reject(deserializeError(response.error))
        else request?.response.resolve(response.value)
      },
      ended: (code, fault) => {
        if (this.#running === running) this.#running = null
        clearTimeout(running.watchdog)
        rejectAll(pending, new Error(`The PDF worker exited with code ${String(code)}`, { cause: fault }))
        exited.resolve(undefined)
      }
    })
    const running: RunningWorker = { process, pending, exited: exited.promise, watchdog: undefined }
    return running
  }
}
