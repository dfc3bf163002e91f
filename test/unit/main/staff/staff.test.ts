import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Result } from '../../../../electron/contract/failure.ts'
import type { StaffState } from '../../../../electron/contract/staff.ts'
import { Staff } from '../../../../electron/main/staff/staff.ts'
import { hashCheaply, MemorySettings } from '../../../support/session.ts'

let settings: MemorySettings
let systemIdle: number
let isSystemLocked: () => boolean
let changes: StaffState[]
const open: Staff[] = []

/** Starts a till with the stored staff. */
function start(): Staff {
  const staff = new Staff({
    settings,
    system: { idleSeconds: () => systemIdle, isLocked: () => isSystemLocked() },
    hash: hashCheaply,
    onChange: () => changes.push(staff.state)
  })
  open.push(staff)
  return staff
}

const pass = (minutes: number): void => {
  vi.advanceTimersByTime(minutes * 60_000)
}

const failureOf = (answer: Result<unknown>): unknown => (answer.ok ? null : answer.failure)

const idOf = (staff: Staff, name: string): string =>
  staff.state.cashiers.find((one) => one.name === name)?.id ?? ''

const MANAGER = { kind: 'locked', needs: 'manager' }
const LOCKED = { kind: 'locked', needs: 'cashier' }

beforeEach(() => {
  // scrypt runs on threads, which do not use these timers.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
  settings = new MemorySettings()
  systemIdle = 0
  isSystemLocked = () => false
  changes = []
})

afterEach(() => {
  for (const staff of open.splice(0)) staff.close()
  vi.useRealTimers()
})

describe('a till without cashiers and PIN', () => {
  it('never locks and requires no PIN', () => {
    settings.update({ lockAfterMinutes: 1 })
    const staff = start()
    staff.lock()
    staff.handleSystemLock()
    pass(60)
    expect(staff.state).toMatchObject({ manager: 'open', locked: false, lockable: false })
    expect(staff.refusal('cashier')).toBeNull()
    expect(staff.refusal('manager')).toBeNull()
  })
})

