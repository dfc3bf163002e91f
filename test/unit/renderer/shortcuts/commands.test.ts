import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ok } from '../../../../electron/contract/failure.ts'
import { createCommandHandler, type CommandHandler } from '../../../../renderer/src/shortcuts/commands.ts'
import { BusinessContext, createAppContext } from '../../../../renderer/src/state/app-context.svelte.ts'
import type { Route, Router } from '../../../../renderer/src/state/navigation.svelte.ts'
import { bridgeWith, customer, issued, slip } from '../support/bridge.ts'

const reprintLast = vi.fn(() => Promise.resolve(ok(issued('last'))))
let businessContext: BusinessContext
let router: Router
let perform: CommandHandler

beforeEach(() => {
  reprintLast.mockClear()
  const bridge = bridgeWith({
    slips: { reprintLast, report: () => new Promise(() => undefined) },
    customers: { find: () => new Promise(() => undefined) }
  })
  const app = createAppContext(bridge, { location: { hash: '' } } as unknown as Window)
  router = app.router
  businessContext = new BusinessContext(app)
  perform = createCommandHandler(app, businessContext)
})

describe('commands', () => {
  test.each([
    ['find', 'till', 'search'],
    ['register', 'till', 'registration'],
    ['points', 'till', 'bill-or-points'],
    ['customers', 'customers', null],
    ['settings', 'settings', null],
    ['rewards', 'rewards', null],
    ['slips', 'slips', null],
    ['check-code', 'slips', 'code']
  ] as const)('%s navigates to %s and moves the focus to %s', (command, place, focus) => {
    router.navigate('customers')
    perform(command)
    expect(router.current).toEqual(place)
    expect(businessContext.focus.pending).toEqual(focus)
  })

  test.each([
    ['customers', 'till'],
    ['slips', 'slips'],
    ['till', 'till']
  ] as const)('reprint on the screen %s prints once and ends on the screen %s', (from, seen) => {
    router.navigate(from)
    perform('reprint')
    expect(router.current).toEqual(seen)
    expect(reprintLast).toHaveBeenCalledTimes(1)
  })

  test.each([
    ['the form of a batch', () => businessContext.batches.openForm(false)],
    ['the day report', () => (businessContext.report.open = true)],
    ['the details of a slip', () => (businessContext.slips.chosen = slip('a'))]
  ])('slips returns from %s to the list, and from another screen to where it was left', (_, open) => {
    const isOpen = () =>
      businessContext.batches.form !== null ||
      businessContext.report.open ||
      businessContext.slips.chosen !== null
    router.navigate('slips')
    open()
    router.navigate('till')
    perform('slips')
    expect([router.current, isOpen()]).toEqual(['slips', true])
    perform('slips')
    expect([router.current, isOpen()]).toEqual(['slips', false])
  })

  test('check-code shows the field in the place of the report', () => {
    router.navigate('slips')
    businessContext.report.open = true
    perform('check-code')
    expect([businessContext.report.open, businessContext.focus.pending]).toEqual([false, 'code'])
  })

  test('lock on a till without a PIN opens the section that sets one', () => {
    perform('lock')
    expect([router.current, businessContext.settingsSection]).toEqual(['settings', 'staff'])
  })

  test('help toggles the help dialog', () => {
    perform('help')
    expect(businessContext.helpOpen).toBe(true)
    perform('help')
    expect(businessContext.helpOpen).toBe(false)
  })
})

describe('the back command', () => {
  test('at the till closes the registration, then clears the search, then the customer', () => {
    const { checkout } = businessContext
    checkout.choose(customer('maria'))
    checkout.search.type('nikos')
    checkout.openRegistration()
    const checkoutState = () => [checkout.registration !== null, checkout.search.text, checkout.customer?.id]
    perform('back')
    expect(checkoutState()).toEqual([false, 'nikos', 'maria'])
    perform('back')
    expect(checkoutState()).toEqual([false, '', 'maria'])
    expect(businessContext.focus.pending).toBe('bill-or-points')
    perform('back')
    expect(checkoutState()).toEqual([false, '', undefined])
    expect(businessContext.focus.pending).toBe('search')
    perform('back')
    expect(router.current).toBe('till')
  })

  test.each(['customers', 'rewards', 'slips', 'settings'] as const)(
    'on the screen %s navigates to the till',
    (place: Route) => {
      router.navigate(place)
      perform('back')
      expect(router.current).toBe('till')
    }
  )

  test('on the slips screen closes the report, then navigates to the till', () => {
    router.navigate('slips')
    businessContext.report.open = true
    perform('back')
    expect([businessContext.report.open, router.current]).toEqual([false, 'slips'])
    perform('back')
    expect(router.current).toBe('till')
  })

  test('on the customers screen clears the search, then closes the details', () => {
    router.navigate('customers')
    businessContext.customers.search.type('ma')
    businessContext.customers.chosen = customer('maria')
    perform('back')
    expect(businessContext.customers.search.text).toBe('')
    expect(businessContext.customers.chosen.id).toBe('maria')
    perform('back')
    expect(businessContext.customers.chosen).toBeNull()
    expect(router.current).toBe('customers')
  })
})

describe('a registration that was closed', () => {
  test('is restored while the search text is unchanged', () => {
    const { checkout } = businessContext
    checkout.search.type('Maria P')
    checkout.openRegistration()
    if (checkout.registration) checkout.registration.phone = '690'
    perform('find')
    expect(checkout.registration).toBeNull()
    perform('register')
    expect(checkout.registration).toMatchObject({ name: 'Maria P', phone: '690' })
  })

  test('is replaced by a new one when the search text has changed', () => {
    const { checkout } = businessContext
    checkout.search.type('Maria P')
    checkout.openRegistration()
    perform('back')
    checkout.search.type('690 123 4567')
    perform('register')
    expect(checkout.registration).toMatchObject({ name: '', phone: '690 123 4567' })
  })
})
