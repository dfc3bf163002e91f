import { render } from '@testing-library/svelte'
import { expect, test, vi } from 'vitest'
import { EMPTY_CATALOGUE } from '../../../../electron/contract/catalogue.ts'
import { ok } from '../../../../electron/contract/failure.ts'
import type { SlipsReport } from '../../../../electron/contract/slip-report.ts'
import type { TillState } from '../../../../electron/contract/till.ts'
import App from '../../../../renderer/src/App.svelte'
import { currentLocale } from '../../../../renderer/src/i18n/locale.svelte.ts'
import LastSlips from '../../../../renderer/src/screens/till/LastSlips.svelte'
import RewardsScreen from '../../../../renderer/src/screens/rewards/RewardsScreen.svelte'
import { BusinessContext, createAppContext } from '../../../../renderer/src/state/app-context.svelte.ts'
import { CustomerOperations } from '../../../../renderer/src/state/redeem-form.svelte.ts'
import { fakeReturn } from '../../../support/screenshots/fake-calls.ts'
import { tillState } from '../../../support/till-state.ts'
import { bridgeWith, customer, flushPromises } from '../support/bridge.ts'
import '../support/english.ts'
import WithAppContext from '../support/WithAppContext.svelte'

// The main process sends a new state for a change of any part of it. An effect runs again for what it means only.

// jsdom implements neither. The first one is used when the modules are loaded.
const queries = vi.hoisted(() => {
  const matchMedia = vi.fn(() => new EventTarget() as MediaQueryList)
  window.matchMedia = matchMedia
  return matchMedia.mock.calls
})

const contextOf = (calls: Parameters<typeof bridgeWith>[0]) => {
  const bridge = bridgeWith(calls)
  const app = createAppContext(bridge, window)
  app.till.accept(tillState())
  return { app, businessContext: new BusinessContext(app) }
}

test('what was issued today is not read again when another part of the state changes', async () => {
  const report = vi.fn(() => Promise.resolve(ok({ slips: 1, points: 10 } as SlipsReport)))
  const context = contextOf({ slips: { report } })
  render(WithAppContext, { props: { ...context, component: LastSlips as never, props: { count: 3 } } })
  await flushPromises()
  for (let event = 0; event < 3; event++) {
    context.app.till.accept(tillState())
    await flushPromises()
  }
  expect(report).toHaveBeenCalledTimes(1)
})

test('the redemptions of a customer are not read again when only the balance changes', async () => {
  const ofCustomer = vi.fn(() => Promise.resolve(ok([])))
  const context = contextOf({
    rewards: { catalogue: () => Promise.resolve(ok(EMPTY_CATALOGUE)) },
    redemptions: { ofCustomer }
  })
  vi.spyOn(context.app.till, 'offers').mockReturnValue(true)
  const { checkout } = context.businessContext
  checkout.choose(customer('maria', { balance: 500 }))
  render(WithAppContext, { props: { ...context, component: RewardsScreen } })
  await flushPromises()
  checkout.updateBalance('maria', 320)
  await flushPromises()
  expect(ofCustomer).toHaveBeenCalledTimes(1)
})

test('what a customer had at this till is read again after a return by a bill, which names no customer', async () => {
  const ofCustomer = vi.fn(() => Promise.resolve(ok([])))
  const credits = { ofCustomer: () => Promise.resolve(ok([])) }
  const bridge = bridgeWith({ redemptions: { ofCustomer }, credits })
  const operations = new CustomerOperations(bridge, createAppContext(bridge, window).ipc)
  const stop = operations.follow('maria')
  const purchase = { by: 'reference', reference: 'R-1041' } as const
  const asked = {
    intentId: 'i',
    purchase,
    part: { points: 10 },
    customer: null,
    atMost: null,
    reason: 'Faulty'
  }
  bridge.sendReturn(fakeReturn({ ...asked, customer: { id: 'eleni', name: 'Eleni' } }))
  await flushPromises()
  expect(ofCustomer).toHaveBeenCalledTimes(1)
  bridge.sendReturn(fakeReturn(asked))
  await flushPromises()
  expect(ofCustomer).toHaveBeenCalledTimes(2)
  stop()
})

test('language and appearance are not applied again when another part of the state changes', async () => {
  const first: TillState = tillState({ mode: 'onboarding', baseUrl: null, business: null })
  const bridge = bridgeWith({
    till: { state: () => Promise.resolve(ok(first)), rendererReady: () => Promise.resolve(ok(null)) }
  })
  render(App, { bridge })
  await flushPromises()
  const locale = currentLocale()
  const applied = queries.length
  bridge.sendState({ ...first, collectionsAsOf: '2026-11-21T12:00:00.000Z' })
  await flushPromises()
  expect(currentLocale()).toBe(locale)
  expect(queries).toHaveLength(applied)
})
