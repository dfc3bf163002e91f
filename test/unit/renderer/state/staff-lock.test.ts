import { describe, expect, it, vi } from 'vitest'
import type { Bridge } from '../../../../electron/contract/bridge.ts'
import { err, ok } from '../../../../electron/contract/failure.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { StaffLock } from '../../../../renderer/src/state/staff-lock.svelte.ts'
import { Till } from '../../../../renderer/src/state/till.svelte.ts'
import { tillState } from '../../../support/till-state.ts'
import { bridgeWith, flushPromises } from '../support/bridge.ts'

const LOCKED = err({ kind: 'locked', needs: 'manager' })

/** Creates a `StaffLock` on a bridge with these `staff` calls. */
function createStaffLock(staffCalls: Partial<Bridge['staff']>): {
  ipc: IpcClient
  staff: StaffLock
  till: Till
} {
  const bridge = bridgeWith({ staff: staffCalls })
  const ipc = new IpcClient()
  const till = new Till(bridge, ipc)
  const staff = new StaffLock(bridge, ipc, till)
  return { ipc, staff, till }
}

describe('a call that needs the manager', () => {
  it('waits for the PIN and is repeated after it', async () => {
    let unlocked = false
    const { ipc, staff } = createStaffLock({
      unlockManager: ({ pin }) => {
        unlocked = pin === '4711'
        return Promise.resolve(unlocked ? ok(tillState()) : err({ kind: 'wrong-pin', waitSeconds: 0 }))
      }
    })
    let calls = 0
    const result = ipc.invoke(() => Promise.resolve(++calls && unlocked ? ok('done') : LOCKED))
    const form = await vi.waitFor(() => staff.managerPin ?? expect.fail('No PIN form is open'))
    form.type('0000')
    await form.submit()
    expect(staff.managerPin).toEqual(form)
    expect(form.failure?.kind).toBe('wrong-pin')
    expect(calls).toBe(1)
    form.type('4711')
    await form.submit()
    expect(await result).toEqual(ok('done'))
    expect(calls).toBe(2)
    expect(staff.managerPin).toBeNull()
  })

  it('is rejected when the PIN dialog is cancelled', async () => {
    const { ipc, staff } = createStaffLock({})
    const result = ipc.invoke(() => Promise.resolve(LOCKED))
    await vi.waitFor(() => {
      expect(staff.managerPin).not.toBeNull()
    })
    staff.cancelManagerPin()
    expect(await result).toEqual(LOCKED)
  })

  it('shares one PIN dialog with other waiting calls', async () => {
    let unlocked = false
    const { ipc, staff } = createStaffLock({
      unlockManager: () => {
        unlocked = true
        return Promise.resolve(ok(tillState()))
      }
    })
    const results = [1, 2].map((one) => ipc.invoke(() => Promise.resolve(unlocked ? ok(one) : LOCKED)))
    await flushPromises()
    if (staff.managerPin) staff.managerPin.type('4711')
    await staff.managerPin?.submit()
    expect(await Promise.all(results)).toEqual([ok(1), ok(2)])
  })
})

it('a call on a locked till is rejected without a PIN dialog', async () => {
  const { ipc, staff } = createStaffLock({})
  const locked = err({ kind: 'locked', needs: 'cashier' })
  expect(await ipc.invoke(() => Promise.resolve(locked))).toEqual(locked)
  expect(staff.managerPin).toBeNull()
})

it('reportActivity reports at intervals, whether the till can be locked or not', () => {
  let reports = 0
  const { staff } = createStaffLock({
    active: () => {
      reports++
      return Promise.resolve(ok(null))
    }
  })
  staff.reportActivity()
  staff.reportActivity()
  expect(reports).toBe(1)
})

describe('the reset of a forgotten manager PIN', () => {
  it('leaves no failure to the lock screen', async () => {
    const { staff } = createStaffLock({ reset: () => Promise.resolve(err({ kind: 'unauthorised' })) })
    expect(await staff.reset('wrong')).toBe(false)
    expect(staff.resetting.failure).toEqual({ kind: 'unauthorised' })
    expect(staff.request.failure).toBeNull()
  })

  it('that was left opens nothing when it is answered', async () => {
    const answer = Promise.withResolvers<Awaited<ReturnType<Bridge['staff']['reset']>>>()
    const { ipc, staff } = createStaffLock({ reset: () => answer.promise })
    void ipc.invoke(() => Promise.resolve(LOCKED))
    await vi.waitFor(() => {
      expect(staff.managerPin).not.toBeNull()
    })
    const reset = staff.reset('late')
    staff.resetting.reset()
    answer.resolve(ok(tillState()))
    expect(await reset).toBe(false)
    expect(staff.managerPin).not.toBeNull()
  })
})
