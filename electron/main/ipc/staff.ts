/** Handlers of `bridge.staff`: the lock, the manager PIN and the cashiers. */
import type { StaffApi } from '../../contract/bridge.ts'
import { err, mapResult, ok, type Result } from '../../contract/failure.ts'
import type { Account } from '../../contract/loyalty.ts'
import type { TillState } from '../../contract/till.ts'
import { parseToken } from '../loyalty/credentials.ts'
import type { Credentials } from '../session/session.ts'
import type { Staff } from '../staff/staff.ts'
import type { AppState } from './app-state.ts'

export interface StaffHandlersDependencies {
  readonly appState: AppState
  readonly staff: Staff
  /** base URL of the connected business, or null */
  readonly baseUrl: () => string | null
  /** profile of the connected business; read from the service if it was never read */
  readonly business: () => Promise<Result<Account>>
  /** reads the account of a token (`GET /account`) */
  readonly readAccount: (credentials: Credentials) => Promise<Result<Account>>
}

export class StaffHandlers implements StaffApi {
  readonly #dependencies: StaffHandlersDependencies
  readonly #staff: Staff

  constructor(dependencies: StaffHandlersDependencies) {
    this.#dependencies = dependencies
    this.#staff = dependencies.staff
  }

  lock(): Promise<Result<TillState>> {
    this.#staff.lock()
    return this.#stateAfter(ok(null))
  }

  lockManager(): Promise<Result<TillState>> {
    this.#staff.lockManager()
    return this.#stateAfter(ok(null))
  }

  active(): Promise<Result<null>> {
    this.#staff.recordActivity()
    return Promise.resolve(ok(null))
  }

  async unlock(input: { cashierId: string; pin: string | null }): Promise<Result<TillState>> {
    return this.#stateAfter(await this.#staff.unlock(input))
  }

  async unlockManager(input: { pin: string }): Promise<Result<TillState>> {
    return this.#stateAfter(await this.#staff.unlockManager(input))
  }

  async setManagerPin(input: { current: string | null; pin: string | null }): Promise<Result<TillState>> {
    return this.#stateAfter(await this.#staff.setManagerPin(input))
  }

  async addCashier(input: { name: string; pin: string | null }): Promise<Result<TillState>> {
    return this.#stateAfter(await this.#staff.addCashier(input))
  }

  async changeCashier(input: { id: string; name?: string; pin?: string | null }): Promise<Result<TillState>> {
    return this.#stateAfter(await this.#staff.changeCashier(input))
  }

  removeCashier({ id }: { id: string }): Promise<Result<TillState>> {
    return this.#stateAfter(this.#staff.removeCashier(id))
  }

  async reset({ token }: { token: string | null }): Promise<Result<TillState>> {
    const owner = await this.#verifyOwner(token)
    if (!owner.ok) return owner
    this.#staff.resetManagerPin()
    return this.#stateAfter(owner)
  }

  #stateAfter(result: Result<null>): Promise<Result<TillState>> {
    return Promise.resolve(mapResult(result, () => this.#dependencies.appState.state()))
  }

  /** Succeeds for a token of the connected business, and without a connected business for any. */
  async #verifyOwner(token: string | null): Promise<Result<null>> {
    const { baseUrl, business, readAccount } = this.#dependencies
    const connectedUrl = baseUrl()
    if (connectedUrl === null) return ok(null)
    const parsedToken = parseToken(token ?? '')
    if (!parsedToken.ok) return parsedToken
    const account = await readAccount({ baseUrl: connectedUrl, token: parsedToken.value })
    if (!account.ok) return account
    const connected = await business()
    if (!connected.ok) return connected
    return account.value.id === connected.value.id ? ok(null) : err({ kind: 'other-business' })
  }
}
