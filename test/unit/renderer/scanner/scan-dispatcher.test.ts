import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Bridge } from '../../../../electron/contract/bridge.ts'
import { err, ok } from '../../../../electron/contract/failure.ts'
import type { Extension } from '../../../../electron/contract/extensions.ts'
import type { Customer } from '../../../../electron/contract/loyalty.ts'
import type { CheckedCode } from '../../../../electron/contract/slips.ts'
import type { Scan, ScanKind } from '../../../../renderer/src/scanner/parse-scan.ts'
import { ScanDispatcher } from '../../../../renderer/src/scanner/scan-dispatcher.svelte.ts'
import { BusinessContext, createAppContext } from '../../../../renderer/src/state/app-context.svelte.ts'
import type { Router } from '../../../../renderer/src/state/navigation.svelte.ts'
import { bridgeWith, customer } from '../support/bridge.ts'

const [maria, nikos] = [customer('maria'), customer('nikos')]
const checked: CheckedCode = { code: 'AR7K', qr: null, used: null, slip: null }

let businessContext: BusinessContext
let router: Router
let dispatcher: ScanDispatcher
let blocked: boolean
let people: Readonly<Record<string, readonly Customer[]>>
let codes: readonly string[]
/** the extensions of the service */
let offered: readonly Extension[]

beforeEach(() => {
  vi.useFakeTimers()
  blocked = false
  people = {}
  codes = []
  offered = []
  const find: Bridge['customers']['find'] = ({ text }) =>
    Promise.resolve(
      codes.includes(text)
        ? ok({ kind: 'code', code: checked })
        : ok({ kind: 'customers', customers: people[text] ?? [], page: 1, hasMore: false, phone: null })
    )
  const check: Bridge['slips']['check'] = ({ code }) =>
    Promise.resolve(codes.includes(code) ? ok(checked) : err({ kind: 'not-found' }))
  const bridge = bridgeWith({ customers: { find }, slips: { check } })
  const app = createAppContext(bridge, { location: { hash: '' } } as unknown as Window)
  vi.spyOn(app.till, 'offers').mockImplementation((extension) => offered.includes(extension))
  router = app.router
  businessContext = new BusinessContext(app)
  dispatcher = new ScanDispatcher(app, businessContext, () => blocked)
})
afterEach(() => {
  vi.useRealTimers()
})

const scan = async (
  kind: ScanKind,
  text: string,
  others: readonly string[] = [],
  isUnclear = false
): Promise<void> => {
  const one: Scan = { kind, text, others, isUnclear }
  dispatcher.take(one)
  await vi.advanceTimersByTimeAsync(0)
}

describe('scan of a phone number or an e-mail address', () => {
  test.each(['till', 'customers', 'slips', 'settings'] as const)(
    'on the screen %s selects the only match at the till',
    async (place) => {
      router.navigate(place)
      people = { '6901234567': [maria] }
      await scan('phone', '6901234567')
      expect(router.current).toBe('till')
      expect(businessContext.checkout.customer?.id).toBe('maria')
      expect(businessContext.focus.pending).toBe('bill-or-points')
    }
  )

  test('with several matches moves the focus to the results', async () => {
    people = { 'team@example.com': [maria, nikos] }
    await scan('email', 'team@example.com')
    expect(businessContext.checkout.customer).toBeNull()
    expect(businessContext.focus.pending).toBe('results')
  })

  test('without a match stays in the search field, ready for registration', async () => {
    await scan('phone', '6901234567')
    expect(businessContext.checkout.search.text).toBe('6901234567')
    expect(businessContext.focus.pending).toBe('search')
  })

  test('fills the phone field of an open registration', async () => {
    businessContext.checkout.openRegistration()
    await scan('phone', '6901234567')
    expect(businessContext.checkout.registration?.phone).toBe('6901234567')
  })
})

