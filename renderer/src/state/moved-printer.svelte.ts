import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { MovedPrinter } from '../../../electron/contract/printer-discovery.ts'
import { connectionName } from '../../../electron/contract/printing.ts'
import type { IpcClient } from './ipc-client.svelte.ts'
import type { Till } from './till.svelte.ts'

/** The question whether to print at the new address of a printer. The slips wait until it is answered. */
export class MovedPrinterQuestion {
  readonly #bridge: Bridge
  readonly #ipc: IpcClient
  readonly #till: Till
  #asked = $state.raw<MovedPrinter | null>(null)
  #busy = $state(false)

  constructor(bridge: Bridge, ipc: IpcClient, till: Till) {
    this.#bridge = bridge
    this.#ipc = ipc
    this.#till = till
  }

  /** The open question; null if there is none, or if another printer was chosen meanwhile. */
  get open(): MovedPrinter | null {
    return this.#asked !== null && this.#isSavedAt(this.#asked.from) ? this.#asked : null
  }

  /** Whether the answer is being carried out. */
  get busy(): boolean {
    return this.#busy
  }

  /** Takes questions. Returns a function that stops. */
  start(): () => void {
    return this.#bridge.onMovedPrinter((moved) => {
      this.#asked = moved
    })
  }

  /** Saves the new address, and prints the slips that wait, one after the other. */
  async accept(): Promise<void> {
    const question = this.open
    const printer = this.#till.state?.settings.printer
    if (question === null || printer?.destination.kind !== 'receipt-printer' || this.#busy) return
    this.#busy = true
    const { to, intentIds } = question
    await this.#till.set({ printer: { ...printer, destination: { ...printer.destination, connection: to } } })
    if (this.#isSavedAt(to)) {
      this.#asked = null
      // A slip that fails again is shown with its reason, as any other.
      for (const intentId of intentIds) await this.#ipc.invoke(() => this.#bridge.slips.print({ intentId }))
    }
    this.#busy = false
  }

  /** Closes the question. The next slip that does not reach the printer opens it again. */
  dismiss(): void {
    this.#asked = null
  }

  #isSavedAt(connection: MovedPrinter['from']): boolean {
    const destination = this.#till.state?.settings.printer.destination
    return (
      destination?.kind === 'receipt-printer' &&
      destination.connection.kind === 'network' &&
      connectionName(destination.connection) === connectionName(connection)
    )
  }
}
