import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { CustomerDisplayView, CustomerScreen } from '../../../electron/contract/customer-display.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'

/** The displays of this machine and previews of the customer display, for the settings. */
export class CustomerDisplaySetup {
  readonly #bridge: Bridge
  readonly reading: AsyncRequest
  readonly #readingPreviews: AsyncRequest
  readonly showing: AsyncRequest
  #screens = $state.raw<readonly CustomerScreen[] | null>(null)
  /** Previews: idle, a customer, and points that were issued. */
  previews = $state.raw<readonly CustomerDisplayView[]>([])

  constructor(bridge: Bridge, ipc: IpcClient) {
    this.#bridge = bridge
    this.reading = new AsyncRequest(ipc)
    this.#readingPreviews = new AsyncRequest(ipc)
    this.showing = new AsyncRequest(ipc)
  }

  /** The displays that can show the customer display: all but the till's own. null until the first read. */
  get available(): readonly CustomerScreen[] | null {
    return this.#screens?.filter(({ tillIsHere }) => !tillIsHere) ?? null
  }

  /**
   * Reads the displays and the previews, and again with each state of the till: displays come and go, and previews follow
   * the settings. Returns a function that stops.
   */
  start(): () => void {
    void this.#read()
    return this.#bridge.onState(() => void this.#read())
  }

  /** Shows its number on each display. */
  async showNumbers(): Promise<void> {
    await this.showing.run(() => this.#bridge.customerDisplay.showNumbers())
  }

  async #read(): Promise<void> {
    const { customerDisplay } = this.#bridge
    const [screens, previews] = await Promise.all([
      this.reading.run(() => customerDisplay.screens()),
      this.#readingPreviews.run(() => customerDisplay.previews())
    ])
    this.#screens = screens ?? this.#screens
    this.previews = previews ?? this.previews
  }
}
