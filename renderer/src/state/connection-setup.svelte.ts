import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Business } from '../../../electron/contract/till.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'
import type { Till } from './till.svelte.ts'

/**
 * Connecting a business: enter URL and token, check whose token it is, save. The page drops the token once it was
 * accepted: from then on only the main process has it.
 */
export class ConnectionSetup {
  readonly #bridge: Bridge
  readonly #till: Till
  readonly checking: AsyncRequest
  readonly saving: AsyncRequest
  /** whether the URL is known and only the token is asked for */
  readonly isAddressFixed: boolean
  baseUrl = $state('')
  token = $state('')
  /** the manager's consent to store the token unencrypted */
  acceptUnencrypted = $state(false)
  /** The business that the token belongs to, once checked; null before, and after `back`. */
  business = $state.raw<Business | null>(null)
  /** Whether this machine cannot encrypt the token, so that the manager's consent is needed. */
  needsAcceptance = $state(false)

  /** `baseUrl` is the URL to keep, or null to ask for one. */
  constructor(bridge: Bridge, ipc: IpcClient, till: Till, baseUrl: string | null = null) {
    this.#bridge = bridge
    this.#till = till
    this.checking = new AsyncRequest(ipc)
    this.saving = new AsyncRequest(ipc)
    this.isAddressFixed = baseUrl !== null
    this.baseUrl = baseUrl ?? ''
  }

  async check(): Promise<void> {
    if (this.checking.running) return
    const credentials = this.#typed
    if (credentials.baseUrl === '') {
      this.checking.fail({ kind: 'invalid-input', field: 'base-url', fault: 'missing' })
    } else if (credentials.token === '') {
      this.checking.fail({ kind: 'invalid-input', field: 'token', fault: 'missing' })
    } else {
      const business = await this.checking.run(() => this.#bridge.connection.check(credentials))
      // What was typed meanwhile is not what was checked: it is checked next.
      const isTyped = JSON.stringify(this.#typed) === JSON.stringify(credentials)
      this.business = isTyped ? (business ?? null) : null
      if (this.business !== null) this.token = ''
    }
  }

  get #typed(): { readonly baseUrl: string; readonly token: string } {
    return { baseUrl: this.baseUrl.trim(), token: this.token.trim() }
  }

  /** Returns to the fields. The URL is kept, the token is typed again. */
  back(): void {
    this.saving.reset()
    this.business = null
    this.needsAcceptance = false
    this.acceptUnencrypted = false
  }

  /** Stores the checked connection. Resolves with whether the till is connected. */
  async save(): Promise<boolean> {
    if (this.saving.running) return false
    const { acceptUnencrypted } = this
    const state = await this.saving.run(() => this.#bridge.connection.save({ acceptUnencrypted }))
    if (this.saving.failure?.kind === 'no-encryption') this.needsAcceptance = true
    if (!state) return false
    this.#till.accept(state)
    return true
  }
}
