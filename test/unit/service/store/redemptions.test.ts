import { expect, it } from 'vitest'
import { systemRandomBytes } from '../../../../electron/service/domain/identifiers.ts'
import type { Database } from '../../../../electron/service/store/database.ts'
import { KeyedAnswers } from '../../../../electron/service/store/keyed-answers.ts'
import { RedemptionStore } from '../../../../electron/service/store/redemptions.ts'
import { openShop } from './shop.ts'

it('a request that is sent twice at once has one answer, also when the points come in between', async () => {
  const shop = await openShop()
  const { database, business } = shop
  const customer = await shop.register('+306901234567', 'Maria')
  const cost = 50
  const reward = await shop.offer(cost, 1)
  const opened = Promise.withResolvers<undefined>()
  const started = Promise.withResolvers<undefined>()
  /** Reads at once, and changes once the gate is open. */
  const slow: Database = {
    dialect: database.dialect,
    read: (...asked) => database.read(...asked),
    write: (...asked) => database.write(...asked),
    deleteReplaced: () => database.deleteReplaced(),
    close: () => database.close(),
    transaction: async (work) => {
      started.resolve(undefined)
      await opened.promise
      return database.transaction(work)
    }
  }
  const redeem = (queries: Database): Promise<unknown> =>
    new RedemptionStore({ database: queries, now: () => shop.now, random: systemRandomBytes }).redeem({
      business: { key: business, reversalMinutes: 60 },
      by: 'till:1',
      idempotencyKey: 'one-key-for-both',
      ...{ customer, reward, cost }
    })
  const refused = { reason: 'points-too-few' }

  const second = redeem(slow)
  await started.promise
  await expect(redeem(database)).rejects.toMatchObject(refused)
  await shop.adjust(customer, cost)
  opened.resolve(undefined)

  await expect(second).rejects.toMatchObject(refused)
  expect(await database.read("SELECT id FROM entries WHERE kind = 'redeemed'")).toEqual([])
})

it('is answered again after a clock was ahead for years, also where the answer is gone', async () => {
  const shop = await openShop()
  const { database, business } = shop
  const customer = await shop.register('+306901234567', 'Maria')
  await shop.adjust(customer, 100)
  const reward = await shop.offer(50, 1)
  const redemptions = new RedemptionStore({ database, now: () => shop.now, random: systemRandomBytes })
  const redeem = () =>
    redemptions.redeem({
      business: { key: business, reversalMinutes: 60 },
      by: 'till:1',
      idempotencyKey: 'a-key-of-a-till',
      ...{ customer, reward, cost: 50 }
    })
  const first = await redeem()
  const right = shop.now
  shop.now = new Date(right.getTime() + 800 * 24 * 60 * 60_000)
  await new KeyedAnswers({ database, now: () => shop.now }).clean()
  shop.now = right
  expect(await database.read('SELECT count(*) AS kept FROM keyed_answers')).toEqual([{ kept: 1 }])
  expect(await redeem()).toEqual(first)
  await database.write('DELETE FROM keyed_answers')
  expect(await redeem()).toEqual(first)
  expect(await shop.balance(customer)).toBe(50)
})
