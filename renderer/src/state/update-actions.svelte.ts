import type { Bridge } from '../../../electron/contract/bridge.ts'
import { parseFeedUrl, type InstallObstacle } from '../../../electron/contract/updates.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'
import type { Till } from './till.svelte.ts'

/** The user's actions on updates. The progress of an update is part of the till's state. */
export class UpdateActions {
  readonly #bridge: Bridge
  readonly #till: Till
  readonly #serving: () => boolean
  readonly request: AsyncRequest
  #obstacle = $state<InstallObstacle | null>(null)
  #postponed = $state<string | null>(null)

  /** `serving` returns whether a customer is being served. */
  constructor(bridge: Bridge, ipc: IpcClient, till: Till, serving: () => boolean) {
    this.#bridge = bridge
    this.#till = till
    this.#serving = serving
    this.request = new AsyncRequest(ipc)
  }

  /** Why the last installation was refused; `customer` only while one is served. */
  get obstacle(): InstallObstacle | null {
    return this.#obstacle === 'customer' && !this.#serving() ? null : this.#obstacle
  }

  /** The version that is ready to install and was not postponed; null if there is none. */
  get waiting(): string | null {
    const update = this.#till.state?.update
    return update?.kind === 'ready' && update.version !== this.#postponed ? update.version : null
  }

  /** Checks for updates now. */
  async check(): Promise<void> {
    await this.request.run(() => this.#bridge.updates.check())
  }

  /** Restarts to install the update, unless something is in progress. */
  async install(): Promise<void> {
    this.#obstacle = null
    const result = await this.request.run(() => this.#bridge.updates.install({ serving: this.#serving() }))
    this.#obstacle = result?.kind === 'wait' ? result.for : null
  }

  /** Hides the update until a newer one is ready or the till restarts. */
  postpone(): void {
    this.#postponed = this.waiting
    this.#obstacle = null
  }

  /** Saves the update server and checks it. null restores the default. */
  async saveFeed(feed: string | null): Promise<void> {
    const isSaved = await this.#till.set({ updates: { feed } })
    if (isSaved && this.#till.state?.update.kind !== 'off') await this.check()
  }
}

/** Parses a typed update server: null for an empty text (the default server), undefined for an invalid URL. */
export function typedFeed(text: string): string | null | undefined {
  return text.trim() === '' ? null : (parseFeedUrl(text) ?? undefined)
}
