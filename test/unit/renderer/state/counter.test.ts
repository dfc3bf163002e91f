import { describe, expect, test } from 'vitest'
import { err, ok } from '../../../../electron/contract/failure.ts'
import type { Bridge } from '../../../../electron/contract/bridge.ts'
import { Answers } from '../../../../renderer/src/state/answers.svelte.ts'
import { Counter } from '../../../../renderer/src/state/counter.svelte.ts'
import { bridgeWith, customer, issued, settle, slip } from '../support/bridge.ts'

const maria = customer('maria')

const recent = () => Promise.resolve(ok([maria]))

const make = (customers: Partial<Bridge['customers']>, slips: Partial<Bridge['slips']> = {}) =>
  new Counter(bridgeWith({ customers: { recent, ...customers }, slips }), new Answers())

const finding = (
  found: readonly (typeof maria)[],
  phone: { e164: string; display: string } | null = null
) => ({
  find: () =>
    Promise.resolve(ok({ kind: 'customers', customers: found, page: 1, hasMore: false, phone } as const))
})

describe('Enter in the search', () => {
  test('chooses the one customer that was found', async () => {
    const counter = make(finding([maria]))
    counter.find.text = 'maria'
    expect(await counter.chooseOnly()).toBe(true)
    expect([counter.customer?.id, counter.find.text]).toEqual(['maria', ''])
  })

  test('chooses nobody among several', async () => {
    const counter = make(finding([maria, customer('marios')]))
    counter.find.text = 'mar'
    expect(await counter.chooseOnly()).toBe(false)
    expect(counter.customer).toBeNull()
  })
})

describe('registering', () => {
  test('begins with the phone where the text reads as one', async () => {
    const counter = make(finding([], { e164: '+306901234567', display: '+30 690 123 4567' }))
    counter.find.text = '6901234567'
    await counter.find.now()
    counter.openRegistration()
    expect(counter.registration).toMatchObject({ name: '', phone: '+30 690 123 4567' })
  })

  test('begins with the name otherwise', async () => {
    const counter = make(finding([]))
    counter.find.text = ' Maria P '
    await counter.find.now()
    counter.openRegistration()
    expect(counter.registration).toMatchObject({ name: 'Maria P', phone: '' })
  })

  test.each([
    [false, 'registered'],
    [true, 'existed']
  ] as const)('serves the customer (existed: %s)', async (existed, welcome) => {
    const counter = make({ register: () => Promise.resolve(ok({ customer: maria, existed })) })
    counter.openRegistration()
    if (counter.registration) Object.assign(counter.registration, { name: 'Maria', phone: '690' })
    await counter.register()
    expect([counter.customer?.id, counter.welcome, counter.registration]).toEqual(['maria', welcome, null])
  })

  test('a failure keeps what was typed', async () => {
    const counter = make({ register: () => Promise.resolve(err({ kind: 'offline' })) })
    counter.openRegistration()
    if (counter.registration) Object.assign(counter.registration, { name: 'Maria', phone: '690' })
    await counter.register()
    expect(counter.registration).toMatchObject({ name: 'Maria', phone: '690' })
    expect(counter.registration?.asking.failure).toEqual({ kind: 'offline' })
  })

  test('an empty field is named before anybody is asked', async () => {
    const counter = make({})
    counter.openRegistration()
    await counter.register()
    expect(counter.registration?.asking.failure).toMatchObject({ field: 'name', fault: 'missing' })
  })
})

describe('the next person', () => {
  const issue: Bridge['slips']['issue'] = ({ intentId }) => Promise.resolve(ok(issued(intentId)))

  test('comes after each slip, with nobody chosen', async () => {
    const counter = make({}, { issue })
    counter.choose(maria, 'existed')
    counter.form.points = '250'
    await counter.form.print()
    expect([counter.customer, counter.welcome, counter.focus.wanted]).toEqual([null, null, 'search'])
  })

  test('is not taken for granted where the settings keep the customer', async () => {
    const habits = { rule: () => null, clearCustomer: () => false }
    const counter = new Counter(
      bridgeWith({ customers: { recent }, slips: { issue } }),
      new Answers(),
      habits
    )
    counter.choose(maria)
    counter.form.points = '250'
    await counter.form.print()
    expect([counter.customer, counter.form.points, counter.focus.wanted]).toEqual([maria, '', 'figures'])
  })

  test('finds the one before among those served last', async () => {
    const counter = make({}, { issue })
    counter.form.points = '250'
    await counter.form.print()
    await settle()
    expect(counter.recent.customers).toEqual([maria])
  })

  test('comes after a customer was cleared; the points stay', () => {
    const counter = make({})
    counter.choose(maria)
    counter.form.points = '250'
    counter.clearCustomer()
    expect([counter.customer, counter.form.points, counter.focus.wanted]).toEqual([null, '250', 'search'])
  })
})

describe('a customer from a list that may be old', () => {
  test('is read again for a fresh balance', async () => {
    const counter = make({ read: () => Promise.resolve(ok({ ...maria, balance: 777 })) })
    const serving = counter.serve(maria)
    expect(counter.customer?.balance).toBe(100)
    await serving
    expect(counter.customer?.balance).toBe(777)
  })

  test('is not put back when somebody else was chosen meanwhile', async () => {
    const counter = make({ read: () => Promise.resolve(ok(maria)) })
    const serving = counter.serve(maria)
    counter.choose(customer('nikos'))
    await serving
    expect(counter.customer?.id).toBe('nikos')
  })
})

describe('a slip whose outcome is not known', () => {
  test('comes back with its customer and its points', async () => {
    const counter = make({ read: ({ id }) => Promise.resolve(ok(customer(id))) })
    const unknown = slip('x', { state: 'unknown', points: 40, customer: { id: 'maria', name: 'Maria' } })
    expect(await counter.bringBack(unknown)).toBe(true)
    expect([counter.customer?.id, counter.form.points]).toEqual(['maria', '40'])
  })

  test('stays where it is when its customer cannot be read', async () => {
    const counter = make({ read: () => Promise.resolve(err({ kind: 'offline' })) })
    const unknown = slip('x', { state: 'unknown', customer: { id: 'maria', name: 'Maria' } })
    expect(await counter.bringBack(unknown)).toBe(false)
    await settle()
    expect([counter.form.points, counter.reading.failure]).toEqual(['', { kind: 'offline' }])
  })
})
