/** What a program may do now: no more than a person at the till may. */
import type { Caller } from '../../contract/local-interface.ts'
import type { Session } from '../session/session.ts'
import type { Staff } from '../staff/staff.ts'
import { ApiError } from './api-error.ts'
import type { Callers } from './callers.ts'

export interface PermissionsDependencies {
  readonly session: Pick<Session, 'accepted' | 'isReachable'>
  readonly staff: Pick<Staff, 'state'>
  readonly callers: Pick<Callers, 'find'>
}

/** Every method throws an `ApiError`. Call the last two after the last wait. */
export class Permissions {
  readonly #dependencies: PermissionsDependencies

  constructor(dependencies: PermissionsDependencies) {
    this.#dependencies = dependencies
  }

  /** Throws unless the service can be asked now. Nothing is written then, and a reference stays unused. */
  async requireService(): Promise<void> {
    const { session } = this.#dependencies
    if (!session.accepted) throw new ApiError('not-connected')
    if (!(await session.isReachable())) throw new ApiError('service-unreachable')
  }

  /** Throws unless the program may do what a cashier may. */
  requireCashier({ id }: Caller): void {
    const { staff, callers } = this.#dependencies
    const caller = callers.find(id)
    if (caller === null) throw new ApiError('unauthorized')
    if (staff.state.locked && !caller.mayIssueWhileLocked) throw new ApiError('locked')
  }

  /** Throws unless the program may do what a manager may: the till is unlocked, and its manager PIN was entered, if it has one. */
  requireManager({ id }: Caller): void {
    const { staff, callers } = this.#dependencies
    if (callers.find(id) === null) throw new ApiError('unauthorized')
    if (staff.state.locked || staff.state.manager === 'locked') throw new ApiError('manager-needed')
  }
}
