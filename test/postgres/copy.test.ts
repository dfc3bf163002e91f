/** `copy` from SQLite to PostgreSQL and back. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, it, onTestFinished } from 'vitest'
import { systemRandomBytes } from '../../electron/service/domain/identifiers.ts'
import { copyDatabase } from '../../electron/service/store/copy.ts'
import type { Database } from '../../electron/service/store/database.ts'
import { ImportStore } from '../../electron/service/store/import-jobs.ts'
import { ImportRunner } from '../../electron/service/store/import-runner.ts'
import { openSqlite } from '../../electron/service/store/sqlite.ts'
import { verifyLedger } from '../../electron/service/store/verify.ts'
import { createTestDatabase } from '../support/postgres/databases.ts'
import { Shop } from '../support/service-shop.ts'

const noReport = (): void => undefined

const openPostgresDatabase = async (): Promise<Database> => {
  const created = await createTestDatabase(inject('postgresUrl') ?? '')
  const database = await created.open()
  onTestFinished(async () => {
    await database.close()
    await created.remove()
  })
  return database
}

/** Lets points end that were given back after their last day: an entry that names a reversal, which names another one. */
const endPoints = async (shop: Shop, customer: string, reward: string): Promise<void> => {
  await shop.runDaily()
  await shop.saveRules({ expiry: { months: 1, since: 'earned', onSlips: false } })
  await shop.credit(customer, 30)
  const { entry } = await shop.redeem(customer, reward)
  for (const day of ['2027-02-01', '2027-02-02', '2027-04-01', '2027-04-02']) {
    shop.now = new Date(`${day}T10:00:00.000Z`)
    await shop.runDaily()
    if (day === '2027-02-02') await shop.reverse(customer, entry.id)
  }
  const [, expired] = await shop.database.read(
    `SELECT lots.kind AS kind FROM entries JOIN entries AS lots ON lots.id = entries.lot ORDER BY entries.entry`
  )
  expect(expired).toEqual({ kind: 'reversed' })
}

const openFile = async (): Promise<Database> => {
  const folder = mkdtempSync(join(tmpdir(), 'service-copy-'))
  const database = await openSqlite(join(folder, 'service.sqlite'))
  onTestFinished(async () => {
    await database.close()
    rmSync(folder, { recursive: true })
  })
  return database
}

it('there and back gives the same export of every customer, and the service goes on', async () => {
  const first = await openFile()
  const shop = await Shop.addTo(first)
  const names = ['Zoé', 'Άννα', 'Анна', 'علي', 'अन्ना', '安娜']
  const ids: string[] = []
  for (const [index, name] of names.entries()) ids.push(await shop.register(`+30694000000${index}`, name))
  const [one = '', two = '', three = '', four = '', five = ''] = ids
  const reward = await shop.offer(10, 1)
  const code = await shop.issue(40)
  await shop.issue(7)
  const { entry } = await shop.collect(one, code)
  await shop.adjust(two, 100)
  await shop.redeem(two, reward)
  await shop.adjust(three, 30)
  await shop.reverse(one, entry.id)
  // The kept customer was registered later: its key is larger.
  await shop.identities.merge(shop.business, three, two)
  await shop.identities.erase(shop.business, four)
  await endPoints(shop, five, reward)

  const second = await openPostgresDatabase()
  const copied = await copyDatabase(first, second, noReport)
  expect(copied).toContainEqual({ table: 'customers', rows: 6 })
  const third = await openFile()
  await copyDatabase(second, third, noReport)

  for (const database of [second, third]) {
    const there = new Shop(database, shop.business)
    for (const id of ids) {
      expect(await there.identities.export(shop.business, id)).toEqual(
        await shop.identities.export(shop.business, id)
      )
    }
    const erasures = 'SELECT * FROM erasures'
    expect(await database.read(erasures)).toEqual(await shop.database.read(erasures))
    const added = await there.register('+306940000099', 'Νέα')
    await there.collect(added, await there.issue(5))
    await Shop.addTo(database)
    expect(await verifyLedger(database)).toEqual([])
  }
})

it('refuses a target that has data, and leaves it as it was', async () => {
  const source = await openFile()
  await Shop.addTo(source)
  const target = await openPostgresDatabase()
  await Shop.addTo(target)
  await expect(copyDatabase(source, target, noReport)).rejects.toThrow(
    'The target has data already (businesses)'
  )
  expect(await target.read('SELECT business FROM businesses')).toEqual([{ business: 1 }])
})

it('leaves the target empty when the ledger is wrong', async () => {
  const source = await openFile()
  const shop = await Shop.addTo(source)
  await shop.register('+306940000001')
  await source.write('UPDATE customers SET lifetime_points = 5, balance = 5')
  const target = await openPostgresDatabase()
  await expect(copyDatabase(source, target, noReport)).rejects.toThrow('The ledger is wrong')
  expect(await target.read('SELECT business FROM businesses')).toEqual([])
})

it('takes an import along, which goes on at the other place', async () => {
  const first = await openFile()
  const { business } = await Shop.addTo(first)
  const lines = Array.from({ length: 500 }, (_, index) => `Zoé,+3069${String(10_000_000 + index)},7`)
  const text = `name,phone,balance\n${lines.join('\n')}`
  const now = () => new Date('2026-11-21T10:00:00.000Z')
  const dependencies = { now, random: systemRandomBytes }
  const before = new ImportStore({ ...dependencies, database: first })
  const id = await before.add(business, { kind: 'customers', text, by: 'test' })
  await before.read({ business, id })
  await before.start(business, id)
  const begun = await before.find(business, id)
  const parsed = begun === null ? null : await before.parsed(begun)
  if (begun === null || parsed === null) throw new Error('no import')
  await before.advance(begun, parsed)
  await before.stop(business, id)

  const second = await openPostgresDatabase()
  await copyDatabase(first, second, noReport)
  const runner = new ImportRunner({
    ...dependencies,
    database: second,
    onError: (error) => {
      throw error
    }
  })
  expect(await runner.store.find(business, id)).toMatchObject({ state: 'stopped', added: 200 })
  await runner.store.start(business, id)
  await runner.resume()
  await expect
    .poll(() => runner.store.find(business, id))
    .toMatchObject({ state: 'done', added: 500, known: 0 })
  await runner.close()
  expect(await verifyLedger(second)).toEqual([])
})
