import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { InstallObstacle } from '../../../electron/contract/updates.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'
import type { Till } from './till.svelte.ts'

/** What somebody in front of the till does about updates. How far one has come is in the till's state. */
export class UpdateActions {
  readonly #bridge: Bridge
  readonly #till: Till
  readonly #serving: () => boolean
  readonly #request: AsyncRequest
  #obstacle = $state<InstallObstacle | null>(null)
  #putOff = $state<string | null>(null)

  /** `serving`: whether a customer is being served on the screen */
  constructor(bridge: Bridge, ipc: IpcClient, till: Till, serving: () => boolean) {
    this.#bridge = bridge
    this.#till = till
    this.#serving = serving
    this.#request = new AsyncRequest(ipc)
  }

  get request(): AsyncRequest {
    return this.#request
  }

  /** What the last press of Restart and update would have disturbed; a customer only as long as one is served. */
  get obstacle(): InstallObstacle | null {
    return this.#obstacle === 'customer' && !this.#serving() ? null : this.#obstacle
  }

  /** The version that waits and that nobody has said Later to. */
  get waiting(): string | null {
    const update = this.#till.state?.update
    return update?.kind === 'ready' && update.version !== this.#putOff ? update.version : null
  }

  /** Looks for an update now. */
  async look(): Promise<void> {
    await this.#request.run(() => this.#bridge.updates.check())
  }

  /** Restarts into the update, unless that would disturb somebody. */
  async install(): Promise<void> {
    this.#obstacle = null
    const came = await this.#request.run(() => this.#bridge.updates.install({ serving: this.#serving() }))
    this.#obstacle = came?.kind === 'wait' ? came.for : null
  }

  /** Says no more of the update that waits, until a newer one comes or the till is opened again. */
  later(): void {
    this.#putOff = this.waiting
    this.#obstacle = null
  }

  /** Keeps where updates come from, null for where this installation was made to look, and looks there. */
  async keepFeed(feed: string | null): Promise<void> {
    await this.#till.set({ updates: { feed } })
    if (this.#till.state?.update.kind !== 'off') await this.look()
  }
}
