/** Handlers of `bridge.staff`: the lock, the manager PIN and the cashiers. */
import type { Handlers } from '../../contract/bridge.ts'
import { pairingCodeIn } from '../../contract/pairing-code.ts'
import { err, mapResult, ok, type Result } from '../../contract/failure.ts'
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
  readonly session: Pick<Session, 'refresh' | 'connectedBusinessId'>
  readonly connector: Pick<ServiceConnector, 'connect'>
  readonly pairing: Pick<PairingClient, 'confirm'>
  /** makes ready what prints: a person is at the till; has the service forget cashiers who were removed */
  readonly slipServices: { expectSlip(): void; forgetCashiers(): void }
}

/** Succeeds for a token or a pairing code of the connected business, and without a connected business for any. */
async function verifyOwner(
  { settings, session, connector, pairing }: StaffHandlersDependencies,
  typed: string | null
): Promise<Result<null>> {
  const { baseUrl, business } = settings.values
  if (baseUrl === null) return ok(null)
  const code = pairingCodeIn(typed ?? '')
  if (code === null) return verifyToken({ settings, session, connector }, baseUrl, typed ?? '')
  // A till that was provisioned without a network has not read the profile yet.
  const connected = business ? ok(business) : await session.refresh()
  if (!connected.ok) return connected
  const confirmed = await pairing.confirm(baseUrl, code, connected.value.id)
  if (confirmed.ok || confirmed.failure.kind !== 'not-found') return confirmed
  // What looks like a code may be the token of a service that has no pairing.
  const verified = await verifyToken({ settings, session, connector }, baseUrl, typed ?? '')
  return verified.ok || verified.failure.kind === 'other-business' ? verified : err(PAIRING_CODE_UNKNOWN)
}

async function verifyToken(
  { settings, session, connector }: Pick<StaffHandlersDependencies, 'settings' | 'session' | 'connector'>,
  baseUrl: string,
  typed: string
): Promise<Result<null>> {
  const token = parseToken(typed)
  if (!token.ok) return token
  const account = await connector.connect({ baseUrl, token: token.value }).account()
  if (!account.ok) return account
  const { business } = settings.values
  const connected = business ? ok(business) : await session.refresh()
  if (!connected.ok) return connected
  return account.value.id === connected.value.id ? ok(null) : err({ kind: 'other-business' })
}

/** Returns the handlers of `bridge.staff`. */
export function createStaffHandlers(dependencies: StaffHandlersDependencies): Handlers<'staff'> {
  const { appState, staff, session, slipServices } = dependencies
  const stateAfter = (result: Result<null>) => mapResult(result, () => appState.state())
  return {
    lock() {
      staff.lock()
      return ok(appState.state())
    },
    lockManager() {
      staff.lockManager()
      return ok(appState.state())
    },
    active() {
      staff.recordActivity()
      slipServices.expectSlip()
      return ok(null)
    },
    unlock: async (input) => stateAfter(await staff.unlock(input)),
    unlockManager: async (input) => stateAfter(await staff.unlockManager(input)),
    setManagerPin: async (input) => stateAfter(await staff.setManagerPin(input)),
    addCashier: async (input) => stateAfter(await staff.addCashier(input)),
    changeCashier: async (input) => stateAfter(await staff.changeCashier(input)),
    removeCashier({ id }) {
      const removed = staff.removeCashier(id, session.connectedBusinessId)
      slipServices.forgetCashiers()
      return stateAfter(removed)
    },
    async reset({ token }) {
      const owner = await verifyOwner(dependencies, token)
      if (!owner.ok) return owner
      staff.resetManagerPin()
      return ok(appState.state())
    }
  }
}
