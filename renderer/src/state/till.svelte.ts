import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Result } from '../../../electron/contract/failure.ts'
import type { TillSettings } from '../../../electron/contract/settings.ts'
import type { TillState } from '../../../electron/contract/till.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'

/** How the till stands, kept in step with main. */
export class Till {
  readonly #bridge: Bridge
  readonly #request: AsyncRequest
  readonly #trying: AsyncRequest
  #state = $state.raw<TillState | null>(null)
  #identity = $state(0)
  #businessId: string | null = null

  constructor(bridge: Bridge, ipc: IpcClient) {
    this.#bridge = bridge
    this.#request = new AsyncRequest(ipc)
    this.#trying = new AsyncRequest(ipc)
  }

  /** null until main has answered for the first time. */
  get state(): TillState | null {
    return this.#state
  }

  /**
   * Changes when the till begins to serve somebody else (another business, training, another address): everything
   * that was read before belongs to the one before.
   */
  get identity(): number {
    return this.#identity
  }

  get timeZone(): string | undefined {
    return this.#state?.business?.timeZone
  }

  /** What the last change or question to main came to. */
  get request(): AsyncRequest {
    return this.#request
  }

  /** Reads the state and follows it. Gives what ends the following. */
  start(): () => void {
    const stop = this.#bridge.onState((state) => {
      this.accept(state)
    })
    void this.#change(() => this.#bridge.till.state())
    return stop
  }

  startTraining(): Promise<void> {
    return this.#change(() => this.#bridge.till.startTraining())
  }

  leaveTraining(): Promise<void> {
    return this.#change(() => this.#bridge.till.leaveTraining())
  }

  set(change: Partial<TillSettings>): Promise<void> {
    return this.#change(() => this.#bridge.till.set(change))
  }

  dismissNotice(index: number): Promise<void> {
    return this.#change(() => this.#bridge.till.dismissNotice({ index }))
  }

  forget(): Promise<void> {
    return this.#change(() => this.#bridge.connection.forget())
  }

  refresh(): Promise<void> {
    return this.#change(() => this.#bridge.connection.refresh())
  }

  /** Whether the service is being asked, out of turn, if it answers. */
  get trying(): AsyncRequest {
    return this.#trying
  }

  /** Asks the service now whether it answers; what comes of it shows in the state. */
  async retryConnection(): Promise<void> {
    if (this.#trying.running) return
    const state = await this.#trying.run(() => this.#bridge.connection.retryConnection())
    if (state) this.accept(state)
  }

  /** Takes over a state that came with an answer or an event. */
  accept(state: TillState): void {
    const before = this.#state
    const businessId = state.business?.id ?? null
    const another =
      before?.mode !== state.mode ||
      before.baseUrl !== state.baseUrl ||
      // A profile that is read for the first time, or could not be read, is no other business.
      (businessId !== null && this.#businessId !== null && businessId !== this.#businessId)
    if (another) this.#businessId = null
    this.#businessId = businessId ?? this.#businessId
    this.#state = state
    if (another) this.#identity++
  }

  async #change(call: () => Promise<Result<TillState>>): Promise<void> {
    const state = await this.#request.run(call)
    if (state) this.accept(state)
  }
}
