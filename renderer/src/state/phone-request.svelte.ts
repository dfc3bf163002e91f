import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { PhoneEntryEnd } from '../../../electron/contract/customer-display.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'

/**
 * Lets the customer type the phone of a form on the customer display. The digits appear in the field as they are typed, so
 * that the cashier can help, and can go on typing at any time. Only Done replaces a phone that stood there before.
 */
export class PhoneRequest {
  readonly #bridge: Bridge
  readonly #ipc: IpcClient
  readonly #asking: AsyncRequest
  readonly #form: { phone: string }
  /** the phone of the form when the customer was asked */
  #before = ''
  /** whether the customer is typing */
  isTyping = $state(false)
  /** how it ended last, until the cashier types or asks again */
  end = $state<PhoneEntryEnd | null>(null)

  constructor(bridge: Bridge, ipc: IpcClient, form: { phone: string }) {
    this.#bridge = bridge
    this.#ipc = ipc
    this.#asking = new AsyncRequest(ipc)
    this.#form = form
  }

  /** Follows what the customer types while the form is shown. Returns a function that ends it. */
  start(): () => void {
    const stopEvents = this.#bridge.onTypedPhone(({ text, end }) => {
      if (!this.isTyping) return
      if (end === null || end === 'done') this.#form.phone = text
      if (end !== null) this.#finish(end)
    })
    return () => {
      this.stop()
      stopEvents()
    }
  }

  /** Asks the customer. */
  async ask(): Promise<void> {
    this.#before = this.#form.phone
    this.#form.phone = ''
    this.isTyping = true
    this.end = null
    const asked = await this.#asking.run(() => this.#bridge.customerDisplay.askForPhone())
    if (asked === undefined && this.#asking.failure) this.#finish('closed')
  }

  /** Stops the customer. */
  stop(): void {
    if (!this.isTyping) return
    this.#finish('stopped')
    void this.#ipc.invoke(() => this.#bridge.customerDisplay.stopAskingForPhone())
  }

  /** Call when the cashier typed in the field: goes on from what stands there. */
  takeOver(): void {
    this.#before = ''
    this.end = null
    this.stop()
  }

  #finish(end: PhoneEntryEnd): void {
    if (!this.isTyping) return
    this.#asking.reset()
    this.isTyping = false
    this.end = end
    if (end === 'cancelled') this.#form.phone = this.#before
    else if (end !== 'done' && this.#before !== '') this.#form.phone = this.#before
  }
}
