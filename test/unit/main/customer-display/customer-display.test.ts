import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import {
  customerDisplayViewSchema,
  type CustomerDisplayView,
  type CustomerScreen,
  type PhoneEntryEnd,
  type PhoneKey,
  type TypedPhone
} from '../../../../electron/contract/customer-display.ts'
import type { AffordableRewards } from '../../../../electron/contract/affordable-rewards.ts'
import { localeOf } from '../../../../electron/contract/language.ts'
import type { Customer } from '../../../../electron/contract/loyalty.ts'
import type { Redemption } from '../../../../electron/contract/redemptions.ts'
import { DEFAULT_TILL_SETTINGS } from '../../../../electron/contract/settings.ts'
import { NO_STAFF } from '../../../../electron/contract/staff.ts'
import type { TillState } from '../../../../electron/contract/till.ts'
import {
  chooseDisplayScreen,
  CustomerDisplay,
  DISPLAY_SECONDS
} from '../../../../electron/main/customer-display/customer-display.ts'
import { DEFAULT_SETTINGS } from '../../../../electron/main/settings/settings-schema.ts'
import { drawQr } from '../../../../electron/images/qr-code.ts'
import { tillState } from '../../../support/till-state.ts'

const business: NonNullable<TillState['business']> = {
  id: 'b1',
  name: 'Corner Café',
  logo: '/image/logo',
  timeZone: 'Europe/Athens',
  currentPlan: '',
  currentPlanInterval: '',
  currentCustomers: null,
  getStartedLink: 'https://points.example/join',
  address: { street: '', city: '', state: '', country: '', zipCode: '' },
  extensions: []
}

const customer = (change: Partial<Customer> = {}): Customer => ({
  id: 'c1',
  name: 'Maria Papadopoulou',
  phone: '+306901234567',
  email: 'maria@example.com',
  avatar: '/image/face',
  balance: 1240,
  lifetimePoints: 5000,
  ...change
})

const qr = drawQr('https://points.example/q/CODE-1')

/** Creates a display with a clock and timers that the test advances. */
function createDisplay(change: Partial<TillState> = {}) {
  let state = tillState({ business, ...change })
  const owner = { number: state.owner }
  const seen = { isShown: true, hasTouch: true }
  /** what balances buy */
  const known: { affordable: (balance: number | null) => AffordableRewards | null } = {
    affordable: () => null
  }
  let now = Date.parse('2026-11-21T12:00:00.000Z')
  const timers = new Set<{ at: number; then: () => void }>()
  const views: CustomerDisplayView[] = []
  const phones: TypedPhone[] = []
  const drawn: string[] = []
  const display = new CustomerDisplay({
    session: {
      get mode() {
        return state.mode
      },
      get owner() {
        return state.owner === owner.number ? owner : { number: state.owner }
      },
      get business() {
        return state.business
      }
    },
    settings: {
      get values() {
        return { ...DEFAULT_SETTINGS, ...state.settings, baseUrl: state.baseUrl }
      }
    },
    staff: {
      get state() {
        return state.staff
      }
    },
    languages: {
      get slip() {
        return state.slipLanguage
      }
    },
    country: {
      get code() {
        return state.country
      }
    },
    images: { path: (link) => link },
    catalogue: known,
    qr: {
      opened: {
        drawQr: (url) => {
          drawn.push(url)
          return drawQr(url)
        }
      }
    },
    window: {
      isOpen: () => seen.isShown,
      hasTouch: () => seen.isShown && seen.hasTouch,
      send: (view) => views.push(view)
    },
    clock: {
      now: () => new Date(now),
      after: (ms, then) => {
        const timer = { at: now + ms, then }
        timers.add(timer)
        return () => timers.delete(timer)
      }
    },
    sendTypedPhone: (phone) => phones.push(phone)
  })
  return {
    display,
    seen,
    known,
    views,
    phones,
    drawn,
    shows: () => display.view().shows,
    become: (next: Partial<TillState>): void => {
      state = { ...state, ...next }
      display.handleStateChange()
    },
    pass: (seconds: number): void => {
      now += seconds * 1000
      for (const timer of [...timers]) {
        if (timer.at > now) continue
        timers.delete(timer)
        timer.then()
      }
    }
  }
}

