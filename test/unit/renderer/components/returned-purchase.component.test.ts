/** What is said of a purchase of which points went back: what was given before, and what is left. */
import { cleanup, render } from '@testing-library/svelte'
import type { Component } from 'svelte'
import { afterEach, expect, test } from 'vitest'
import { ok } from '../../../../electron/contract/failure.ts'
import CodeStatusCard from '../../../../renderer/src/components/CodeStatusCard.svelte'
import CustomerOperationsList from '../../../../renderer/src/components/CustomerOperationsList.svelte'
import SlipDetails from '../../../../renderer/src/screens/slips/SlipDetails.svelte'
import { BusinessContext, createAppContext } from '../../../../renderer/src/state/app-context.svelte.ts'
import { CustomerOperations } from '../../../../renderer/src/state/redeem-form.svelte.ts'
import { fakeCredit } from '../../../support/screenshots/fake-calls.ts'
import { tillState } from '../../../support/till-state.ts'
import { bridgeWith, flushPromises, slip } from '../support/bridge.ts'
import '../support/english.ts'
import WithAppContext from '../support/WithAppContext.svelte'

afterEach(cleanup)

const context = () => {
  const app = createAppContext(bridgeWith({}), window)
  app.till.accept(tillState())
  return { app, businessContext: new BusinessContext(app) }
}

const textOf = (component: Component<never>, props: object): string => {
  const { container } = render(WithAppContext, { props: { ...context(), component, props } })
  return container.textContent.replaceAll(/[\u2068\u2069]/gu, '').replaceAll(/\s+/gu, ' ')
}

const PART = /Given\s*250 points\s*Taken back before\s*100 points\s*Left\s*150 points/

test.each([
  [null, false],
  [150, true]
])('the details of a slip and the card of its code, with %s points left', (remaining, isReturned) => {
  const returned = slip('a', { points: 250, remaining, code: 'AR7K' })
  const details = textOf(SlipDetails, { slip: returned })
  const checked = { code: 'AR7K', qr: null, used: null, slip: returned }
  const card = textOf(CodeStatusCard, { checked })
  for (const text of [details, card]) {
    if (isReturned) expect(text).toMatch(PART)
    else expect(text).not.toMatch(/Taken back|Left/)
  }
})

test('the list of a customer’s credits', async () => {
  const asked = {
    intentId: 'a',
    customer: { id: 'maria', name: 'Maria' },
    balanceBefore: 10,
    reference: 'R-1'
  }
  const bridge = bridgeWith({
    redemptions: { ofCustomer: () => Promise.resolve(ok([])) },
    credits: {
      ofCustomer: () => Promise.resolve(ok([{ ...fakeCredit({ ...asked, points: 250 }), remaining: 150 }]))
    }
  })
  const operations = new CustomerOperations(bridge, createAppContext(bridge, window).ipc)
  const stop = operations.follow('maria')
  await flushPromises()
  const text = textOf(CustomerOperationsList, { operations })
  stop()
  expect(text).toMatch(/250 points .*100 points taken back, 150 points left/)
})
