import { render, screen, within } from '@testing-library/svelte'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { EMPTY_CATALOGUE, type Catalogue } from '../../../../electron/contract/catalogue.ts'
import { err, ok } from '../../../../electron/contract/failure.ts'
import RewardsScreen from '../../../../renderer/src/screens/rewards/RewardsScreen.svelte'
import { BusinessContext, createAppContext } from '../../../../renderer/src/state/app-context.svelte.ts'
import { bridgeWith, customer, flushPromises, reward } from '../support/bridge.ts'
import '../support/english.ts'
import WithAppContext from '../support/WithAppContext.svelte'

const COMPLETE: Catalogue = {
  ...EMPTY_CATALOGUE,
  rewards: [
    reward('Mug', 1250, true),
    reward('Café crème', 180, true),
    reward('Tea', 60, true),
    reward('Latte', 90, false)
  ],
  complete: true,
  readAt: new Date().toISOString()
}

let catalogue: Catalogue
let calls: string[]

beforeEach(() => {
  catalogue = COMPLETE
  calls = []
})

const renderScreen = async (balance: number | null) => {
  const recordCall = (name: string) => () => {
    calls.push(name)
    return Promise.resolve(ok(catalogue))
  }
  const bridge = bridgeWith({
    rewards: {
      catalogue: () => Promise.resolve(ok(catalogue)),
      read: recordCall('read'),
      stop: recordCall('stop'),
      detail: () => Promise.resolve(err({ kind: 'not-found' }))
    },
    customers: { read: ({ id }) => Promise.resolve(ok(customer(id, { balance: balance ?? 0 }))) },
    customerDisplay: { serving: () => Promise.resolve(ok(null)) }
  })
  const app = createAppContext(bridge, window)
  const businessContext = new BusinessContext(app)
  if (balance !== null) void businessContext.checkout.serve(customer('maria', { name: 'Maria', balance }))
  render(WithAppContext, { app, businessContext, component: RewardsScreen })
  await flushPromises()
}

const names = () =>
  within(screen.getByRole('list', { name: 'Rewards' }))
    .getAllByRole('button')
    .map((button) => button.querySelector('.name')?.textContent)

test('RewardsScreen searches, sorts and filters the catalogue, and shows the number of matches', async () => {
  await renderScreen(200)
  expect(names()).toEqual(['Mug', 'Café crème', 'Tea', 'Latte'])
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Sort rewards' }), 'affordable')
  expect(names()).toEqual(['Café crème', 'Latte', 'Tea', 'Mug'])
  await userEvent.click(screen.getByRole('button', { name: 'Within reach' }))
  await userEvent.click(screen.getByRole('button', { name: 'Available' }))
  expect(names()).toEqual(['Café crème', 'Tea'])
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search rewards' }), 'CAFE')
  expect(names()).toEqual(['Café crème'])
  expect(screen.getByText('1 of 4 rewards')).toBeTruthy()
})

test('"Show all rewards" clears the filters when no reward matches', async () => {
  await renderScreen(null)
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search rewards' }), 'bicycle')
  expect(screen.getByText('No matching rewards.')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Show all rewards' }))
  expect(names()).toHaveLength(4)
})

test('the progress meter has a text value that names the next reward and the missing points', async () => {
  await renderScreen(150)
  const bar = screen.getByRole('meter', { name: 'Progress to the next reward' })
  expect(bar.getAttribute('aria-valuetext')).toBe('30 more points for \u2068Café crème\u2069')
  expect(bar.getAttribute('value')).toBe('150')
  expect(bar.getAttribute('max')).toBe('180')
})

test('without a customer the affordable filter and the progress meter are absent', async () => {
  await renderScreen(null)
  expect(screen.queryByRole('button', { name: 'Within reach' })).toBeNull()
  expect(screen.queryByRole('meter')).toBeNull()
  expect(screen.getByText('Select a customer at the till to see what they can afford.')).toBeTruthy()
})

test('the first read of the catalogue shows its progress and can be stopped', async () => {
  catalogue = { ...COMPLETE, complete: false, reading: { read: 4 } }
  await renderScreen(null)
  expect(screen.getByText('Loading the catalogue: 4 rewards so far.')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Stop loading' }))
  expect(calls).toEqual(['stop'])
})

test('an incomplete catalogue shows an alert and a button that loads the rest', async () => {
  catalogue = { ...COMPLETE, complete: false, failure: { kind: 'service-down', status: 503 } }
  await renderScreen(null)
  expect(screen.getByText('The catalogue is not complete: 4 rewards loaded.')).toBeTruthy()
  expect(screen.getByRole('alert')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Load the rest' }))
  expect(calls).toEqual(['read'])
})

test('a complete but old catalogue shows its read time and no alert while the service is offline', async () => {
  catalogue = { ...COMPLETE, readAt: '2026-11-19T16:40:00.000Z', failure: { kind: 'offline' } }
  await renderScreen(null)
  expect(names()).toHaveLength(4)
  expect(screen.getByText(/^Loaded 19 Nov 2026/)).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('an empty catalogue leaves it to the banner to say that the till is offline', async () => {
  catalogue = { ...EMPTY_CATALOGUE, failure: { kind: 'offline' } }
  await renderScreen(null)
  expect(screen.queryByRole('alert')).toBeNull()
  screen.getByText('The list appears when the points service answers again.')
})

test('an empty catalogue shows an alert with Try again for another failure', async () => {
  catalogue = { ...EMPTY_CATALOGUE, failure: { kind: 'service-down', status: 503 } }
  await renderScreen(null)
  await userEvent.click(within(screen.getByRole('group')).getByRole('button', { name: 'Try again' }))
  expect(calls).toEqual(['read'])
})

test('the bar to the next reward says in its text what it says to a screen reader', async () => {
  await renderScreen(80)
  const bar = screen.getByRole('meter', { name: 'Progress to the next reward' })
  expect(bar.textContent).toBe(bar.getAttribute('aria-valuetext'))
})
