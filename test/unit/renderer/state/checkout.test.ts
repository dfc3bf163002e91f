import { describe, expect, test, vi } from 'vitest'
import type { Bridge } from '../../../../electron/contract/bridge.ts'
import { err, ok } from '../../../../electron/contract/failure.ts'
import type { SearchResult } from '../../../../electron/contract/customer-search.ts'
import type { Customer } from '../../../../electron/contract/loyalty.ts'
import type { IssuedSlip } from '../../../../electron/contract/slips.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { Checkout } from '../../../../renderer/src/state/checkout.svelte.ts'
import { DEFAULT_POINTS_FORM_OPTIONS } from '../../../../renderer/src/state/points-form-options.ts'
import { bridgeWith, customer, deferredCalls, issued, flushPromises, slip } from '../support/bridge.ts'

const maria = customer('maria')

const recent = () => Promise.resolve(ok([maria]))

const createCheckout = (customers: Partial<Bridge['customers']>, slips: Partial<Bridge['slips']> = {}) =>
  new Checkout(bridgeWith({ customers: { recent, ...customers }, slips }), new IpcClient())

const result = (
  found: readonly (typeof maria)[],
  phone: { e164: string; display: string } | null = null
) => ({
  find: () =>
    Promise.resolve(ok({ kind: 'customers', customers: found, page: 1, hasMore: false, phone } as const))
})

describe('Enter in the customer search', () => {
  test('selects the only match', async () => {
    const checkout = createCheckout(result([maria]))
    checkout.search.type('maria')
    expect(await checkout.chooseOnlyMatch()).toBe(true)
    expect(checkout.customer?.id).toBe('maria')
    expect(checkout.search.text).toBe('')
  })

  test('selects the only match in the step that ends the search, so that its row is not rendered', async () => {
    const checkout = createCheckout(result([maria]))
    checkout.search.type('maria')
    const choosing = checkout.chooseOnlyMatch()
    while (checkout.search.request.running) await Promise.resolve()
    expect(checkout.customer?.id).toBe('maria')
    expect(await choosing).toBe(true)
  })

  test('selects no customer when there are several matches', async () => {
    const checkout = createCheckout(result([maria, customer('marios')]))
    checkout.search.type('mar')
    expect(await checkout.chooseOnlyMatch()).toBe(false)
    expect(checkout.customer).toBeNull()
  })

  test.each([
    ['a phone', { e164: '+306900000199', display: '+30 690 0000199' }, '+30 690 0000199'],
    ['a name', null, undefined]
  ])('of %s without a match opens a registration with the phone %j', async (_what, phone, registered) => {
    const checkout = createCheckout(result([], phone))
    checkout.search.type('6900000199')
    await checkout.enterSearch()
    expect(checkout.registration?.phone).toBe(registered)
    expect(checkout.focus.pending).toBe(phone === null ? null : 'registration')
  })
})

describe('Enter for a text that has changed meanwhile', () => {
  test('does not move the focus to the rows of an earlier one', async () => {
    const { requests, call } = deferredCalls<unknown, SearchResult>()
    const checkout = createCheckout({ find: call })
    const found = ok({
      kind: 'customers',
      customers: [maria, customer('marios')],
      page: 1,
      hasMore: false,
      phone: null
    } as const)
    checkout.search.type('mar')
    void checkout.search.searchNow()
    requests[0]?.resolve(found)
    await flushPromises()
    checkout.search.type('mari')
    const entered = checkout.enterSearch()
    checkout.search.type('maria')
    requests[1]?.resolve(found)
    await entered
    expect(checkout.focus.pending).toBeNull()
  })
})

describe('Print', () => {
  const pressed = async (typed: string): Promise<Checkout> => {
    const { requests, call } = deferredCalls<unknown, IssuedSlip>()
    const checkout = createCheckout({ find: () => new Promise(() => undefined) }, { issue: call })
    checkout.form.typePoints('25')
    const printing = checkout.print()
    checkout.search.type(typed)
    requests[0]?.resolve(err({ kind: 'offline' }))
    await printing
    return checkout
  }

  test('that fails focuses the points', async () => {
    expect((await pressed('')).focus.pending).toBe('points')
  })

  test('that fails leaves the focus where the next customer is typed', async () => {
    expect((await pressed('690')).focus.pending).toBeNull()
  })
})

