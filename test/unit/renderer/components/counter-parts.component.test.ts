import { render, screen } from '@testing-library/svelte'
import { expect, test } from 'vitest'
import { ok } from '../../../../electron/contract/failure.ts'
import type { Catalogue } from '../../../../electron/contract/catalogue.ts'
import type { Slip } from '../../../../electron/contract/slips.ts'
import AffordableLine from '../../../../renderer/src/screens/till/AffordableLine.svelte'
import AffordableList from '../../../../renderer/src/screens/till/AffordableList.svelte'
import QuickPointsKeys from '../../../../renderer/src/screens/till/QuickPointsKeys.svelte'
import { BusinessContext, createAppContext } from '../../../../renderer/src/state/app-context.svelte.ts'
import { tillState } from '../../../support/till-state.ts'
import { bridgeWith, customer, flushPromises, reward, slip } from '../support/bridge.ts'
import '../support/english.ts'
import WithAppContext from '../support/WithAppContext.svelte'

const CATALOGUE: Catalogue = {
  ...{ rewards: [reward('Espresso', 60, true), reward('Freddo cappuccino', 120, true)], complete: true },
  ...{ readAt: '2026-11-26T12:00:00.000Z', reading: null, failure: null }
}

/** A counter that issued these slips, with a context to render its parts with. */
async function counter(slips: readonly Slip[] = []) {
  const bridge = bridgeWith({
    rewards: { catalogue: () => Promise.resolve(ok(CATALOGUE)) },
    slips: { list: () => Promise.resolve(ok({ slips: [...slips], hasMore: false })) }
  })
  const app = createAppContext(bridge, window)
  app.till.accept(tillState())
  const businessContext = new BusinessContext(app)
  businessContext.rewards.start()
  businessContext.recentSlips.start()
  await flushPromises()
  return { app, businessContext }
}

test.each([
  ['no points typed', '', 'No reward yet', 'No reward yet'],
  ['too few points typed', '20', 'No reward yet', 'No reward yet'],
  ['points that bring a reward', '110', 'With these points', 'With these points: Freddo cappuccino']
])(
  'the card and the list beside it say the same of a balance that buys nothing: %s',
  async (_case, typed, card, list) => {
    const context = await counter()
    const { checkout, rewards } = context.businessContext
    const maria = customer('maria', { balance: 10 })
    checkout.choose(maria)
    rewards.prepare(10)
    if (typed !== '') checkout.form.typePoints(typed)
    await flushPromises()
    const textOf = (component: unknown): string => {
      const { container } = render(WithAppContext, {
        props: { ...context, component: component as never, props: { customer: maria } }
      })
      return container.textContent.replaceAll(/\s+/gu, ' ').trim()
    }
    const [line, beside] = [textOf(AffordableLine), textOf(AffordableList)]
    expect(line).toContain(card)
    expect(beside).toContain(list)
    expect(line.includes('No reward yet')).toBe(beside.includes('No reward yet'))
  }
)

test('no empty group of the last amounts is shown before a first slip', async () => {
  const context = await counter()
  render(WithAppContext, {
    props: { ...context, component: QuickPointsKeys as never, props: { padShown: false } }
  })
  expect(screen.getByRole('group', { name: 'Quick keys' })).toBeDefined()
  expect(screen.queryByRole('group', { name: 'Last' })).toBeNull()
  expect(screen.queryByText('Last')).toBeNull()
})

test('the last amounts are a group once there is one', async () => {
  const context = await counter([slip('a', { points: 70 })])
  render(WithAppContext, {
    props: { ...context, component: QuickPointsKeys as never, props: { padShown: false } }
  })
  expect(screen.getByRole('group', { name: 'Last' }).textContent).toContain('70')
})
