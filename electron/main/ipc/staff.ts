/** Handlers of `bridge.staff`: the lock, the manager PIN and the cashiers. */
import type { Api } from '../../contract/bridge.ts'
import { pairingCodeIn } from '../../contract/pairing-code.ts'
import { err, mapResult, ok, type Result } from '../../contract/failure.ts'
import type { TillState } from '../../contract/till.ts'
import { parseToken } from '../loyalty/credentials.ts'
import { PAIRING_CODE_UNKNOWN, type PairingClient } from '../session/pairing-client.ts'
import type { ServiceConnector } from '../session/service-connector.ts'
import type { Session } from '../session/session.ts'
import type { Settings } from '../settings/index.ts'
import type { Staff } from '../staff/staff.ts'
import type { AppState } from './app-state.ts'

export interface StaffHandlersDependencies {
  readonly appState: AppState
  readonly staff: Staff
  /** has the connected business, in every mode */
  readonly settings: Pick<Settings, 'values'>
  readonly session: Pick<Session, 'refresh'>
  readonly connector: Pick<ServiceConnector, 'connect'>
  readonly pairing: Pick<PairingClient, 'confirm'>
  /** makes ready what prints: a person is at the till */
  readonly slipServices: { expectSlip(): void }
}

export class StaffHandlers implements Api<'staff'> {
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
    this.#dependencies.slipServices.expectSlip()
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

  /** Succeeds for a token or a pairing code of the connected business, and without a connected business for any. */
  async #verifyOwner(typed: string | null): Promise<Result<null>> {
    const { settings, session, pairing } = this.#dependencies
    const { baseUrl, business } = settings.values
    if (baseUrl === null) return ok(null)
    const code = pairingCodeIn(typed ?? '')
    if (code === null) return this.#verifyToken(baseUrl, typed ?? '')
    // A till that was provisioned without a network has not read the profile yet.
    const connected = business ? ok(business) : await session.refresh()
    if (!connected.ok) return connected
    const confirmed = await pairing.confirm(baseUrl, code, connected.value.id)
    if (confirmed.ok || confirmed.failure.kind !== 'not-found') return confirmed
    // What looks like a code may be the token of a service that has no pairing.
    const verified = await this.#verifyToken(baseUrl, typed ?? '')
    return verified.ok || verified.failure.kind === 'other-business' ? verified : err(PAIRING_CODE_UNKNOWN)
  }

  async #verifyToken(baseUrl: string, typed: string): Promise<Result<null>> {
    const { settings, session, connector } = this.#dependencies
    const token = parseToken(typed)
    if (!token.ok) return token
    const account = await connector.connect({ baseUrl, token: token.value }).account()
    if (!account.ok) return account
    const { business } = settings.values
    const connected = business ? ok(business) : await session.refresh()
    if (!connected.ok) return connected
    return account.value.id === connected.value.id ? ok(null) : err({ kind: 'other-business' })
  }
}
