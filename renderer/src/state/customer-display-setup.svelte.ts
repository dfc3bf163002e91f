import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { CustomerDisplayView, CustomerScreen } from '../../../electron/contract/customer-display.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'

/** The screens of this machine, and what customers would see there: for the settings. */
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

  /** Where the display may be: not where the till is. null until main has answered. */
  get possible(): readonly CustomerScreen[] | null {
    return this.#list?.filter(({ tillIsHere }) => !tillIsHere) ?? null
  }

  /** What customers see: nobody served, a customer, points handed over. */
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
   * Reads both, and anew with each state that main tells: screens come and go, and the previews follow the settings.
   * Gives what ends the following.
   */
  start(): () => void {
    void this.#look()
    return this.#bridge.onState(() => void this.#look())
  }

  /** Shows each screen's number on it. */
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
