import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ok } from '../../../../electron/contract/failure.ts'
import { createPerform, type Perform } from '../../../../renderer/src/shortcuts/commanding.ts'
import { Answers } from '../../../../renderer/src/state/answers.svelte.ts'
import type { Elsewhere } from '../../../../renderer/src/state/elsewhere.svelte.ts'
import { Places, type Place } from '../../../../renderer/src/state/places.svelte.ts'
import { Staff } from '../../../../renderer/src/state/staff.svelte.ts'
import { Till } from '../../../../renderer/src/state/till.svelte.ts'
import { Workplace } from '../../../../renderer/src/state/workplace.svelte.ts'
import { bridgeWith, customer, issued } from '../support/bridge.ts'

const reprintLast = vi.fn(() => Promise.resolve(ok(issued('last'))))
let workplace: Workplace
let elsewhere: Elsewhere
let places: Places
let perform: Perform

beforeEach(async () => {
  reprintLast.mockClear()
  const bridge = bridgeWith({
    slips: { reprintLast },
    customers: { find: () => new Promise(() => undefined) }
  })
  const answers = new Answers()
  places = new Places({ location: { hash: '' } } as unknown as Window)
  const till = new Till(bridge, answers)
  const house = { bridge, answers, till, places, staff: new Staff(bridge, answers, till) }
  workplace = new Workplace(house)
  elsewhere = await workplace.reachElsewhere()
  perform = createPerform(house, workplace)
})

describe('from any place', () => {
  test.each([
    ['find', 'till', 'search'],
    ['register', 'till', 'registration'],
    ['points', 'till', 'figures'],
    ['rewards', 'rewards', null],
    ['slips', 'slips', null],
    ['check-code', 'slips', 'code']
  ] as const)('%s goes to %s and the focus to %s', (command, place, focus) => {
    places.go('customers')
    perform(command)
    expect([places.here, workplace.focus.wanted]).toEqual([place, focus])
  })

  test.each([
    ['customers', 'till'],
    ['slips', 'slips'],
    ['till', 'till']
  ] as const)('reprint at %s prints once, and is seen at %s', (from, seen) => {
    places.go(from)
    perform('reprint')
    expect([places.here, reprintLast.mock.calls.length]).toEqual([seen, 1])
  })

  test('help opens the sheet, and closes it', () => {
    perform('help')
    expect(workplace.help.open).toBe(true)
    perform('help')
    expect(workplace.help.open).toBe(false)
  })
})

describe('one step back', () => {
  test('at the till leaves the form, then the search, then the customer', () => {
    const { counter } = workplace
    counter.choose(customer('maria'))
    counter.find.text = 'nikos'
    counter.openRegistration()
    const standing = () => [counter.registration !== null, counter.find.text, counter.customer?.id]
    perform('back')
    expect(standing()).toEqual([false, 'nikos', 'maria'])
    perform('back')
    expect([standing(), workplace.focus.wanted]).toEqual([[false, '', 'maria'], 'figures'])
    perform('back')
    expect([standing(), workplace.focus.wanted]).toEqual([[false, '', undefined], 'search'])
    perform('back')
    expect(places.here).toBe('till')
  })

  test.each(['customers', 'rewards', 'slips', 'settings'] as const)(
    'from %s goes to the till',
    (place: Place) => {
      places.go(place)
      perform('back')
      expect(places.here).toBe('till')
    }
  )

  test('among customers empties the search, then closes the details', () => {
    places.go('customers')
    elsewhere.customers.find.text = 'ma'
    elsewhere.customers.chosen = customer('maria')
    perform('back')
    expect([elsewhere.customers.find.text, elsewhere.customers.chosen.id]).toEqual(['', 'maria'])
    perform('back')
    expect([elsewhere.customers.chosen, places.here]).toEqual([null, 'customers'])
  })
})

describe('a form that was left', () => {
  test('is there again as it was, while the same person is looked for', () => {
    const { counter } = workplace
    counter.find.text = 'Maria P'
    counter.openRegistration()
    if (counter.registration) counter.registration.phone = '690'
    perform('find')
    expect(counter.registration).toBeNull()
    perform('register')
    expect(counter.registration).toMatchObject({ name: 'Maria P', phone: '690' })
  })

  test('is not, once somebody else is', () => {
    const { counter } = workplace
    counter.find.text = 'Maria P'
    counter.openRegistration()
    perform('back')
    counter.find.text = '690 123 4567'
    perform('register')
    expect(counter.registration).toMatchObject({ name: '', phone: '690 123 4567' })
  })
})
