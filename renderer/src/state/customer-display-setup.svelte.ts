import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { CustomerDisplayView, CustomerScreen } from '../../../electron/contract/customer-display.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'

/** The displays of this machine and previews of the customer display, for the settings. */
export class CustomerDisplaySetup {
  readonly #bridge: Bridge
  readonly #looking: AsyncRequest
  readonly #drawing: AsyncRequest
  readonly #showing: AsyncRequest
  #list = $state.raw<readonly CustomerScreen[] | null>(null)
  #previews = $state.raw<readonly CustomerDisplayView[]>([])

  constructor(bridge: Bridge, ipc: IpcClient) {
    this.#bridge = bridge
    this.#looking = new AsyncRequest(ipc)
    this.#drawing = new AsyncRequest(ipc)
    this.#showing = new AsyncRequest(ipc)
  }

  /** The displays that can show the customer display: all but the till's own. null until the first read. */
  get possible(): readonly CustomerScreen[] | null {
    return this.#list?.filter(({ tillIsHere }) => !tillIsHere) ?? null
  }

  /** Previews: idle, a customer, and points that were issued. */
  get previews(): readonly CustomerDisplayView[] {
    return this.#previews
  }

  get looking(): AsyncRequest {
    return this.#looking
  }

  get showing(): AsyncRequest {
    return this.#showing
  }

  /**
   * Reads both, and again with each state of the till: displays come and go, and previews follow the settings.
   * Returns a function that stops.
   */
  start(): () => void {
    void this.#look()
    return this.#bridge.onState(() => void this.#look())
  }

  /** Shows its number on each display. */
  async showNumbers(): Promise<void> {
    await this.#showing.run(() => this.#bridge.customerDisplay.showNumbers())
  }

  async #look(): Promise<void> {
    const { customerDisplay } = this.#bridge
    const [screens, previews] = await Promise.all([
      this.#looking.run(() => customerDisplay.screens()),
      this.#drawing.run(() => customerDisplay.previews())
    ])
    this.#list = screens ?? this.#list
    this.#previews = previews ?? this.#previews
  }
}