describe('the manager’s PIN', () => {
  it('allows manager calls until five minutes after the last one', async () => {
    const staff = start()
    await staff.setManagerPin({ current: null, pin: '4711' })
    pass(4.9)
    expect(staff.refusal('manager')).toBeNull()
    pass(4.9)
    expect(staff.refusal('manager')).toBeNull()
    pass(5.1)
    expect(staff.refusal('manager')).toEqual(MANAGER)
    expect(staff.refusal('cashier')).toBeNull()
    expect(changes.at(-1)?.manager).toBe('locked')
  })

  it('is required after a restart', async () => {
    await start().setManagerPin({ current: null, pin: '4711' })
    const staff = start()
    expect(staff.refusal('manager')).toEqual(MANAGER)
    expect(failureOf(await staff.unlockManager({ pin: '4711' }))).toBeNull()
    expect(staff.refusal('manager')).toBeNull()
    staff.lockManager()
    expect(staff.refusal('manager')).toEqual(MANAGER)
  })

  it('is changed and removed only with the current PIN', async () => {
    const staff = start()
    await staff.setManagerPin({ current: null, pin: '4711' })
    const wrong = { kind: 'wrong-pin', waitSeconds: 0 }
    expect(failureOf(await staff.setManagerPin({ current: null, pin: '1111' }))).toEqual(wrong)
    expect(failureOf(await staff.setManagerPin({ current: '4712', pin: null }))).toEqual(wrong)
    expect(failureOf(await staff.setManagerPin({ current: '4711', pin: '08150815' }))).toBeNull()
    expect(failureOf(await staff.setManagerPin({ current: '08150815', pin: null }))).toBeNull()
    expect(staff.state).toMatchObject({ manager: 'open', lockable: false })
  })

  it.each(['123', '1234567890123', '12a4', '', '١٢٣٤'])('cannot be %s', async (pin) => {
    expect(failureOf(await start().setManagerPin({ current: null, pin }))).toEqual({
      kind: 'invalid-input',
      field: 'pin',
      fault: 'malformed'
    })
  })

  it('makes attempts wait after wrong PINs, also concurrent ones, also after a restart', async () => {
    await start().setManagerPin({ current: null, pin: '4711' })
    const staff = start()
    const tries = await Promise.all(['0', '1', '2', '4711'].map((pin) => staff.unlockManager({ pin })))
    expect(failureOf(tries[3] ?? { ok: true, value: null })).toEqual({
      kind: 'too-many-tries',
      waitSeconds: 30
    })
    const again = start()
    expect(failureOf(await again.unlockManager({ pin: '4711' }))).toEqual({
      kind: 'too-many-tries',
      waitSeconds: 30
    })
    pass(0.5)
    expect(failureOf(await again.unlockManager({ pin: '4711' }))).toBeNull()
    expect(settings.values.staff.wrongPins).toEqual({})
  })

  it('can be entered in the session of a cashier with a PIN while it waits on the lock screen', async () => {
    const staff = start()
    await staff.addCashier({ name: 'Anna', pin: '1111' })
    await staff.addCashier({ name: 'Ben', pin: null })
    await staff.setManagerPin({ current: null, pin: '4711' })
    staff.lock()
    for (const pin of ['0', '1', '2']) await staff.unlockManager({ pin })
    const waits = { kind: 'too-many-tries', waitSeconds: 30 }
    expect(failureOf(await staff.unlockManager({ pin: '4711' }))).toEqual(waits)
    // Anyone can choose a cashier without a PIN.
    await staff.unlock({ cashierId: idOf(staff, 'Ben'), pin: null })
    expect(failureOf(await staff.unlockManager({ pin: '4711' }))).toEqual(waits)
    await staff.unlock({ cashierId: idOf(staff, 'Anna'), pin: '1111' })
    expect(failureOf(await staff.unlockManager({ pin: '4711' }))).toBeNull()
    expect(staff.state.manager).toBe('unlocked')
  })

  it('waits in the session of the cashier who entered wrong ones, also after a restart, until it is reset', async () => {
    const staff = start()
    await staff.addCashier({ name: 'Anna', pin: '1111' })
    await staff.setManagerPin({ current: null, pin: '4711' })
    const anna = idOf(staff, 'Anna')
    await staff.unlock({ cashierId: anna, pin: '1111' })
    for (const pin of ['0', '1', '2']) await staff.unlockManager({ pin })
    const waits = { kind: 'too-many-tries', waitSeconds: 30 }
    expect(failureOf(await staff.setManagerPin({ current: '4711', pin: null }))).toEqual(waits)
    const again = start()
    await again.unlock({ cashierId: anna, pin: '1111' })
    expect(failureOf(await again.unlockManager({ pin: '4711' }))).toEqual(waits)
    again.lock()
    expect(failureOf(await again.unlockManager({ pin: '4711' }))).toBeNull()
    again.resetManagerPin()
    expect(settings.values.staff.wrongPins).toEqual({})
  })

  it('is not made to wait longer by attempts during the wait', async () => {
    const staff = start()
    await staff.setManagerPin({ current: null, pin: '4711' })
    staff.lock()
    for (const pin of ['0', '1', '2']) await staff.unlockManager({ pin })
    for (let second = 0; second < 30; second++) {
      await staff.unlockManager({ pin: '3' })
      pass(1 / 60)
    }
    expect(failureOf(await staff.unlockManager({ pin: '4711' }))).toBeNull()
  })

  it('counts an attempt before the PIN is checked', async () => {
    const staff = start()
    await staff.setManagerPin({ current: null, pin: '4711' })
    const trying = staff.unlockManager({ pin: '1' })
    expect(settings.values.staff.wrongPins).toEqual({ manager: 1 })
    await trying
  })

  it('stores no digits of a PIN', async () => {
    const staff = start()
    await staff.setManagerPin({ current: null, pin: '471147114711' })
    await staff.addCashier({ name: 'Anna', pin: '815081508150' })
    const text = JSON.stringify([settings.values.staff, staff.state])
    expect(text).not.toMatch(/471147114711|815081508150/)
    expect(text).not.toContain(Buffer.from('471147114711').toString('base64'))
  })
})

