import type { Bridge } from '../../../electron/contract/bridge.ts'
import type {
  CustomerReference,
  ForgettingProgress,
  ForgettingResult
} from '../../../electron/contract/privacy.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'

/** Saves what the till holds of a customer, and forgets the customer. */
export class CustomerPrivacy {
  readonly #bridge: Bridge
  readonly exporting: AsyncRequest
  readonly forgetting: AsyncRequest
  /** The path of the file that was written last; null before, and if the dialog was cancelled. */
  file = $state.raw<string | null>(null)
  /** null before the first step. */
  progress = $state.raw<ForgettingProgress | null>(null)
  /** null until it ended. */
  result = $state.raw<ForgettingResult | null>(null)

  constructor(bridge: Bridge, ipc: IpcClient) {
    this.#bridge = bridge
    this.exporting = new AsyncRequest(ipc)
    this.forgetting = new AsyncRequest(ipc)
  }

  async export({ id, name }: CustomerReference): Promise<void> {
    if (this.exporting.running) return
    this.file = null
    const saved = await this.exporting.run(() => this.#bridge.privacy.exportCustomer({ id, name }))
    this.file = saved?.file ?? null
  }

  async forget({ id, name }: CustomerReference): Promise<void> {
    if (this.forgetting.running) return
    this.progress = null
    this.result = null
    const stop = this.#bridge.onForgettingProgress((progress) => {
      this.progress = progress
    })
    const result = await this.forgetting.run(() => this.#bridge.privacy.forgetCustomer({ id, name }))
    stop()
    this.result = result ?? null
  }

  /** Resets the outcome, before the next confirmation. */
  reset(): void {
    this.progress = null
    this.result = null
    this.forgetting.reset()
  }
}
