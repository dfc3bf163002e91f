import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { AboutTill, Diagnostics } from '../../../electron/contract/diagnostics.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'

/** Saves a diagnostics file. */
export class DiagnosticsExport {
  readonly #bridge: Bridge
  readonly request: AsyncRequest
  /** The path of the file that was written last; null before, and if the dialog was cancelled. */
  file = $state.raw<string | null>(null)

  constructor(bridge: Bridge, ipc: IpcClient) {
    this.#bridge = bridge
    this.request = new AsyncRequest(ipc)
  }

  async save(): Promise<void> {
    if (this.request.running) return
    this.file = null
    const saved = await this.request.run(() => this.#bridge.diagnostics.save())
    this.file = saved?.file ?? null
  }
}

/** The diagnostics of this till. */
export class DiagnosticsData {
  readonly #bridge: Bridge
  readonly request: AsyncRequest
  /** null until the first read. */
  diagnostics = $state.raw<Diagnostics | null>(null)

  constructor(bridge: Bridge, ipc: IpcClient) {
    this.#bridge = bridge
    this.request = new AsyncRequest(ipc)
  }

  async read(): Promise<void> {
    this.diagnostics = (await this.request.run(() => this.#bridge.diagnostics.read())) ?? this.diagnostics
  }
}

/** Version, licences and technical details of this till. */
export class AboutInfo {
  readonly #bridge: Bridge
  readonly request: AsyncRequest
  /** null until the first read. */
  till = $state.raw<AboutTill | null>(null)

  constructor(bridge: Bridge, ipc: IpcClient) {
    this.#bridge = bridge
    this.request = new AsyncRequest(ipc)
  }

  async read(): Promise<void> {
    this.till = (await this.request.run(() => this.#bridge.about.read())) ?? this.till
  }
}