describe('cashiers', () => {
  it('unlock the till without a PIN, or with theirs', async () => {
    const staff = start()
    await staff.addCashier({ name: ' Anna ', pin: null })
    await staff.addCashier({ name: 'Ben', pin: '2222' })
    expect(staff.state).toMatchObject({ cashier: null, locked: false, lockable: true })
    await staff.unlock({ cashierId: idOf(staff, 'Anna'), pin: null })
    expect(staff.state.cashier?.name).toBe('Anna')
    const ben = idOf(staff, 'Ben')
    expect(failureOf(await staff.unlock({ cashierId: ben, pin: null }))).toEqual({
      kind: 'wrong-pin',
      waitSeconds: 0
    })
    await staff.unlock({ cashierId: ben, pin: '2222' })
    expect(staff.state.cashier?.name).toBe('Ben')
  })

  it('start with a locked till until one of them is selected', async () => {
    await start().addCashier({ name: 'Anna', pin: null })
    const staff = start()
    expect(staff.refusal('none')).toBeNull()
    expect(staff.refusal('cashier')).toEqual(LOCKED)
    expect(staff.refusal('manager')).toEqual(LOCKED)
    await staff.unlock({ cashierId: idOf(staff, 'Anna'), pin: null })
    expect(staff.refusal('cashier')).toBeNull()
  })

  it('end the manager session when one of them unlocks the till', async () => {
    const staff = start()
    await staff.setManagerPin({ current: null, pin: '4711' })
    await staff.addCashier({ name: 'Anna', pin: null })
    await staff.unlock({ cashierId: idOf(staff, 'Anna'), pin: null })
    expect(staff.state.manager).toBe('locked')
  })

  it.each([
    ['', 'missing'],
    [' ', 'missing'],
    ['x'.repeat(41), 'too-long'],
    ['anna', 'taken']
  ])('cannot have the name %j', async (name, fault) => {
    const staff = start()
    await staff.addCashier({ name: 'Anna', pin: null })
    expect(failureOf(await staff.addCashier({ name, pin: null }))).toEqual({
      kind: 'invalid-input',
      field: 'name',
      fault
    })
  })

  it('leave no count of wrong PINs when they are removed', async () => {
    const staff = start()
    await staff.addCashier({ name: 'Anna', pin: '1111' })
    await staff.setManagerPin({ current: null, pin: '4711' })
    const anna = idOf(staff, 'Anna')
    await staff.unlock({ cashierId: anna, pin: '1111' })
    await staff.unlockManager({ pin: '0' })
    await staff.unlock({ cashierId: anna, pin: '0' })
    expect(Object.values(settings.values.staff.wrongPins)).toEqual([1, 1])
    staff.removeCashier(anna, null)
    expect(settings.values.staff.wrongPins).toEqual({})
  })

  it('can be renamed, given a PIN, and removed', async () => {
    const staff = start()
    await staff.addCashier({ name: 'Anna', pin: null })
    const id = idOf(staff, 'Anna')
    await staff.unlock({ cashierId: id, pin: null })
    await staff.changeCashier({ id, name: 'Anna K.' })
    await staff.changeCashier({ id, pin: '1111' })
    expect(staff.state).toMatchObject({
      cashier: { id, name: 'Anna K.' },
      cashiers: [{ id, name: 'Anna K.', hasPin: true }]
    })
    await staff.changeCashier({ id, pin: null })
    expect(staff.state.cashiers[0]?.hasPin).toBe(false)
    staff.removeCashier(id, 'shop')
    expect(staff.state).toMatchObject({ cashier: null, cashiers: [], lockable: false, locked: false })
    expect(failureOf(staff.removeCashier(id, 'shop'))).toEqual({ kind: 'not-found' })
  })

  it('have a number from the first day on, which a rename keeps and no other cashier gets', async () => {
    const numbers = () => settings.values.staff.cashiers.map(({ name, number }) => [name, number])
    const staff = start()
    await staff.addCashier({ name: 'Anna', pin: null })
    await staff.addCashier({ name: 'Ben', pin: null })
    await staff.changeCashier({ id: idOf(staff, 'Anna'), name: 'Anna K.' })
    staff.removeCashier(idOf(staff, 'Ben'), null)
    const again = start()
    await again.addCashier({ name: 'Ben', pin: null })
    expect(numbers()).toEqual([
      ['Anna K.', 1],
      ['Ben', 3]
    ])
    await again.unlock({ cashierId: idOf(again, 'Ben'), pin: null })
    expect(again.state.cashier).toMatchObject({ name: 'Ben', number: 3 })
  })

  it('leave each of their names to be forgotten by the service, until it forgot them', async () => {
    const staff = start()
    await staff.addCashier({ name: 'Anna', pin: null })
    await staff.addCashier({ name: 'Ben', pin: null })
    await staff.changeCashier({ id: idOf(staff, 'Anna'), name: 'Anna K.' })
    await staff.changeCashier({ id: idOf(staff, 'Anna K.'), pin: '1111' })
    staff.removeCashier(idOf(staff, 'Anna K.'), 'shop')
    staff.removeCashier(idOf(staff, 'Ben'), null)
    const again = start()
    expect(again.erasures).toEqual([
      { businessId: 'shop', number: 1, name: 'Anna' },
      { businessId: 'shop', number: 1, name: 'Anna K.' }
    ])
    for (const erasure of again.erasures) again.endErasure(erasure)
    expect(start().erasures).toEqual([])
  })
})

