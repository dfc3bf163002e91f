import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Failure } from '../../../electron/contract/failure.ts'
import {
  deliveryLabel,
  type DeliveryLabel,
  type PrintDestination,
  type PrinterSettings
} from '../../../electron/contract/printing.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'

/** A test page, one at a time: what became of it, and cancelling it. */
export class TestPage {
  readonly #bridge: Bridge
  readonly #ipc: IpcClient
  readonly #request: AsyncRequest
  #jobId: string | null = null
  /** What became of the last one; null until it was printed. */
  printed = $state<DeliveryLabel | null>(null)
  /** Where the last one went; null before the first. */
  destination = $state.raw<PrintDestination | null>(null)
  /** Whether it was cancelled here, and may not have ended yet. */
  isCancelled = $state(false)

  constructor(bridge: Bridge, ipc: IpcClient) {
    this.#bridge = bridge
    this.#ipc = ipc
    this.#request = new AsyncRequest(ipc)
  }

  get running(): boolean {
    return this.#request.running
  }

  /** Why the last one was not printed; null also when it was cancelled and nothing of it can be on paper. */
  get failure(): Failure | null {
    const { failure } = this.#request
    const isAsWished = failure?.kind === 'not-printed' && failure.fault === 'cancelled-here'
    return isAsWished && !failure.mayStillPrint ? null : failure
  }

  /** Prints a test page unless one is being printed. */
  async print(printer: PrinterSettings): Promise<void> {
    if (this.running) return
    const jobId = crypto.randomUUID()
    this.#jobId = jobId
    this.printed = null
    this.isCancelled = false
    this.destination = printer.destination
    await this.#request.run(
      () => this.#bridge.printers.printTestPage({ jobId, printer }),
      () => {
        this.printed = deliveryLabel(printer.destination)
      }
    )
  }

  /** Cancels the test page that is being printed. */
  async cancel(): Promise<void> {
    const jobId = this.#jobId
    if (jobId === null || !this.running || this.isCancelled) return
    this.isCancelled = true
    await this.#ipc.invoke(() => this.#bridge.slips.cancelPrint({ jobId }))
  }

  /** Forgets the last one. One that is being printed is no longer followed. */
  reset(): void {
    this.#request.reset()
    this.printed = null
  }
}
