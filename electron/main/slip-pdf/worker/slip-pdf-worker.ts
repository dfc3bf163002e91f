/** Main's client of the PDF worker. */
import { DEFAULT_PRINTER_SETTINGS } from '../../../contract/printing.ts'
import { printTarget, type PrintDocument, type PrintJob, type PrintTarget } from '../../printing/print-job.ts'
import type { ReportDocument } from '../report.ts'
import { SAMPLE_SLIP, type SlipDocument } from '../slip-document.ts'
import type { PdfRenderer, RenderedSlips } from '../slip-pdf-renderer.ts'
import type { TestPageDocument } from '../test-page.ts'
import { deserializeError, type RenderMethod, type WorkerRequest, type WorkerResponse } from './messages.ts'

/** A process that runs `worker-entry.ts`. A service does not import Electron: `platform/` starts the process. */
export interface WorkerProcess {
  send(request: WorkerRequest): void
  /** Kills it, whatever it is doing. */
  end(): void
}

/** Callbacks of a `WorkerProcess`. */
export interface WorkerProcessEvents {
  replied(response: unknown): void
  /** The process exited with this code; called once. `fault` is where V8 stopped, if it did. */
  ended(code: number, fault?: string): void
}

/** The longest time without a response. Below the time that a user would wait, above that of a slow first start. */
const TIMEOUT_MS = 20_000
/** Added for each slip of a request: a hundred times what one takes. */
const TIMEOUT_PER_SLIP_MS = 500

interface PendingRequest {
  /** how long the worker may take for it */
  readonly timeoutMs: number
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

interface RunningWorker {
  readonly process: WorkerProcess
  readonly pending: Map<number, PendingRequest>
  readonly exited: Promise<void>
  /** kills the process when the oldest pending request has taken too long */
  watchdog: NodeJS.Timeout | undefined
}

const rejectAll = (pending: Map<number, PendingRequest>, error: Error): void => {
  for (const { reject } of pending.values()) reject(error)
  pending.clear()
}

/**
 * Renders in a utility process: a job of fifty slips does not block main, and a font that crashes the shaper takes only
 * that process with it. The process is started by `warmUp` or the first request and runs until `close`. If it exits
 * before, or does not respond in time and is killed, its pending requests reject and the next request starts another one.
 */
export class SlipPdfWorker implements PdfRenderer {
  readonly #start: (events: WorkerProcessEvents) => WorkerProcess
  readonly #timeoutMs: number
  #maxTimeoutMs = Infinity
  #running: RunningWorker | null = null
  #isClosed = false
  #lastId = 0

  /**
   * @param start starts a process that runs `worker-entry.ts`
   * @param timeoutMs how long it may take for a request, besides the time for each slip
   */
  constructor(start: (events: WorkerProcessEvents) => WorkerProcess, timeoutMs = TIMEOUT_MS) {
    this.#start = start
    this.#timeoutMs = timeoutMs
  }

  /**
   * Starts the process and renders one sample slip, so that the first slip of the day does not wait for the process,
   * its modules and the fonts of every slip. Rejects as `renderSlips`, but not when `close` comes before the sample is
   * ready.
   */
  async warmUp(): Promise<void> {
    try {
      await this.renderSlips([SAMPLE_SLIP], printTarget(DEFAULT_PRINTER_SETTINGS))
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
    const response = new Promise<unknown>((resolve, reject) =>
      running.pending.set(id, { timeoutMs, resolve, reject })
    )
    if (running.pending.size === 1) this.#watch(running)
    running.process.send({ id, method, args })
    // The worker, compiled from the same sources, responds with what this method returns.
    return response as ReturnType<PdfRenderer[Method]>
  }

  /** Starts the time of the oldest pending request, which the worker is rendering. */
  #watch(running: RunningWorker): void {
    clearTimeout(running.watchdog)
    const [oldest] = running.pending.values()
    if (oldest === undefined) return
    const timeoutMs = Math.min(oldest.timeoutMs, this.#maxTimeoutMs)
    running.watchdog = setTimeout(() => {
      if (this.#running === running) this.#running = null
      running.process.end()
      rejectAll(running.pending, new Error(`The PDF worker did not respond within ${timeoutMs} ms`))
    }, timeoutMs)
  }

  #startProcess(): RunningWorker {
    const pending = new Map<number, PendingRequest>()
    const exited = Promise.withResolvers<undefined>()
    const process = this.#start({
      replied: (message) => {
        const response = message as WorkerResponse
        const request = pending.get(response.id)
        pending.delete(response.id)
        this.#watch(running)
        if ('error' in response) request?.reject(deserializeError(response.error))
        else request?.resolve(response.value)
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
