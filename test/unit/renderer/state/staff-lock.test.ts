import { describe, expect, it, vi } from 'vitest'
import type { Bridge } from '../../../../electron/contract/bridge.ts'
import { err, ok } from '../../../../electron/contract/failure.ts'
import { NO_STAFF } from '../../../../electron/contract/staff.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { StaffLock } from '../../../../renderer/src/state/staff-lock.svelte.ts'
import { Till } from '../../../../renderer/src/state/till.svelte.ts'
import { bridgeWith, flushPromises, tillState } from '../support/bridge.ts'

const LOCKED = err({ kind: 'locked', needs: 'manager' })

/** A page in front of a main process that answers `staff` so. */
function page(calls: Partial<Bridge['staff']>): { ipc: IpcClient; staff: StaffLock; till: Till } {
  const bridge = bridgeWith({ staff: calls })
  const ipc = new IpcClient()
  const till = new Till(bridge, ipc)
  const staff = new StaffLock(bridge, ipc, till)
  return { ipc, staff, till }
}

describe('a call that needs the manager', () => {
  it('waits for the PIN, and is made again', async () => {
    let unlocked = false
    const { ipc, staff } = page({
      unlockManager: ({ pin }) => {
        unlocked = pin === '4711'
        return Promise.resolve(unlocked ? ok(tillState()) : err({ kind: 'wrong-pin', waitSeconds: 0 }))
      }
    })
    let made = 0
    const answer = ipc.invoke(() => Promise.resolve(++made && unlocked ? ok('done') : LOCKED))
    await flushPromises()
    const form = staff.managerPin
    if (!form) throw new Error('Nobody requests for the PIN')
    form.pin = '0000'
    await form.submit()
    expect(staff.managerPin).toEqual(form)
    expect(form.failure?.kind).toBe('wrong-pin')
    expect(made).toBe(1)
    form.pin = '4711'
    await form.submit()
    expect(await answer).toEqual(ok('done'))
    expect(made).toBe(2)
    expect(staff.managerPin).toBeNull()
  })

  it('is refused when nobody gives it', async () => {
    const { ipc, staff } = page({})
    const answer = ipc.invoke(() => Promise.resolve(LOCKED))
    await vi.waitFor(() => {
      expect(staff.managerPin).not.toBeNull()
    })
    staff.cancelManagerPin()
    expect(await answer).toEqual(LOCKED)
  })

  it('asks once for all that wait', async () => {
    let unlocked = false
    const { ipc, staff } = page({
      unlockManager: () => {
        unlocked = true
        return Promise.resolve(ok(tillState()))
      }
    })
    const both = [1, 2].map((one) => ipc.invoke(() => Promise.resolve(unlocked ? ok(one) : LOCKED)))
    await flushPromises()
    if (staff.managerPin) staff.managerPin.pin = '4711'
    await staff.managerPin?.submit()
    expect(await Promise.all(both)).toEqual([ok(1), ok(2)])
  })
})

it('a call on a locked till is refused without a question', async () => {
  const { ipc, staff } = page({})
  const locked = err({ kind: 'locked', needs: 'cashier' })
  expect(await ipc.invoke(() => Promise.resolve(locked))).toEqual(locked)
  expect(staff.managerPin).toBeNull()
})

it('touches are told now and then, and only where the till can be locked', () => {
  let told = 0
  const { staff, till } = page({
    active: () => {
      told++
      return Promise.resolve(ok(null))
    }
  })
  staff.reportActivity()
  expect(told).toBe(0)
  till.accept(tillState({ staff: { ...NO_STAFF, lockable: true } }))
  staff.reportActivity()
  staff.reportActivity()
  expect(told).toBe(1)
})
