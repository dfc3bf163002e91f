import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Result } from '../../../../electron/contract/failure.ts'
import type { StaffState } from '../../../../electron/contract/staff.ts'
import { Staff } from '../../../../electron/main/staff/staff.ts'
import type { PersistedStaff } from '../../../../electron/main/staff/cashiers.ts'

const NOBODY: PersistedStaff = { managerPin: null, cashiers: [], wrongPins: {}, locked: false }

let stored: PersistedStaff
let lockAfterMinutes: number | null
let systemIdle: number
let told: StaffState[]
const open: Staff[] = []

/** Starts a till with the stored staff. */
function start(): Staff {
  const staff = new Staff({
    store: {
      read: () => stored,
      update: (change) => {
        stored = { ...stored, ...change }
      }
    },
    lockAfterMinutes: () => lockAfterMinutes,
    systemIdleSeconds: () => systemIdle,
    onChange: () => told.push(staff.state)
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
  // scrypt runs on threads, which no clock of a test holds up.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
  stored = NOBODY
  lockAfterMinutes = null
  systemIdle = 0
  told = []
})

afterEach(() => {
  for (const staff of open.splice(0)) staff.close()
  vi.useRealTimers()
})

describe('a till without cashiers and PIN', () => {
  it('never locks and never asks', () => {
    lockAfterMinutes = 1
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
  it('opens the manager’s work for five minutes without any', async () => {
    const staff = start()
    await staff.setManagerPin({ current: null, pin: '4711' })
    pass(4.9)
    expect(staff.refusal('manager')).toBeNull()
    pass(4.9)
    expect(staff.refusal('manager')).toBeNull()
    pass(5.1)
    expect(staff.refusal('manager')).toEqual(MANAGER)
    expect(staff.refusal('cashier')).toBeNull()
    expect(told.at(-1)?.manager).toBe('locked')
  })

  it('is asked for after a restart, and opens again', async () => {
    await start().setManagerPin({ current: null, pin: '4711' })
    const staff = start()
    expect(staff.refusal('manager')).toEqual(MANAGER)
    expect(failureOf(await staff.unlockManager({ pin: '4711' }))).toBeNull()
    expect(staff.refusal('manager')).toBeNull()
    staff.lockManager()
    expect(staff.refusal('manager')).toEqual(MANAGER)
  })

  it('changes and goes only with the one that holds', async () => {
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

  it('waits after wrong ones, also when typed all at once, also across a restart', async () => {
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
    expect(stored.wrongPins).toEqual({})
  })

  it('counts a try before it is checked', async () => {
    const staff = start()
    await staff.setManagerPin({ current: null, pin: '4711' })
    const trying = staff.unlockManager({ pin: '1' })
    expect(stored.wrongPins).toEqual({ manager: 1 })
    await trying
  })

  it('leaves nothing of its digits in what is kept', async () => {
    const staff = start()
    await staff.setManagerPin({ current: null, pin: '471147114711' })
    await staff.addCashier({ name: 'Anna', pin: '815081508150' })
    const text = JSON.stringify([stored, staff.state])
    expect(text).not.toMatch(/471147114711|815081508150/)
    expect(text).not.toContain(Buffer.from('471147114711').toString('base64'))
  })
})

describe('cashiers', () => {
  it('are chosen with a tap, or with their PIN', async () => {
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

  it('find the till locked when it starts, until one of them is chosen', async () => {
    await start().addCashier({ name: 'Anna', pin: null })
    const staff = start()
    expect(staff.refusal('none')).toBeNull()
    expect(staff.refusal('cashier')).toEqual(LOCKED)
    expect(staff.refusal('manager')).toEqual(LOCKED)
    await staff.unlock({ cashierId: idOf(staff, 'Anna'), pin: null })
    expect(staff.refusal('cashier')).toBeNull()
  })

  it('end the manager’s while when one of them takes over', async () => {
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
  ])('cannot be called %j', async (name, fault) => {
    const staff = start()
    await staff.addCashier({ name: 'Anna', pin: null })
    expect(failureOf(await staff.addCashier({ name, pin: null }))).toEqual({
      kind: 'invalid-input',
      field: 'name',
      fault
    })
  })

  it('are renamed, get and lose a PIN, and are removed', async () => {
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
    staff.removeCashier(id)
    expect(staff.state).toMatchObject({ cashier: null, cashiers: [], lockable: false, locked: false })
    expect(failureOf(staff.removeCashier(id))).toEqual({ kind: 'not-found' })
  })
})

describe('the lock', () => {
  beforeEach(async () => {
    lockAfterMinutes = 10
    const staff = start()
    await staff.addCashier({ name: 'Anna', pin: null })
    staff.close()
  })

  const served = async (): Promise<Staff> => {
    const staff = start()
    await staff.unlock({ cashierId: idOf(staff, 'Anna'), pin: null })
    return staff
  }

  it('comes when nobody touched the till for so long', async () => {
    const staff = await served()
    pass(9)
    staff.recordActivity()
    pass(9)
    expect(staff.state.locked).toBe(false)
    pass(1.1)
    expect(told.at(-1)).toMatchObject({ locked: true, cashier: null })
  })

  it('comes when the system says that nobody is there', async () => {
    const staff = await served()
    systemIdle = 600
    pass(0.1)
    expect(staff.state.locked).toBe(true)
  })

  it('comes with the system’s own, and with sleep, unless the till never locks by itself', async () => {
    const staff = await served()
    lockAfterMinutes = null
    staff.handleSystemLock()
    expect(staff.state.locked).toBe(false)
    lockAfterMinutes = 10
    staff.handleSystemLock()
    expect(staff.state.locked).toBe(true)
  })

  it('is not put off by touches while it stands', async () => {
    const staff = await served()
    staff.lock()
    staff.recordActivity()
    expect(staff.state.locked).toBe(true)
  })

  it('of a till with a manager PIN alone outlives a restart, and opens with that PIN', async () => {
    stored = NOBODY
    const first = start()
    await first.setManagerPin({ current: null, pin: '4711' })
    expect(start().state.locked).toBe(false)
    first.lock()
    const again = start()
    expect(again.refusal('cashier')).toEqual(LOCKED)
    await again.unlockManager({ pin: '4711' })
    expect(again.state).toMatchObject({ locked: false, manager: 'unlocked' })
  })

  it('and the manager PIN go for whoever owns the business', async () => {
    const staff = await served()
    await staff.setManagerPin({ current: null, pin: '4711' })
    staff.lock()
    staff.resetManagerPin()
    expect(staff.state).toMatchObject({ locked: false, manager: 'open' })
  })
})