describe('the lock', () => {
  beforeEach(async () => {
    settings.update({ lockAfterMinutes: 10 })
    const staff = start()
    await staff.addCashier({ name: 'Anna', pin: null })
    staff.close()
  })

  const served = async (): Promise<Staff> => {
    const staff = start()
    await staff.unlock({ cashierId: idOf(staff, 'Anna'), pin: null })
    return staff
  }

  it('starts after the idle time without input', async () => {
    const staff = await served()
    pass(9)
    staff.recordActivity()
    pass(9)
    expect(staff.state.locked).toBe(false)
    pass(1.1)
    expect(changes.at(-1)).toMatchObject({ locked: true, cashier: null })
  })

  it('starts after the idle time of the system', async () => {
    const staff = await served()
    systemIdle = 600
    pass(0.1)
    expect(staff.state.locked).toBe(true)
  })

  it('starts when the system locks or suspends, unless automatic locking is off', async () => {
    const staff = await served()
    settings.update({ lockAfterMinutes: null })
    staff.handleSystemLock()
    expect(staff.state.locked).toBe(false)
    settings.update({ lockAfterMinutes: 10 })
    staff.handleSystemLock()
    expect(staff.state.locked).toBe(true)
  })

  it('starts when a system without an event of its own reports a locked screen', async () => {
    const staff = await served()
    isSystemLocked = () => true
    pass(0.1)
    expect(staff.state.locked).toBe(true)
    // Once: a system that stays locked must not lock the till again.
    await staff.unlock({ cashierId: idOf(staff, 'Anna'), pin: null })
    pass(1)
    expect(staff.state.locked).toBe(false)
    isSystemLocked = () => false
    pass(0.1)
    isSystemLocked = () => true
    pass(0.1)
    expect(staff.state.locked).toBe(true)
  })

  it('does not ask the system of a till that cannot be locked', () => {
    settings = new MemorySettings()
    isSystemLocked = vi.fn(() => true)
    start()
    pass(1)
    expect(isSystemLocked).not.toHaveBeenCalled()
  })

  it('is not ended by input', async () => {
    const staff = await served()
    staff.lock()
    staff.recordActivity()
    expect(staff.state.locked).toBe(true)
  })

  it('of a till with only a manager PIN survives a restart, and ends with that PIN', async () => {
    settings = new MemorySettings()
    const first = start()
    await first.setManagerPin({ current: null, pin: '4711' })
    expect(start().state.locked).toBe(false)
    first.lock()
    const again = start()
    expect(again.refusal('cashier')).toEqual(LOCKED)
    await again.unlockManager({ pin: '4711' })
    expect(again.state).toMatchObject({ locked: false, manager: 'unlocked' })
  })

  it('and the manager PIN are removed by a reset', async () => {
    const staff = await served()
    await staff.setManagerPin({ current: null, pin: '4711' })
    staff.lock()
    staff.resetManagerPin()
    expect(staff.state).toMatchObject({ locked: false, manager: 'open' })
  })
})
