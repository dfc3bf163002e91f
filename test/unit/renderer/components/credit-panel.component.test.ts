/** What the cashier and the customer see of a credit: the points before and after, and why they differ. */
import { cleanup, render } from '@testing-library/svelte'
import { afterEach, expect, test, vi } from 'vitest'
import { BusinessContext, createAppContext } from '../../../../renderer/src/state/app-context.svelte.ts'
import { fakeCredit } from '../../../support/screenshots/fake-calls.ts'
import { bridgeWith, flushPromises } from '../support/bridge.ts'
import '../support/english.ts'
import WithAppContext from '../support/WithAppContext.svelte'

// Svelte's media queries need it, and jsdom has none.
vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false }))
const { default: CreditPanel } = await import('../../../../renderer/src/screens/till/CreditPanel.svelte')

afterEach(cleanup)

test.each([
  [250, 'Points before 0 points Points after 250 points'],
  [300, 'Points before 0 points Welcome points +50 Points after 300 points']
])('a first purchase of 250 points after which the customer has %d says why', async (balance, says) => {
  const app = createAppContext(bridgeWith({}), window)
  const customer = { id: 'maria', name: 'Maria' }
  const asked = { intentId: crypto.randomUUID(), customer, points: 250, balanceBefore: 0, reference: null }
  const { container } = render(WithAppContext, {
    props: {
      app,
      businessContext: new BusinessContext(app),
      component: CreditPanel,
      props: { credit: { ...fakeCredit(asked), balance } }
    }
  })
  await flushPromises()
  expect(container.textContent.replaceAll(/\s+/g, ' ')).toContain(says)
})
