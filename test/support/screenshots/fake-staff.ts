/** The staff's part of the bridge for pictures: every PIN is right, unless the picture says otherwise. */
import type { Bridge } from '../../../electron/contract/bridge.ts'
import { err, ok, type Result, type Failure } from '../../../electron/contract/failure.ts'
import type { Cashier, StaffState } from '../../../electron/contract/staff.ts'
import type { TillState } from '../../../electron/contract/till.ts'

interface Around {
  readonly staff: () => StaffState
  readonly change: (staff: Partial<StaffState>) => Promise<Result<TillState>>
  /** what a PIN comes to instead */
  readonly pin?: Failure
}

export function fakeStaff({ staff, change, pin }: Around): Bridge['staff'] {
  const unless = (next: Partial<StaffState>): Promise<Result<TillState>> =>
    pin ? Promise.resolve(err(pin)) : change(next)
  const list = (cashiers: readonly Cashier[]): Promise<Result<TillState>> =>
    change({ cashiers, lockable: cashiers.length > 0 || staff().manager !== 'open' })
  return {
    lock: () =>
      change({ locked: true, cashier: null, manager: staff().manager === 'open' ? 'open' : 'locked' }),
    lockManager: () => change({ manager: 'locked' }),
    active: () => Promise.resolve(ok(null)),
    unlock: ({ cashierId }) =>
      unless({ locked: false, cashier: staff().cashiers.find(({ id }) => id === cashierId) ?? null }),
    unlockManager: () => unless({ locked: false, manager: 'unlocked' }),
    setManagerPin: ({ pin: next }) =>
      unless({ manager: next === null ? 'open' : 'unlocked', lockable: next !== null }),
    addCashier: ({ name, pin: digits }) =>
      list([...staff().cashiers, { id: `cashier-${name}`, name, hasPin: digits !== null }]),
    changeCashier: ({ id, name, pin: digits }) =>
      list(
        staff().cashiers.map((one) =>
          one.id === id
            ? { id, name: name ?? one.name, hasPin: digits === undefined ? one.hasPin : digits !== null }
            : one
        )
      ),
    removeCashier: ({ id }) => list(staff().cashiers.filter((one) => one.id !== id)),
    reset: () => unless({ locked: false, manager: 'open', lockable: staff().cashiers.length > 0 })
  }
}
