import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Result } from '../../../electron/contract/failure.ts'
import type { Extension } from '../../../electron/contract/extensions.ts'
import { ownRule, type EarningRule } from '../../../electron/contract/points-calculation.ts'
import { outputOf, type Output } from '../../../electron/contract/printing.ts'
import type { PolicyName, TillSettings } from '../../../electron/contract/settings.ts'
import type { TillState } from '../../../electron/contract/till.ts'
import { m } from '../i18n/messages.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'

/** Some settings to save, or what computes them from the saved ones. */
type SettingsChange = Partial<TillSettings> | ((saved: TillSettings) => Partial<TillSettings>)

/** The state of the till, kept up to date with the main process. */
export class Till {
  readonly #bridge: Bridge
  /** the last change of the state */
  readonly request: AsyncRequest
  /** the last attempt to reach the service at once */
  readonly connectionRetry: AsyncRequest
  #state = $state.raw<TillState | null>(null)
  /** A number that changes with `TillState.owner`: everything that was loaded before belongs to the previous one. */
  identity = $state(0)
  /** the change of the settings that is being saved */
  #saving: Promise<unknown> | null = null

  constructor(bridge: Bridge, ipc: IpcClient) {
    this.#bridge = bridge
    this.request = new AsyncRequest(ipc)
    this.connectionRetry = new AsyncRequest(ipc)
  }

  /** null until the first response. */
  get state(): TillState | null {
    return this.#state
  }

  /** The time zone of the business, an IANA name; undefined until its profile was read. */
  get timeZone(): string | undefined {
    return this.#state?.business?.timeZone
  }

  /** What bills earn with now, by the shop's rules or by the settings; null: the points are typed. */
  get earningRule(): EarningRule | null {
    const rule = this.#state?.settings.pointsRule
    return this.#state?.shopRule ?? (rule ? ownRule(rule) : null)
  }

  /** Where printouts go by the settings. */
  get output(): Output {
    return this.#state === null ? 'printer' : outputOf(this.#state.settings.printer.destination)
  }

  /** Returns who has locked a setting, as a phrase; null where the till may change it. */
  lockOf(name: PolicyName): string | null {
    const managed = this.#state?.managed
    if (managed?.locked.includes(name) !== true) return null
    return managed.managedBy === '' ? m.lockedByAdministrator() : m.lockedBy({ name: managed.managedBy })
  }

  /** Whether the service offers an extension. Known offline, too: from the profile that was read last. */
  offers(extension: Extension): boolean {
    return this.#state?.business?.extensions.includes(extension) ?? false
  }

  /** Whether the service answers, as far as is known. */
  get online(): boolean {
    return this.#state !== null && this.#state.offlineSince === null
  }

  /** Reads the state and follows it. Returns a function that stops. */
  start(): () => void {
    const stop = this.#bridge.onState((state) => {
      this.accept(state)
    })
    void this.#change(() => this.#bridge.till.state())
    return stop
  }

  /** Starts training mode, with sample data instead of the service. */
  startTraining(): Promise<boolean> {
    return this.#change(() => this.#bridge.till.startTraining())
  }

  leaveTraining(): Promise<boolean> {
    return this.#change(() => this.#bridge.till.leaveTraining())
  }

  /**
   * Saves some settings, after the changes before it. A part of a setting is changed with a function: another part may be
   * saved meanwhile. Resolves with whether they were saved.
   */
  async set(change: SettingsChange): Promise<boolean> {
    while (this.#saving) await this.#saving
    const settings = this.#state?.settings
    if (!settings) return false
    const saving = this.#change(() =>
      this.#bridge.till.set(typeof change === 'function' ? change(settings) : change)
    )
    this.#saving = saving
    const isSaved = await saving
    this.#saving = null
    return isSaved
  }

  dismissNotice(kind: string): Promise<boolean> {
    return this.#change(() => this.#bridge.till.dismissNotice({ kind }))
  }

  /** Disconnects the business and deletes its token. */
  forget(): Promise<boolean> {
    return this.#change(() => this.#bridge.connection.forget())
  }

  /** Reads the business's profile again. */
  refresh(): Promise<boolean> {
    return this.#change(() => this.#bridge.connection.refresh())
  }

  /** Tries to reach the service now. The outcome is part of the state. */
  async retryConnection(): Promise<void> {
    if (this.connectionRetry.running) return
    const state = await this.connectionRetry.run(() => this.#bridge.connection.retryConnection())
    if (state) this.accept(state)
  }

  /** Takes over a state from a response or an event. */
  accept(state: TillState): void {
    const isAnother = this.#state?.owner !== state.owner
    this.#state = state
    if (isAnother) this.identity++
  }

  /** Reads everything of the business again: what the screens show may name a customer who was forgotten. */
  reload(): void {
    this.identity++
  }

  /** Accepts the answer even if a later change superseded it in `request`. Resolves with whether it succeeded. */
  async #change(call: () => Promise<Result<TillState>>): Promise<boolean> {
    let isDone = false
    await this.request.run(async () => {
      const answer = await call()
      if (answer.ok) this.accept(answer.value)
      isDone = answer.ok
      return answer
    })
    return isDone
  }
}
