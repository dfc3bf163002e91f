import type { Bridge } from '../../../electron/contract/bridge.ts'
import type {
  CustomerReference,
  ForgettingProgress,
  ForgettingResult
} from '../../../electron/contract/privacy.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'

/** Forgets a customer. */
export class CustomerForgetting {
  readonly #bridge: Bridge
  readonly request: AsyncRequest
  /** null before the first step. */
  progress = $state.raw<ForgettingProgress | null>(null)
  /** null until it ended. */
  result = $state.raw<ForgettingResult | null>(null)

  constructor(bridge: Bridge, ipc: IpcClient) {
    this.#bridge = bridge
    this.request = new AsyncRequest(ipc)
  }

  async forget({ id, name }: CustomerReference): Promise<void> {
    if (this.request.running) return
    this.progress = null
    this.result = null
    const stop = this.#bridge.onForgettingProgress((progress) => {
      this.progress = progress
    })
    const result = await this.request.run(() => this.#bridge.privacy.forgetCustomer({ id, name }))
    stop()
    this.result = result ?? null
  }

  /** Resets the outcome, before the next confirmation. */
  reset(): void {
    this.progress = null
    this.result = null
    this.request.reset()
  }
}
