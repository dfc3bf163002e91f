import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { AboutTill, Diagnostics } from '../../../electron/contract/diagnostics.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'

/** Saving diagnostics: where they went, once they are there. */
export class DiagnosticsExport {
  readonly #bridge: Bridge
  readonly #request: AsyncRequest
  #file = $state.raw<string | null>(null)

  constructor(bridge: Bridge, ipc: IpcClient) {
    this.#bridge = bridge
    this.#request = new AsyncRequest(ipc)
  }

  get request(): AsyncRequest {
    return this.#request
  }

  /** The file that was written last; null before, and when the dialog was closed. */
  get file(): string | null {
    return this.#file
  }

  async save(): Promise<void> {
    if (this.#request.running) return
    this.#file = null
    const saved = await this.#request.run(() => this.#bridge.diagnostics.save())
    this.#file = saved?.file ?? null
  }
}

/** What this till tells of itself, as it is read when it comes into sight. */
export class DiagnosticsData {
  readonly #bridge: Bridge
  readonly request: AsyncRequest
  #diagnostics = $state.raw<Diagnostics | null>(null)

  constructor(bridge: Bridge, ipc: IpcClient) {
    this.#bridge = bridge
    this.request = new AsyncRequest(ipc)
  }

  /** null until it was read. */
  get diagnostics(): Diagnostics | null {
    return this.#diagnostics
  }

  async read(): Promise<void> {
    this.#diagnostics = (await this.request.run(() => this.#bridge.diagnostics.read())) ?? this.#diagnostics
  }
}

/** What this till is made of, read when somebody wants to know. */
export class AboutInfo {
  readonly #bridge: Bridge
  readonly #request: AsyncRequest
  #till = $state.raw<AboutTill | null>(null)

  constructor(bridge: Bridge, ipc: IpcClient) {
    this.#bridge = bridge
    this.#request = new AsyncRequest(ipc)
  }

  /** null until it was read. */
  get till(): AboutTill | null {
    return this.#till
  }

  get request(): AsyncRequest {
    return this.#request
  }

  async read(): Promise<void> {
    this.#till = (await this.#request.run(() => this.#bridge.about.read())) ?? this.#till
  }
}
