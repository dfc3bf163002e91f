/** A customer with more entries than are read at a time. */
import { setImmediate } from 'node:timers'
import { expect, it } from 'vitest'
import { customerKeys } from '../../../../electron/service/store/customers.ts'
import { readLots } from '../../../../electron/service/store/lots.ts'
import { StandingStore } from '../../../../electron/service/store/standing.ts'
import { openShop } from './shop.ts'

it('has a standing and an export that are read in parts, between which others are answered', async () => {
  const shop = await openShop()
  await shop.saveRules({ expiry: { months: 12, since: 'earned', onSlips: false } })
  const customer = await shop.register('+306901234567')
  await shop.credit(customer, 7)
  const numbers =
    'WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 3500)'
  await shop.database.write(
    `${numbers} INSERT INTO entries (id, business, customer, kind, points, lifetime_points, at, made_by, reason, expiry)
     SELECT 'ent_' || number, business, customer, 'adjusted', CASE number % 2 WHEN 0 THEN -2 ELSE 3 END, 0, created_at, 'test', 'x',
       'earned ' || (1 + number / 1000)
     FROM customers JOIN numbers ON id = $1`,
    [customer]
  )
  const turnsOf = async <Value>(work: Promise<Value>): Promise<readonly [Value, number]> => {
    let turns = 0
    let isOver = false
    const count = (): void => {
      turns += 1
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const value = await work
    isOver = true
    return [value, turns]
  }
  const [standing, turns] = await turnsOf(
    new StandingStore(shop.database, () => shop.now).find(shop.business, customer)
  )
  const [whole] = (await readLots(shop.database, customerKeys(shop.business))).values()
  expect(whole?.lots.ending('2026-11-21')?.points).toBeGreaterThan(0)
  expect(standing?.ending).toEqual(whole?.lots.ending('2026-11-21'))
  expect(turns).toBeGreaterThanOrEqual(3)
  const [exported, turnsOfExport] = await turnsOf(shop.identities.export(shop.business, customer))
  expect(new Set(exported?.entries.map(({ id }) => id)).size).toBe(3501)
  expect(turnsOfExport).toBeGreaterThanOrEqual(3)
})
