import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Business } from '../../../electron/contract/till.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'
import type { Till } from './till.svelte.ts'

/**
 * Connecting a business: type the pair, see whose token it is, save. The token leaves the page once it was accepted;
 * main holds it from then on.
 */
export class ConnectionSetup {
  readonly #bridge: Bridge
  readonly #till: Till
  readonly #checking: AsyncRequest
  readonly #saving: AsyncRequest
  /** whether the address is already known and only the token is asked for */
  readonly keepsAddress: boolean
  baseUrl = $state('')
  token = $state('')
  /** the manager's word that the token may be kept unencrypted, given once */
  acceptUnencrypted = $state(false)
  #business = $state.raw<Business | null>(null)
  #needsAcceptance = $state(false)

  /** `baseUrl` is the address to keep, or null to ask for one. */
  constructor(bridge: Bridge, ipc: IpcClient, till: Till, baseUrl: string | null = null) {
    this.#bridge = bridge
    this.#till = till
    this.#checking = new AsyncRequest(ipc)
    this.#saving = new AsyncRequest(ipc)
    this.keepsAddress = baseUrl !== null
    this.baseUrl = baseUrl ?? ''
  }

  get checking(): AsyncRequest {
    return this.#checking
  }

  get saving(): AsyncRequest {
    return this.#saving
  }

  /** Whose token it is, once checked; null before, and after going back. */
  get business(): Business | null {
    return this.#business
  }

  /** Whether this machine has no encryption to keep the token with. */
  get needsAcceptance(): boolean {
    return this.#needsAcceptance
  }

  async check(): Promise<void> {
    if (this.#checking.running) return
    const pair = { baseUrl: this.baseUrl.trim(), token: this.token.trim() }
    if (pair.baseUrl === '') {
      this.#checking.fail({ kind: 'invalid-input', field: 'base-url', fault: 'missing' })
    } else if (pair.token === '') {
      this.#checking.fail({ kind: 'invalid-input', field: 'token', fault: 'missing' })
    } else {
      this.#business = (await this.#checking.run(() => this.#bridge.connection.check(pair))) ?? null
      if (this.#business !== null) this.token = ''
    }
  }

  /** Back to the fields: the address is still there, the token is typed anew. */
  back(): void {
    this.#saving.reset()
    this.#business = null
    this.#needsAcceptance = false
    this.acceptUnencrypted = false
  }

  /** Stores the checked pair. Gives whether the till is connected now. */
  async save(): Promise<boolean> {
    if (this.#saving.running) return false
    const { acceptUnencrypted } = this
    const state = await this.#saving.run(() => this.#bridge.connection.save({ acceptUnencrypted }))
    if (this.#saving.failure?.kind === 'no-encryption') this.#needsAcceptance = true
    if (!state) return false
    this.#till.accept(state)
    return true
  }
}