const redemption: Redemption = {
  intentId: '00000000-0000-4000-8000-000000000001',
  state: 'redeemed',
  revision: 2,
  customer: { id: 'c1', name: 'Maria Papadopoulou' },
  reward: { id: 'r1', name: 'Espresso' },
  cost: 120,
  balanceBefore: 1240,
  balance: 1120,
  ...{ cashier: null, caller: null, reference: null },
  requestedAt: '2026-11-21T12:00:00.000Z',
  doneAt: '2026-11-21T12:00:00.000Z',
  ...{ reversibleUntil: null, undo: null, undoneAt: null, failure: null, ending: null, training: false }
}

const issued = { points: 250, customer: { id: 'c1', name: 'Maria Papadopoulou' } }

describe('the customer display', () => {
  it('shows the business and the code for new customers while no customer is served', () => {
    expect(createDisplay().shows()).toEqual({
      kind: 'idle',
      businessName: 'Corner Café',
      logo: '/image/logo',
      joinUs: drawQr('https://points.example/join')
    })
  })

  it('shows no code for new customers without a link, and no name without a profile', () => {
    expect(createDisplay({ business: { ...business, getStartedLink: null } }).shows()).toHaveProperty(
      'joinUs',
      null
    )
    expect(createDisplay({ business: null }).shows()).toEqual({
      kind: 'idle',
      businessName: '',
      logo: null,
      joinUs: null
    })
  })

  it('shows the first name and the balance of the served customer', () => {
    const { display, shows, views } = createDisplay()
    display.addCustomer(customer())
    display.setServedCustomer('c1')
    expect(shows()).toEqual({
      kind: 'serving',
      firstName: 'Maria',
      balance: 1240,
      standing: null,
      affordable: null
    })
    expect(views).toHaveLength(1)
  })

  it('sends and draws no view while it is hidden, and the current one when it is shown', () => {
    const { display, seen, views, drawn } = createDisplay()
    seen.isShown = false
    display.addCustomer(customer())
    display.setServedCustomer('c1')
    display.setServedCustomer(null)
    expect(views).toEqual([])
    expect(drawn).toEqual([])
    seen.isShown = true
    display.handleStateChange()
    expect(views.map(({ shows }) => shows.kind)).toEqual(['idle'])
  })

  it('updates the balance of the served customer', () => {
    const { display, views } = createDisplay()
    display.addCustomer(customer())
    display.setServedCustomer('c1')
    display.addCustomer(customer({ balance: 1300 }))
    expect(views.at(-1)?.shows).toHaveProperty('balance', 1300)
  })

  it('shows a redeemed reward with the balance that is left for its time, and then the business', () => {
    const { display, shows, pass } = createDisplay()
    display.addCustomer(customer())
    display.setServedCustomer('c1')
    display.showRedeemed(redemption)
    display.setServedCustomer(null)
    expect(shows()).toEqual({
      kind: 'redeemed',
      firstName: 'Maria',
      reward: 'Espresso',
      cost: 120,
      balance: 1120,
      seconds: DISPLAY_SECONDS.withPaper
    })
    expect(v.is(customerDisplayViewSchema, display.view())).toBe(true)
    expect(JSON.stringify(display.view())).not.toContain('Papadopoulou')
    pass(DISPLAY_SECONDS.withPaper)
    expect(shows().kind).toBe('idle')
  })

  it('shows a redeemed reward without a name or balance that is not known', () => {
    const { display, shows } = createDisplay()
    display.showRedeemed({ ...redemption, customer: null, balance: null })
    expect(shows()).toMatchObject({ kind: 'redeemed', firstName: null, balance: null })
  })

  it('shows no customer who was never sent to the page', () => {
    const { display, shows } = createDisplay()
    display.setServedCustomer('unknown')
    expect(shows().kind).toBe('idle')
  })

  it('shows issued points and their code for their time, also when the customer is cleared, and then the business', () => {
    const { display, shows, pass, views } = createDisplay()
    display.addCustomer(customer())
    display.setServedCustomer('c1')
    display.showIssuedPoints(issued, qr)
    display.setServedCustomer(null)
    expect(shows()).toEqual({
      kind: 'points-issued',
      firstName: 'Maria',
      points: 250,
      qr,
      seconds: DISPLAY_SECONDS.withCode,
      affordable: null
    })
    pass(DISPLAY_SECONDS.withCode - 1)
    expect(shows()).toHaveProperty('seconds', 1)
    pass(1)
    expect(views.at(-1)?.shows.kind).toBe('idle')
  })

  it('shows points for a shorter time if the code was only printed', () => {
    const { display, shows, pass } = createDisplay()
    display.showIssuedPoints({ ...issued, customer: null }, null)
    expect(shows()).toEqual({
      kind: 'points-issued',
      firstName: null,
      points: 250,
      qr: null,
      seconds: DISPLAY_SECONDS.withPaper,
      affordable: null
    })
    pass(DISPLAY_SECONDS.withPaper)
    expect(shows().kind).toBe('idle')
  })

  it('shows what the balance buys, and once points are issued, what it buys with them', () => {
    const { display, known, shows } = createDisplay()
    known.affordable = (balance) =>
      balance === null
        ? null
        : { best: `for ${String(balance)}`, others: 3, next: { name: 'Mug', missing: 40 } }
    display.addCustomer(customer())
    display.setServedCustomer('c1')
    expect(shows()).toHaveProperty('affordable', {
      best: 'for 1240',
      others: 3,
      next: { name: 'Mug', missing: 40 }
    })
    display.showIssuedPoints(issued, qr)
    expect(shows()).toHaveProperty('affordable.best', 'for 1490')
    // Without a customer, or with one whose balance is not known, there is no balance.
    display.showIssuedPoints({ ...issued, customer: null }, qr)
    expect(shows()).toHaveProperty('affordable', null)
    display.showIssuedPoints({ ...issued, customer: { id: 'other', name: 'Nikos' } }, qr)
    expect(shows()).toHaveProperty('affordable', null)
  })

  it('shows what the balance buys as soon as that is known', () => {
    const { display, known, views, become } = createDisplay()
    display.addCustomer(customer())
    display.setServedCustomer('c1')
    known.affordable = () => ({ best: 'Mug', others: 0, next: null })
    become({})
    expect(views.at(-1)?.shows).toHaveProperty('affordable.best', 'Mug')
  })

  it('sends names and points of rewards, and nothing else of them', () => {
    const { display, known } = createDisplay()
    const extra = { id: 'r1', customer: 'Maria Papadopoulou' }
    known.affordable = () => ({
      best: 'Mug',
      others: 0,
      next: { name: 'Pie', missing: 40, ...extra },
      ...extra
    })
    display.addCustomer(customer())
    display.setServedCustomer('c1')
    expect(v.parse(customerDisplayViewSchema, display.view()).shows).toEqual({
      kind: 'serving',
      firstName: 'Maria',
      balance: 1240,
      standing: null,
      affordable: { best: 'Mug', others: 0, next: { name: 'Pie', missing: 40 } }
    })
  })

  it('shows level and points that end of the served customer, and nothing else that the shop’s rules say of them', () => {
    const { display, shows } = createDisplay()
    const level = { name: 'Gold', factor: '1.5' }
    const ending = { points: 120, lastDay: '2026-11-30' }
    display.setStanding('c1', { level, next: { name: 'Platinum', missing: 250 }, ending })
    display.addCustomer(customer())
    display.setServedCustomer('c1')
    expect(shows()).toHaveProperty('standing', null)
    display.setStanding('c1', { level, next: { name: 'Platinum', missing: 250 }, ending })
    expect(v.parse(customerDisplayViewSchema, display.view()).shows).toHaveProperty('standing', {
      level,
      ending
    })
    display.addCustomer(customer({ balance: 1300 }))
    expect(shows()).toHaveProperty('standing.level', level)
    display.forgetCustomer('c1')
    display.addCustomer(customer())
    expect(shows()).toHaveProperty('standing', null)
  })

  it('replaces issued points by the next customer, also by the same one after a pause', () => {
    const { display, shows, pass } = createDisplay()
    display.addCustomer(customer())
    display.addCustomer(customer({ id: 'c2', name: 'Nikos Georgiou', balance: 85 }))
    display.setServedCustomer('c1')
    display.showIssuedPoints(issued, qr)
    display.setServedCustomer('c2')
    expect(shows()).toEqual({
      kind: 'serving',
      firstName: 'Nikos',
      balance: 85,
      standing: null,
      affordable: null
    })
    // The timer of the replaced view is cancelled.
    pass(DISPLAY_SECONDS.withCode)
    expect(shows().kind).toBe('serving')
    display.showIssuedPoints(issued, qr)
    display.setServedCustomer(null)
    display.setServedCustomer('c2')
    expect(shows().kind).toBe('serving')
  })

  it('keeps issued points when the page sends the same customer again', () => {
    const { display, shows } = createDisplay()
    display.addCustomer(customer())
    display.setServedCustomer('c1')
    display.showIssuedPoints(issued, qr)
    display.setServedCustomer('c1')
    expect(shows().kind).toBe('points-issued')
  })

  it('shows the newer of two slips for its full time', () => {
    const { display, shows, pass } = createDisplay()
    display.showIssuedPoints(issued, qr)
    pass(DISPLAY_SECONDS.withCode - 1)
    display.showIssuedPoints({ ...issued, points: 75 }, qr)
    pass(1)
    expect(shows()).toMatchObject({
      kind: 'points-issued',
      points: 75,
      seconds: DISPLAY_SECONDS.withCode - 1
    })
  })

  it('forgets all customers with another owner of the session', () => {
    const { display, shows, become } = createDisplay()
    display.addCustomer(customer())
    display.setServedCustomer('c1')
    display.showIssuedPoints(issued, qr)
    become({ owner: 2 })
    expect(shows().kind).toBe('idle')
    display.setServedCustomer('c1')
    expect(shows().kind).toBe('idle')
  })

  it('keeps its customers without a profile', () => {
    const { display, shows, become } = createDisplay()
    display.addCustomer(customer())
    display.setServedCustomer('c1')
    become({ business: null })
    expect(shows().kind).toBe('serving')
  })

  it('shows no customer while the till is locked', () => {
    const { display, shows, become } = createDisplay()
    display.addCustomer(customer())
    display.setServedCustomer('c1')
    become({ staff: { ...NO_STAFF, locked: true } })
    expect(shows().kind).toBe('idle')
  })

  it('uses the language of the slips, marks training mode, and sends changed views only', () => {
    const { display, views, become } = createDisplay()
    become({ slipLanguage: 'ar', country: 'EG', mode: 'training' })
    const locale = localeOf('ar', 'EG')
    expect(views.at(-1)).toMatchObject({ language: 'ar', direction: 'rtl', locale, training: true })
    become({ notices: [{ kind: 'settings-not-saved' }] })
    display.setServedCustomer(null)
    expect(views).toHaveLength(1)
  })

  it('sends no phone, e-mail or family name, also if they are in the name', () => {
    const { display, views } = createDisplay()
    const names = ['Maria Papadopoulou', '+30 690 123 4567', 'maria@example.com', '6901234567 Papadopoulou']
    for (const [index, name] of names.entries()) {
      const id = `c${String(index)}`
      display.addCustomer(customer({ id, name, balance: index }))
      display.setServedCustomer(id)
      display.showIssuedPoints({ points: 10, customer: { id, name } }, qr)
    }
    const text = JSON.stringify(views)
    expect(views).toHaveLength(8)
    expect(text).not.toMatch(/690|@|Papadop|c1/u)
  })

  describe('while the customer types a phone', () => {
    const type = (display: CustomerDisplay, keys: string): void => {
      display.askForPhone()
      for (const key of keys) display.pressKey(key as PhoneKey)
    }
    const ask = (change: Partial<TillState> = {}) => {
      const made = createDisplay({ country: 'GR', ...change })
      made.display.addCustomer(customer())
      made.display.addCustomer(customer({ id: 'c2', name: 'Nikos' }))
      made.display.setServedCustomer('c1')
      type(made.display, '690')
      return made
    }

    it('shows the shop and what is typed, and nothing of the till', () => {
      const { display, shows } = ask()
      expect(shows()).toEqual({
        kind: 'phone-entry',
        businessName: 'Corner Café',
        prefix: '+30',
        text: '690',
        isInvalid: false
      })
      expect(v.is(customerDisplayViewSchema, display.view())).toBe(true)
    })

    it('tells the till each change, and shows what it showed before when the customer is done', () => {
      const { display, phones, shows, views } = ask()
      for (const key of '1234567') display.pressKey(key as PhoneKey)
      display.pressKey('done')
      expect(phones.slice(0, 4).map(({ text }) => text)).toEqual(['', '+30 6', '+30 69', '+30 690'])
      expect(phones.at(-1)).toEqual({ text: '+30 690 123 4567', end: 'done' })
      expect(shows()).toMatchObject({ kind: 'serving', firstName: 'Maria' })
      expect(JSON.stringify(views.at(-1))).not.toMatch(/690|4567/u)
    })

    it.each<[string, PhoneEntryEnd, (made: ReturnType<typeof createDisplay>) => void]>([
      ['is asked to stop', 'stopped', ({ display }) => display.stopAskingForPhone()],
      ['is locked', 'stopped', ({ become }) => become({ staff: { ...NO_STAFF, locked: true } })],
      ['starts training mode', 'stopped', ({ become }) => become({ mode: 'training', owner: 0 })],
      ['serves another customer', 'replaced', ({ display }) => display.setServedCustomer('c2')],
      ['issues points', 'replaced', ({ display }) => display.showIssuedPoints(issued, qr)],
      ['redeems a reward', 'replaced', ({ display }) => display.showRedeemed(redemption)],
      ['gets no key for a minute', 'timed-out', ({ pass }) => pass(60)],
      [
        'loses its display',
        'closed',
        ({ seen, become }) => {
          seen.isShown = false
          become({})
        }
      ],
      [
        'loses the touch of its display',
        'closed',
        ({ seen, become }) => {
          seen.hasTouch = false
          become({})
        }
      ]
    ])('ends when the till %s', (_what, end, happen) => {
      const made = ask()
      happen(made)
      expect(made.phones.at(-1)?.end).toBe(end)
      expect(made.shows().kind).not.toBe('phone-entry')
      // Keys that come late change nothing.
      made.display.pressKey('5')
      expect(made.phones.at(-1)?.end).toBe(end)
      expect(made.phones.filter((phone) => phone.end !== null)).toHaveLength(1)
    })

    it('goes on while the same customer stays chosen, or none', () => {
      const { display, shows } = ask()
      display.setServedCustomer('c1')
      display.setServedCustomer(null)
      expect(shows().kind).toBe('phone-entry')
    })

    it('ends at once on a display without touch', () => {
      const { display, seen, phones, shows } = createDisplay()
      seen.hasTouch = false
      display.askForPhone()
      expect(phones.at(-1)?.end).toBe('closed')
      expect(shows().kind).toBe('idle')
    })
  })

  it('draws previews for the settings, with a code if the display delivers codes', () => {
    const { display, become } = createDisplay()
    expect(display.previews().map(({ shows }) => shows)).toMatchObject([
      { kind: 'idle', businessName: 'Corner Café' },
      { kind: 'serving', firstName: 'Zoë' },
      { kind: 'points-issued', firstName: 'Zoë', qr: null }
    ])
    become({ settings: { ...DEFAULT_TILL_SETTINGS, deliveryMethod: 'both' } })
    expect(display.previews().at(-1)?.shows).toMatchObject({ qr: { size: 29 } })
  })

  it('drops fields that are not in the schema of the view', () => {
    const { display } = createDisplay()
    display.addCustomer(customer())
    display.setServedCustomer('c1')
    const view = display.view()
    const leaking = { ...view, phone: '+306901234567', shows: { ...view.shows, email: 'maria@example.com' } }
    expect(v.parse(customerDisplayViewSchema, leaking)).toEqual(view)
  })
})

const screen = (id: number, tillIsHere = false): CustomerScreen => ({
  id,
  label: `Screen ${String(id)}`,
  number: id,
  width: 1024,
  height: 600,
  primary: id === 1,
  tillIsHere
})

describe('the screen of the customer display', () => {
  it('is the first one without the till’s window', () => {
    expect(chooseDisplayScreen([screen(1, true), screen(2), screen(3)], null)?.id).toBe(2)
    expect(chooseDisplayScreen([screen(1), screen(2, true), screen(3)], null)?.id).toBe(1)
  })

  it('is the chosen one', () => {
    expect(chooseDisplayScreen([screen(1, true), screen(2), screen(3)], 3)?.id).toBe(3)
  })

  it('is none without a second screen, while the chosen one is unplugged, or if it shows the till', () => {
    expect(chooseDisplayScreen([screen(1, true)], null)).toBeNull()
    expect(chooseDisplayScreen([screen(1, true), screen(2)], 3)).toBeNull()
    expect(chooseDisplayScreen([screen(1), screen(2, true)], 2)).toBeNull()
  })
})