describe('scan of a code', () => {
  test('at the till shows the code in the search results', async () => {
    codes = ['https://points.example/q/AR7K']
    await scan('address', 'https://points.example/q/AR7K')
    expect(router.current).toBe('till')
    expect(businessContext.checkout.search.result?.code).toEqual(checked)
  })

  test('on another screen checks the code on the slips screen', async () => {
    router.navigate('customers')
    codes = ['AR7K-5093']
    await scan('code', 'AR7K-5093')
    expect(router.current).toBe('slips')
    expect(businessContext.codeCheck.checked).toEqual(checked)
  })

  test('during a registration checks the code on the slips screen and keeps the form', async () => {
    businessContext.checkout.openRegistration()
    codes = ['AR7K-5093']
    await scan('code', 'AR7K-5093')
    expect(router.current).toBe('slips')
    expect(businessContext.codeCheck.checked).toEqual(checked)
    expect(businessContext.checkout.registration).not.toBeNull()
  })

  test.each(['till', 'slips'] as const)(
    'on the screen %s tries the second keyboard layout when the first reading is unknown',
    async (place) => {
      router.navigate(place)
      codes = ['YZ4711']
      await scan('code', 'ZY4711', ['YZ4711'])
      const found =
        place === 'till' ? businessContext.checkout.search.result?.code : businessContext.codeCheck.checked
      expect(found).toEqual(checked)
    }
  )
})

test('a customer who is typed while a scan is looked up stays', async () => {
  const { search } = businessContext.checkout
  dispatcher.take({ kind: 'code', text: 'ZY4711', others: ['YZ4711'], isUnclear: true })
  search.type('maria')
  await vi.advanceTimersByTimeAsync(0)
  expect(search.text).toBe('maria')
})

test('a code that is typed while a scan is checked stays', async () => {
  router.navigate('slips')
  const { codeCheck } = businessContext
  dispatcher.take({ kind: 'code', text: 'ZY4711', others: ['YZ4711'], isUnclear: false })
  codeCheck.type('AR7K')
  await codeCheck.check()
  await vi.advanceTimersByTimeAsync(0)
  expect(codeCheck.text).toBe('AR7K')
})

describe('scan that begins with what may have been typed', () => {
  test('is the reading that is found', async () => {
    codes = ['AR7K-5093']
    await scan('code', '2AR7K-5093', ['AR7K-5093'], true)
    expect(businessContext.checkout.search.result?.code).toEqual(checked)
    expect(dispatcher.message).toBeNull()
  })

  test('offers nothing to be registered if nothing is found, and keeps what was typed', async () => {
    businessContext.checkout.search.type('2')
    await scan('code', '2AR7K-5093', ['AR7K-5093'], true)
    expect(businessContext.checkout.search.text).toBe('2')
    expect(dispatcher.message).toBe('unclear')
  })

  test('is not searched where two readings would be possible', () => {
    dispatcher.take(null)
    expect(dispatcher.message).toBe('unclear')
    expect(businessContext.checkout.search.text).toBe('')
  })
})

describe('scan while a dialog is open', () => {
  test('is ignored, and a message about it is shown for some seconds', async () => {
    blocked = true
    await scan('phone', '6901234567')
    expect(dispatcher.message).toBe('ignored')
    expect(businessContext.checkout.search.text).toBe('')
    vi.advanceTimersByTime(10_000)
    expect(dispatcher.message).toBeNull()
  })
})

describe('scan of the code that a customer’s phone shows', () => {
  const code = 'HTTPS://POINTS.EXAMPLE.COM/C/4K7Q2M0ZC4T9AX3BD7QK2M0ZC4'

  test.each(['till', 'rewards', 'slips', 'settings'] as const)(
    'on the screen %s selects the customer at the till',
    async (place) => {
      offered = ['customer-codes/1']
      router.navigate(place)
      people = { [code]: [maria] }
      await scan('address', code)
      expect(router.current).toBe('till')
      expect(businessContext.checkout.customer).toEqual(maria)
    }
  )
})
