import { render } from '@testing-library/svelte'
import { expect, test } from 'vitest'
import type {
  CollectionGroup,
  CollectionsReport,
  CollectionSum
} from '../../../../electron/contract/slip-report.ts'
import CollectedReport from '../../../../renderer/src/screens/slips/report/CollectedReport.svelte'
import { BusinessContext, createAppContext } from '../../../../renderer/src/state/app-context.svelte.ts'
import { tillState } from '../../../support/till-state.ts'
import { bridgeWith } from '../support/bridge.ts'
import '../support/english.ts'
import WithAppContext from '../support/WithAppContext.svelte'

const sum = (issued: number, collected: number) => ({
  issued,
  issuedPoints: 10 * issued,
  collected,
  collectedPoints: 10 * collected,
  redeemed: 0,
  redeemedPoints: 0,
  credited: 0,
  creditedPoints: 0,
  returned: 0,
  returnedPoints: 0,
  medianMs: 60_000
})

const cashier = (index: number): CollectionGroup => ({
  kind: 'named',
  label: `Cashier ${String(index)}`,
  ...sum(index, 1)
})

/** The rows of the table, each as the texts of its cells, and the sentence below it. */
function shown(cashiers: readonly CollectionGroup[], total: CollectionSum = sum(9_000, 6_000)) {
  const app = createAppContext(bridgeWith({}), window)
  app.till.accept(tillState())
  const businessContext = new BusinessContext(app)
  businessContext.report.grouping = 'cashier'
  const collections: CollectionsReport = {
    asOf: '2026-11-21T12:00:00.000Z',
    total,
    groups: { time: [], batch: [], program: [], cashier: cashiers }
  }
  const props = { report: { timeZone: 'UTC', bucketSize: 'month' }, collections }
  const { container } = render(WithAppContext, {
    props: { app, businessContext, component: CollectedReport as never, props }
  })
  const rows = [...container.querySelectorAll('tbody tr')].map((row) =>
    [...row.querySelectorAll('th, td.number')].map((cell) => cell.textContent.trim())
  )
  return { rows, hasRest: container.textContent.includes('lists all of them') }
}

test('a year with 3,000 cashiers lists those with most slips, and the sum of the others', () => {
  const cashiers = Array.from({ length: 3_000 }, (_, index) => cashier(index + 1))
  const { rows, hasRest } = shown([...cashiers, { ...cashier(5), kind: 'none' }])
  expect(rows).toHaveLength(62)
  expect(rows[0]?.[0]).toBe('Cashier 2941')
  expect(rows[59]?.[0]).toBe('Cashier 3000')
  // 1 + 2 + … + 2,940
  expect(rows[60]).toEqual(['Others (2,940)', '4,323,270', '2,940', '0%', '–'])
  expect(rows[61]?.[1]).toBe('5')
  expect(hasRest).toBe(true)
})

test('a few are all listed, without a sum', () => {
  const { rows, hasRest } = shown([cashier(2), cashier(1)])
  expect(rows.map(([name]) => name)).toEqual(['Cashier 2', 'Cashier 1'])
  expect(hasRest).toBe(false)
})

test('points that went back have a column of their own, where there are any', () => {
  const returned = { ...cashier(1), returned: 2, returnedPoints: 1_250 }
  expect(shown([returned], { ...sum(1, 1), returned: 2, returnedPoints: 1_250 }).rows[0]?.at(-1)).toBe(
    '1,250'
  )
  expect(shown([cashier(1)]).rows[0]?.at(-1)).not.toBe('0')
})