describe('registration', () => {
  test('starts with the search text as phone when it is a phone number', async () => {
    const checkout = createCheckout(result([], { e164: '+306901234567', display: '+30 690 123 4567' }))
    checkout.search.type('6901234567')
    await checkout.search.searchNow()
    checkout.openRegistration()
    expect(checkout.registration).toMatchObject({ name: '', phone: '+30 690 123 4567' })
  })

  test('starts with the search text as name otherwise', async () => {
    const checkout = createCheckout(result([]))
    checkout.search.type(' Maria P ')
    await checkout.search.searchNow()
    checkout.openRegistration()
    expect(checkout.registration).toMatchObject({ name: 'Maria P', phone: '' })
  })

  test.each([
    [false, 'registered'],
    [true, 'existed']
  ] as const)('selects the new or existing customer (existed: %s)', async (existed, welcome) => {
    const checkout = createCheckout({ register: () => Promise.resolve(ok({ customer: maria, existed })) })
    checkout.openRegistration()
    if (checkout.registration) Object.assign(checkout.registration, { name: 'Maria', phone: '690' })
    await checkout.register()
    expect(checkout.customer?.id).toBe('maria')
    expect(checkout.welcome).toEqual(welcome)
    expect(checkout.registration).toBeNull()
  })

  test('keeps the typed values after a failure', async () => {
    const checkout = createCheckout({ register: () => Promise.resolve(err({ kind: 'offline' })) })
    checkout.openRegistration()
    if (checkout.registration) Object.assign(checkout.registration, { name: 'Maria', phone: '690' })
    await checkout.register()
    expect(checkout.registration).toMatchObject({ name: 'Maria', phone: '690' })
    expect(checkout.registration?.request.failure).toEqual({ kind: 'offline' })
  })

  test('rejects an empty phone without a request, and lets an empty name pass', async () => {
    const checkout = createCheckout({})
    checkout.openRegistration()
    await checkout.register()
    expect(checkout.registration?.request.failure).toMatchObject({ field: 'phone', fault: 'missing' })
  })
})

describe('after a slip is issued', () => {
  const issue: Bridge['slips']['issue'] = ({ intentId }) => Promise.resolve(ok(issued(intentId)))

  test('the customer is cleared', async () => {
    const checkout = createCheckout({}, { issue })
    checkout.choose(maria, 'existed')
    checkout.form.typePoints('250')
    await checkout.form.print()
    expect(checkout.customer).toBeNull()
    expect(checkout.welcome).toBeNull()
    expect(checkout.focus.pending).toBe('search')
  })

  test('the customer stays if the settings say so', async () => {
    const options = { ...DEFAULT_POINTS_FORM_OPTIONS, clearCustomer: () => false }
    const checkout = new Checkout(
      bridgeWith({ customers: { recent }, slips: { issue } }),
      new IpcClient(),
      options
    )
    checkout.choose(maria)
    checkout.form.typePoints('250')
    await checkout.form.print()
    expect(checkout.customer).toEqual(maria)
    expect(checkout.form.points).toBe('')
    expect(checkout.focus.pending).toBe('bill-or-points')
  })

  test('the recent customers are reloaded', async () => {
    const checkout = createCheckout({}, { issue })
    checkout.form.typePoints('250')
    await checkout.form.print()
    await vi.waitFor(() => {
      expect(checkout.recent.customers).toEqual([maria])
    })
  })

  test('clearing the customer keeps the points', () => {
    const checkout = createCheckout({})
    checkout.choose(maria)
    checkout.form.typePoints('250')
    checkout.clearCustomer()
    expect(checkout.customer).toBeNull()
    expect(checkout.form.points).toBe('250')
    expect(checkout.focus.pending).toBe('search')
  })
})

