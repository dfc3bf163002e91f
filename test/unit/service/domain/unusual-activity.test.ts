import { expect, it } from 'vitest'
import {
  unusualActivity,
  type UnusualActivity
} from '../../../../electron/service/domain/unusual-activity.ts'
import { simulateShop, THEFTS, weekOf, type SimulatedShop } from '../../../support/simulated-shop.ts'

/**
 * Of 400 shops with each thief one was missed (a cashier who undoes as the others do); of 500 honest months 21 had one alarm.
 */
const [THEFT_RUNS, MONTHS] = [20, 20]

/** Days before a theft begins. */
const BEFORE = 35

const on = (shop: SimulatedShop, day: number): readonly UnusualActivity[] =>
  unusualActivity(weekOf(shop, day))

/** What would be listed twice is the same alarm. */
const nameOf = (found: UnusualActivity): string =>
  `${found.kind} ${found.maker} ${found.kind === 'one-customer' ? String(found.customer) : ''}`

it.each(THEFTS)('finds a thief within seven days: %s', (theft) => {
  const missed = Array.from({ length: THEFT_RUNS }, (_, seed) => seed).filter((seed) => {
    const shop = simulateShop(seed, BEFORE + 7, theft, BEFORE)
    return !Array.from({ length: 7 }, (_, index) => on(shop, BEFORE + index))
      .flat()
      .some(({ maker }) => maker === `cashier:${shop.thief}` || maker === `till:${shop.thiefTill}`)
  })
  expect(missed).toEqual([])
})

it('gives at most one false alarm in a month of an honest shop', () => {
  const alarms = Array.from({ length: MONTHS }, (_, seed) => {
    const shop = simulateShop(1_000 + seed, BEFORE + 30)
    const names = Array.from({ length: 30 }, (_, index) => on(shop, BEFORE + index).map(nameOf)).flat()
    return { seed, names: [...new Set(names)] }
  })
  expect(alarms.filter(({ names }) => names.length > 1)).toEqual([])
})
