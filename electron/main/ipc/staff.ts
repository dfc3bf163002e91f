/** The people at the till: locking, unlocking, PINs, cashiers. */
import { err, ok, type Result, mapResult } from '../../contract/failure.ts'
import type { Account } from '../../contract/loyalty.ts'
import type { TillState } from '../../contract/till.ts'
import { parseToken } from '../loyalty/credentials.ts'
import type { Answers } from '../platform/ipc.ts'
import type { Staff } from '../staff/staff.ts'
import type { Standing } from './app-state.ts'

/** What proves the owner of the till's business. */
export interface OwnerProof {
  /** address of the till's own business; null: it is connected to none */
  readonly baseUrl: () => string | null
  /** its profile, read now if it never was */
  readonly business: () => Promise<Result<Account>>
  /** whose token this is (`GET /account`) */
  readonly ownerOf: (credentials: { baseUrl: string; token: string }) => Promise<Result<Account>>
}

/** Answers the calls of `bridge.staff`. */
export function staffAnswers(standing: Standing, staff: Staff, proof: OwnerProof): Answers['staff'] {
  const now = (): Promise<Result<TillState>> => Promise.resolve(ok(standing.state()))
  const stateAfter = (answer: Result<null>): Result<TillState> => mapResult(answer, () => standing.state())

  /** null: the token is that of the till's own business, or there is no business to ask for one. */
  const refused = async (token: string | null): Promise<Result<null>> => {
    const baseUrl = proof.baseUrl()
    if (baseUrl === null) return ok(null)
    const typed = parseToken(token ?? '')
    if (!typed.ok) return typed
    const owner = await proof.ownerOf({ baseUrl, token: typed.value })
    if (!owner.ok) return owner
    const business = await proof.business()
    if (!business.ok) return business
    return owner.value.id === business.value.id ? ok(null) : err({ kind: 'other-business' })
  }

  return {
    lock() {
      staff.lock()
      return now()
    },
    lockManager() {
      staff.lockManager()
      return now()
    },
    active() {
      staff.recordActivity()
      return Promise.resolve(ok(null))
    },
    unlock: async (input) => stateAfter(await staff.unlock(input)),
    unlockManager: async (input) => stateAfter(await staff.unlockManager(input)),
    setManagerPin: async (input) => stateAfter(await staff.setManagerPin(input)),
    addCashier: async (input) => stateAfter(await staff.addCashier(input)),
    changeCashier: async (input) => stateAfter(await staff.changeCashier(input)),
    removeCashier: ({ id }) => Promise.resolve(stateAfter(staff.removeCashier(id))),
    async reset({ token }) {
      const proven = await refused(token)
      if (!proven.ok) return proven
      staff.resetManagerPin()
      return now()
    }
  }
}
