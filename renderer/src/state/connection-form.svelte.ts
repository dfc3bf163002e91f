import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Business } from '../../../electron/contract/till.ts'
import type { Answers } from './answers.svelte.ts'
import { Asking } from './asking.svelte.ts'
import type { Till } from './till.svelte.ts'

/**
 * Connecting a business: type the pair, see whose token it is, save. The token leaves the page once it was accepted;
 * main holds it from then on.
 */
export class ConnectionFormState {
  readonly #bridge: Bridge
  readonly #till: Till
  readonly #checking: Asking
  readonly #saving: Asking
  /** whether the address is already known and only the token is asked for */
  readonly keepsAddress: boolean
  baseUrl = $state('')
  token = $state('')
  /** the manager's word that the token may be kept unencrypted, given once */
  acceptUnencrypted = $state(false)
  #business = $state.raw<Business | null>(null)
  #needsAcceptance = $state(false)

  /** `baseUrl` is the address to keep, or null to ask for one. */
  constructor(bridge: Bridge, answers: Answers, till: Till, baseUrl: string | null = null) {
    this.#bridge = bridge
    this.#till = till
    this.#checking = new Asking(answers.hear)
    this.#saving = new Asking(answers.hear)
    this.keepsAddress = baseUrl !== null
    this.baseUrl = baseUrl ?? ''
  }

  get checking(): Asking {
    return this.#checking
  }

  get saving(): Asking {
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
      this.#checking.refuse({ kind: 'invalid-input', field: 'base-url', fault: 'missing' })
    } else if (pair.token === '') {
      this.#checking.refuse({ kind: 'invalid-input', field: 'token', fault: 'missing' })
    } else {
      this.#business = (await this.#checking.ask(() => this.#bridge.connection.check(pair))) ?? null
      if (this.#business !== null) this.token = ''
    }
  }

  /** Back to the fields: the address is still there, the token is typed anew. */
  back(): void {
    this.#saving.drop()
    this.#business = null
    this.#needsAcceptance = false
    this.acceptUnencrypted = false
  }

  /** Stores the checked pair. Gives whether the till is connected now. */
  async save(): Promise<boolean> {
    if (this.#saving.running) return false
    const { acceptUnencrypted } = this
    const state = await this.#saving.ask(() => this.#bridge.connection.save({ acceptUnencrypted }))
    if (this.#saving.failure?.kind === 'no-encryption') this.#needsAcceptance = true
    if (!state) return false
    this.#till.accept(state)
    return true
  }
}
