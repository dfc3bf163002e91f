import type { Bridge } from '../../../electron/contract/bridge.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'

/** The slip without a code that a customer gets of one operation. */
export class OperationSlip {
  readonly #bridge: Bridge
  readonly request: AsyncRequest

  constructor(bridge: Bridge, ipc: IpcClient) {
    this.#bridge = bridge
    this.request = new AsyncRequest(ipc)
  }

  /** Prints it, or saves it to the folder; does nothing while it is being printed. */
  async print(intentId: string): Promise<void> {
    if (this.request.running) return
    await this.request.run(() => this.#bridge.operations.print({ intentId }))
  }
}
