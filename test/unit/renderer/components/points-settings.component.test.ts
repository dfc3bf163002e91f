import { render, screen } from '@testing-library/svelte'
import { expect, test } from 'vitest'
import type { PolicyName } from '../../../../electron/contract/settings.ts'
import PointsSettings from '../../../../renderer/src/screens/settings/PointsSettings.svelte'
import { createAppContext } from '../../../../renderer/src/state/app-context.svelte.ts'
import { business, shopRule } from '../../../support/screenshots/sample-data.ts'
import { tillState } from '../../../support/till-state.ts'
import { bridgeWith } from '../support/bridge.ts'
import '../support/english.ts'
import WithAppContext from '../support/WithAppContext.svelte'

const NAMES = {
  'redemptions.byCashiers': /^Cashiers may redeem/,
  'redemptions.slip': /^Save a slip/
} as const

const isDisabled = (name: RegExp): unknown => Reflect.get(screen.getByRole('checkbox', { name }), 'disabled')

test.each(Object.entries(NAMES))('%s that is locked cannot be changed, and the other can', (locked, name) => {
  const app = createAppContext(bridgeWith({}), window)
  const managed = {
    managedBy: 'Example IT',
    sources: ['/etc/tillpoints/policy.json'],
    since: '2026-11-21T12:00:00.000Z',
    locked: [locked as PolicyName],
    defaults: [],
    serviceAddress: null
  }
  app.till.accept(tillState({ business: { ...business, extensions: ['redemptions/1'] }, managed }))
  render(WithAppContext, { props: { app, component: PointsSettings, props: {} } })
  for (const other of Object.values(NAMES)) expect(isDisabled(other)).toBe(other === name)
  expect(screen.getAllByText(/Example IT/)).toHaveLength(1)
})

test('the shop’s rules are told instead of a rule of the till’s own, with an example', () => {
  const app = createAppContext(bridgeWith({}), window)
  app.till.accept(tillState({ shopRule }))
  render(WithAppContext, { props: { app, component: PointsSettings, props: {} } })
  expect(screen.queryByRole('checkbox', { name: 'Calculate points from the amount' })).toBeNull()
  expect(screen.getByText(/The shop’s rules calculate/)).not.toBeNull()
  expect(screen.getByText('An amount of €12.50 gives 25 points.')).not.toBeNull()
  expect(screen.getByText(/Tobacco · Wine/)).not.toBeNull()
  expect(screen.getByText(/Silver.? × 1\.25 · .?Gold.? × 1\.5$/)).not.toBeNull()
  expect(screen.queryByText(/Points end/)).toBeNull()
})

test.each([
  ['earned', 'Points end 12 months after they were earned.'],
  ['visit', 'Points end 12 months after the customer’s last visit.']
] as const)('the shop’s rules tell when points end that count since %s', (since, told) => {
  const app = createAppContext(bridgeWith({}), window)
  app.till.accept(tillState({ shopRule, pointsExpiry: { months: 12, since, onSlips: false } }))
  render(WithAppContext, { props: { app, component: PointsSettings, props: {} } })
  expect(screen.getByText(told)).not.toBeNull()
})
