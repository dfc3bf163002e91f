import { render, screen } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Standing } from '../../../../electron/contract/earning-rules.ts'
import { err, ok } from '../../../../electron/contract/failure.ts'
import { ownRule } from '../../../../electron/contract/points-calculation.ts'
import type { Slip, SlipSearch } from '../../../../electron/contract/slips.ts'
import { NO_STAFF } from '../../../../electron/contract/staff.ts'
import { BusinessContext, createAppContext } from '../../../../renderer/src/state/app-context.svelte.ts'
import { business } from '../../../support/screenshots/sample-data.ts'
import { tillState } from '../../../support/till-state.ts'
import { bridgeWith, customer, flushPromises, slip } from '../support/bridge.ts'
import '../support/english.ts'
import WithAppContext from '../support/WithAppContext.svelte'

// Svelte's media queries need it, and jsdom has none.
vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false }))
const { default: CustomerCard } = await import('../../../../renderer/src/screens/till/CustomerCard.svelte')
const { default: SlipPreview } = await import('../../../../renderer/src/components/SlipPreview.svelte')
const { default: CustomerSearchResults } =
  await import('../../../../renderer/src/screens/till/CustomerSearchResults.svelte')

const pointsRule = { pointsPerUnit: '1', rounding: 'down', minimum: '0', currency: 'EUR' } as const
const NOW = '2026-11-26T12:00:00Z'
const of = (id: string) => ({ customer: { id, name: `Customer ${id}` } })
const before = slip('before', { ...of('maria'), points: 20, issuedAt: '2026-11-03T09:00:00Z' })

beforeEach(() => {
  vi.useFakeTimers({ now: new Date(NOW), toFake: ['Date'] })
  return () => vi.useRealTimers()
})

/** Shows a customer over a journal with these slips. The bridge has no other call. */
const show = async (
  slips: readonly Slip[],
  { row = false, locked = false, standing = null as Standing | null } = {}
) => {
  const searches: (SlipSearch | undefined)[] = []
  const bridge = bridgeWith({
    slips: {
      list: ({ search }) => {
        searches.push(search)
        const found = slips.filter((one) => one.customer?.id === search?.customerId)
        return Promise.resolve(ok({ slips: found, hasMore: false }))
      }
    },
    customers: { standing: () => Promise.resolve(ok(standing)) },
    rewards: { detail: () => new Promise(() => undefined) }
  })
  const app = createAppContext(bridge, window)
  const stateOf = (isLocked: boolean) =>
    tillState({
      staff: { ...NO_STAFF, locked: isLocked },
      shopRule: standing && { ...ownRule(pointsRule), version: 1 }
    })
  app.till.accept(stateOf(locked))
  const businessContext = new BusinessContext(app)
  businessContext.checkout.choose(customer('maria'))
  render(WithAppContext, { props: { app, businessContext, component: CustomerCard, props: { row } } })
  await flushPromises()
  return {
    app,
    bridge,
    businessContext,
    searches,
    unlock: async () => {
      app.till.accept(stateOf(false))
      await flushPromises()
    }
  }
}

const line = () =>
  screen
    .queryByRole('button', { name: /Last here/ })
    ?.textContent.replaceAll(/\s+/g, ' ')
    .trim()

test('says when the customer was here last, from the journal alone, and opens the customer', async () => {
  const { app, businessContext, searches } = await show([before, slip('other', of('nikos'))])
  expect(line()).toBe('Last here 3 November · 20 points')
  expect(searches).toEqual([{ customerId: 'maria' }])
  await userEvent.click(screen.getByRole('button', { name: /Last here/ }))
  expect(businessContext.customers.chosen?.id).toBe('maria')
  expect(app.router.current).toBe('customers')
  expect(businessContext.checkout.customer?.id).toBe('maria')
})

test('follows the journal, and the customer', async () => {
  const { bridge, businessContext } = await show([before, slip('other', { ...of('nikos'), points: 5 })])
  bridge.sendSlip(
    slip('now', { ...of('maria'), points: 70, requestedAt: NOW, issuedAt: '2026-11-26T11:58:00Z' })
  )
  await flushPromises()
  expect(line()).toMatch(/^Last here \d\d:58 · 70 points$/)
  businessContext.checkout.choose(customer('nikos'))
  await flushPromises()
  expect(line()).toBe('Last here 21 November · 5 points')
  businessContext.checkout.choose(customer('nikos', { balance: 7 }))
  await flushPromises()
  expect(line()).toBe('Last here 21 November · 5 points')
})

test.each([
  ['was never here', []],
  ['was forgotten', [{ ...before, customer: null }]],
  [
    'has a slip that was discarded, and one that was refused',
    [
      slip('discarded', { ...of('maria'), state: 'discarded' }),
      slip('refused', { ...of('maria'), state: 'refused', code: null })
    ]
  ]
] satisfies [string, readonly Slip[]][])('says nothing of a customer who %s', async (_, slips) => {
  await show(slips)
  expect(screen.getByText('Customer maria')).toBeDefined()
  expect(line()).toBeUndefined()
})

test('is read when the till is unlocked', async () => {
  const { searches, unlock } = await show([before], { locked: true })
  expect(searches).toEqual([])
  await unlock()
  expect(line()).toBe('Last here 3 November · 20 points')
})

test('a row has it in its dialog, too', async () => {
  await show([before], { row: true })
  await userEvent.click(screen.getByRole('button', { name: /Customer maria/ }))
  expect(screen.getByRole('dialog').textContent).toContain('3 November · 20 points')
})

test('a search while the till is offline says so in one line, and the banner alone offers Try again', async () => {
  const bridge = bridgeWith({ customers: { find: () => Promise.resolve(err({ kind: 'offline' })) } })
  const app = createAppContext(bridge, window)
  app.till.accept(tillState())
  const businessContext = new BusinessContext(app)
  const props = { onchoose: () => undefined, onleave: () => undefined }
  render(WithAppContext, { props: { app, businessContext, component: CustomerSearchResults, props } })
  businessContext.checkout.search.type('maria')
  await businessContext.checkout.search.searchNow()
  await flushPromises()
  // The failure of one search, while the till takes the service to be reachable.
  expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined()
  app.till.accept(tillState({ offlineSince: NOW }))
  await flushPromises()
  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.queryByRole('button')).toBeNull()
  expect(screen.getAllByText(/\S/)).toHaveLength(1)
})

test('the slip of a shop whose street and town have one name shows both lines', () => {
  const address = { street: 'Sark', city: 'Sark', state: '', country: '', zipCode: '' }
  const state = tillState({ business: { ...business, address } })
  const props = { state, points: null, customer: null, affordable: null, moment: NOW, training: false }
  render(SlipPreview, { props })
  expect(screen.getAllByText('Sark')).toHaveLength(2)
})

test.each([false, true])(
  'says what the customer has by the shop’s rules, in one line; in a row: %s',
  async (row) => {
    const standing: Standing = {
      level: { name: 'Gold', factor: '1.5' },
      next: { name: 'Platinum', missing: 250 },
      ending: { points: 120, lastDay: '2026-11-30' }
    }
    await show([], { row, standing })
    const shown = document.querySelector('.rank')?.textContent.replaceAll(/[\u2068\u2069]/g, '')
    expect(shown).toBe('Gold · 120 points end on 30 Nov 2026 · 250 more points to Platinum')
  }
)

test('shows no line where the customer has nothing by the shop’s rules', async () => {
  await show([], { standing: { level: null, next: null, ending: null } })
  expect(document.querySelector('.rank')).toBeNull()
})