describe('serving a customer from a list', () => {
  test('refreshes the balance', async () => {
    const checkout = createCheckout({ read: () => Promise.resolve(ok({ ...maria, balance: 777 })) })
    const serving = checkout.serve(maria)
    expect(checkout.customer?.balance).toBe(100)
    await serving
    expect(checkout.customer?.balance).toBe(777)
  })

  test('continues with the customer whom they were merged into, and says so', async () => {
    const kept = customer('kept', { balance: 900 })
    const checkout = createCheckout({ read: () => Promise.resolve(ok(kept)) })
    await checkout.serve(maria)
    expect(checkout.customer).toEqual(kept)
    expect(checkout.welcome).toBe('merged')
  })

  test.each([{ kind: 'offline' }, { kind: 'not-found' }] as const)(
    'shows no outdated balance after $kind',
    async (failure) => {
      const checkout = createCheckout({ read: () => Promise.resolve(err(failure)) })
      await checkout.serve(maria)
      expect(checkout.customer).toMatchObject({ id: 'maria', balance: null, lifetimePoints: null })
      expect(checkout.isBalanceUnread).toBe(true)
      checkout.choose(customer('nikos'))
      expect(checkout.isBalanceUnread).toBe(false)
    }
  )

  test('reads the balance again when it is asked to', async () => {
    const answers = [err({ kind: 'offline' } as const), ok({ ...maria, balance: 777 })]
    const checkout = createCheckout({ read: () => Promise.resolve(answers.shift() ?? ok(maria)) })
    await checkout.serve(maria)
    await checkout.readCustomer()
    expect(checkout.customer?.balance).toBe(777)
    expect(checkout.isBalanceUnread).toBe(false)
  })

  test('keeps the balance that an operation told meanwhile', async () => {
    const { requests, call } = deferredCalls<{ id: string }, Customer>()
    const checkout = createCheckout({ read: call })
    const serving = checkout.serve(maria)
    checkout.updateBalance('maria', 40)
    requests[0]?.resolve(ok({ ...maria, balance: 100 }))
    await serving
    expect(checkout.customer?.balance).toBe(40)
  })

  test('does not replace a customer who was selected meanwhile', async () => {
    const checkout = createCheckout({ read: () => Promise.resolve(ok(maria)) })
    const serving = checkout.serve(maria)
    checkout.choose(customer('nikos'))
    await serving
    expect(checkout.customer?.id).toBe('nikos')
  })
})

describe('restoring a slip with unknown outcome', () => {
  test('restores its customer and its points', async () => {
    const checkout = createCheckout({ read: ({ id }) => Promise.resolve(ok(customer(id))) })
    const unknown = slip('x', { state: 'unknown', points: 40, customer: { id: 'maria', name: 'Maria' } })
    expect(await checkout.restoreSlip(unknown)).toBe(true)
    expect(checkout.customer?.id).toBe('maria')
    expect(checkout.form.points).toBe('40')
  })

  test.each([
    ['points', (checkout: Checkout) => checkout.form.typePoints('70')],
    ['another customer', (checkout: Checkout) => checkout.choose(customer('nikos'))],
    ['a search text', (checkout: Checkout) => checkout.search.type('nik')],
    ['a registration', (checkout: Checkout) => checkout.openRegistration()]
  ])('changes nothing when %s came meanwhile', async (_, change) => {
    const { requests, call } = deferredCalls<{ id: string }, Customer>()
    const checkout = createCheckout({ read: call })
    const restoring = checkout.restoreSlip(
      slip('x', { points: 40, customer: { id: 'maria', name: 'Maria' } })
    )
    change(checkout)
    const { draft } = checkout
    requests[0]?.resolve(ok(maria))
    expect(await restoring).toBe(false)
    expect(checkout.draft).toEqual(draft)
    checkout.search.clear()
  })

  test('changes nothing when the customer cannot be read', async () => {
    const checkout = createCheckout({ read: () => Promise.resolve(err({ kind: 'offline' })) })
    const unknown = slip('x', { state: 'unknown', customer: { id: 'maria', name: 'Maria' } })
    expect(await checkout.restoreSlip(unknown)).toBe(false)
    await flushPromises()
    expect(checkout.form.points).toBe('')
    expect(checkout.reading.failure).toEqual({ kind: 'offline' })
  })
})
