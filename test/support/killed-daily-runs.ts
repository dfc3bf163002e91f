/** Kills processes in the middle of a daily run, two at once, until one is done. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Database } from '../../electron/service/store/database.ts'
import { verifyLedger } from '../../electron/service/store/verify.ts'
import { Shop } from './service-shop.ts'

const PROGRAM = join(import.meta.dirname, 'daily-run-process.ts')
const CUSTOMERS = 600
const POINTS = 7
const DAY = '2027-02-07T10:00:00.000Z'

/** Fills a database, and kills the runs of the day on which all points end. @param place path or URL of the database */
export const killDailyRuns = async (database: Database, place: string): Promise<void> => {
  const shop = await Shop.addTo(database)
  await shop.runDaily()
  await shop.saveRules({ expiry: { months: 1, since: 'earned', onSlips: false } })
  shop.now = new Date('2027-01-05T10:00:00.000Z')
  const phones = Array.from({ length: CUSTOMERS }, (_, index) => `+30${String(6_940_000_000 + index)}`)
  const ids = await Promise.all(phones.map((phone) => shop.register(phone)))
  await Promise.all(ids.map((id) => shop.credit(id, POINTS)))
  shop.now = new Date('2027-02-06T10:00:00.000Z')
  await shop.runDaily()

  const countExpired = async (): Promise<number> =>
    (await database.read(`SELECT id FROM entries WHERE kind = 'expired'`)).length
  const seen: number[] = []
  for (let killAfterMs = 30; ; killAfterMs *= 1.6) {
    const processes = [0, 1].map(() => fork(PROGRAM, [place, DAY]))
    const ends = processes.map((each) => once(each, 'exit'))
    await Promise.all(processes.map((each) => once(each, 'message')))
    await wait(killAfterMs)
    for (const each of processes) each.kill('SIGKILL')
    const codes = (await Promise.all(ends)).map(([code]: unknown[]) => code)
    seen.push(await countExpired())
    expect(await verifyLedger(database)).toEqual([])
    if (codes.includes(0)) break
  }
  expect(seen.filter((count) => count > 0 && count < CUSTOMERS).length).toBeGreaterThan(0)
  expect(await countExpired()).toBe(CUSTOMERS)
  const lots = await database.read(`SELECT DISTINCT lot, points FROM entries WHERE kind = 'expired'`)
  expect(lots).toHaveLength(CUSTOMERS)
  expect(await database.read('SELECT id FROM customers WHERE balance <> 0')).toEqual([])
}
