import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Bridge } from '../../../../electron/contract/bridge.ts'
import { err, ok } from '../../../../electron/contract/failure.ts'
import type { Customer } from '../../../../electron/contract/loyalty.ts'
import type { CheckedCode } from '../../../../electron/contract/slips.ts'
import type { Scan, ScanKind } from '../../../../renderer/src/scanner/reading.ts'
import { Scans } from '../../../../renderer/src/scanner/scans.svelte.ts'
import { Answers } from '../../../../renderer/src/state/answers.svelte.ts'
import type { Elsewhere } from '../../../../renderer/src/state/elsewhere.svelte.ts'
import { Places } from '../../../../renderer/src/state/places.svelte.ts'
import { Staff } from '../../../../renderer/src/state/staff.svelte.ts'
import { Till } from '../../../../renderer/src/state/till.svelte.ts'
import { Workplace } from '../../../../renderer/src/state/workplace.svelte.ts'
import { bridgeWith, customer, settle } from '../support/bridge.ts'

const [maria, nikos] = [customer('maria'), customer('nikos')]
const checked: CheckedCode = { code: 'AR7K', qr: null, used: null, slip: null }

let workplace: Workplace
let elsewhere: Elsewhere
let places: Places
let scans: Scans
let blocked: boolean
let people: Readonly<Record<string, readonly Customer[]>>
let codes: readonly string[]

beforeEach(async () => {
  vi.useFakeTimers()
  blocked = false
  people = {}
  codes = []
  const find: Bridge['customers']['find'] = ({ text }) =>
    Promise.resolve(
      codes.includes(text)
        ? ok({ kind: 'code', code: checked })
        : ok({ kind: 'customers', customers: people[text] ?? [], page: 1, hasMore: false, phone: null })
    )
  const check: Bridge['slips']['check'] = ({ code }) =>
    Promise.resolve(codes.includes(code) ? ok(checked) : err({ kind: 'not-found' }))
  const bridge = bridgeWith({ customers: { find }, slips: { check } })
  const answers = new Answers()
  const till = new Till(bridge, answers)
  places = new Places({ location: { hash: '' } } as unknown as Window)
  const house = { bridge, answers, till, places, staff: new Staff(bridge, answers, till) }
  workplace = new Workplace(house)
  elsewhere = await workplace.reachElsewhere()
  scans = new Scans(house, workplace, () => blocked)
})
afterEach(() => {
  vi.useRealTimers()
})

const scan = async (kind: ScanKind, text: string, other: string | null = null): Promise<void> => {
  const one: Scan = { kind, text, other }
  scans.take(one)
  await settle()
}

describe('a phone or an e-mail', () => {
  test.each(['till', 'customers', 'slips', 'settings'] as const)(
    'read at %s serves its customer at the till',
    async (place) => {
      places.go(place)
      people = { '6901234567': [maria] }
      await scan('phone', '6901234567')
      expect([places.here, workplace.counter.customer?.id, workplace.focus.wanted]).toEqual([
        'till',
        'maria',
        'figures'
      ])
    }
  )

  test('that several have leads to the list', async () => {
    people = { 'team@example.com': [maria, nikos] }
    await scan('email', 'team@example.com')
    expect([workplace.counter.customer, workplace.focus.wanted]).toEqual([null, 'results'])
  })

  test('that nobody has stands in the search, ready to be registered', async () => {
    await scan('phone', '6901234567')
    expect([workplace.counter.find.text, workplace.focus.wanted]).toEqual(['6901234567', 'search'])
  })

  test('goes into the form of a new customer that is being filled in', async () => {
    workplace.counter.openRegistration()
    await scan('phone', '6901234567')
    expect(workplace.counter.registration?.phone).toBe('6901234567')
  })
})

describe('a code', () => {
  test('read at the till is shown in place', async () => {
    codes = ['https://points.example/q/AR7K']
    await scan('address', 'https://points.example/q/AR7K')
    expect([places.here, workplace.counter.find.finding?.code]).toEqual(['till', checked])
  })

  test('read elsewhere is checked where codes are', async () => {
    places.go('customers')
    codes = ['AR7K-5093']
    await scan('code', 'AR7K-5093')
    expect([places.here, elsewhere.codeCheck.checked]).toEqual(['slips', checked])
  })

  test('leaves a form that is being filled in as it is', async () => {
    workplace.counter.openRegistration()
    codes = ['AR7K-5093']
    await scan('code', 'AR7K-5093')
    expect([places.here, elsewhere.codeCheck.checked]).toEqual(['slips', checked])
    expect(workplace.counter.registration).not.toBeNull()
  })

  test.each(['till', 'slips'] as const)('that is none at %s is tried in the other layout', async (place) => {
    places.go(place)
    codes = ['YZ4711']
    await scan('code', 'ZY4711', 'YZ4711')
    const found = place === 'till' ? workplace.counter.find.finding?.code : elsewhere.codeCheck.checked
    expect(found).toEqual(checked)
  })
})

describe('behind a dialog', () => {
  test('nothing is looked up, and it is said for a while', async () => {
    blocked = true
    await scan('phone', '6901234567')
    expect([scans.dropped, workplace.counter.find.text]).toEqual([true, ''])
    vi.advanceTimersByTime(10_000)
    expect(scans.dropped).toBe(false)
  })
})
