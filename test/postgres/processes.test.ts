import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, inject, it, onTestFinished, vi } from 'vitest'
import { newIdentifier, systemRandomBytes } from '../../electron/service/domain/identifiers.ts'
import { BusinessStore, countJoined } from '../../electron/service/store/businesses.ts'
import { CodeStore } from '../../electron/service/store/codes.ts'
import { CollectStore } from '../../electron/service/store/collects.ts'
import { addCustomer, CustomerStore } from '../../electron/service/store/customers.ts'
import { verifyLedger } from '../../electron/service/store/verify.ts'
import { killDailyRuns } from '../support/killed-daily-runs.ts'
import { createTestDatabase } from '../support/postgres/databases.ts'
import { Shop } from '../unit/service/store/shop.ts'

const PROGRAM = join(import.meta.dirname, 'collect-process.ts')

/** Opens an empty database, which is removed after the test. */
const openDatabase = async () => {
  const server = inject('postgresUrl')
  if (server === undefined) throw new Error('no server')
  const created = await createTestDatabase(server)
  const database = await created.open()
  onTestFinished(async () => {
    await database.close()
    await created.remove()
  })
  return { database, url: created.url }
}

it('gives the points of a code once to 200 customers at once, over three processes', async () => {
  const { database, url } = await openDatabase()
  const shop = await Shop.addTo(database)
  const customers = await Promise.all(
    Array.from({ length: 200 }, (_, index) => shop.register(`+3069400${String(10_000 + index)}`))
  )
  const code = await shop.issue(250)
  const processes = Array.from({ length: 3 }, () => fork(PROGRAM, [url]))
  await Promise.all(processes.map((each) => once(each, 'message')))
  const answers = processes.map((each) => once(each, 'message'))
  for (const [index, each] of processes.entries()) {
    const share = customers.filter((_, position) => position % processes.length === index)
    each.send({ business: shop.business, code, customers: share })
  }
  const outcomes = (await Promise.all(answers)).flat(2)
  expect(outcomes.filter((outcome) => outcome === 'collected')).toHaveLength(1)
  expect(outcomes.filter((outcome) => outcome === 'code-used')).toHaveLength(199)
  const balances = await Promise.all(customers.map((id) => shop.balance(id)))
  expect(balances.reduce((sum: number, balance) => sum + (balance ?? 0), 0)).toBe(250)
  expect(await verifyLedger(database)).toEqual([])
})

it('ends every lot once, whenever daily runs are killed, two at once', async () => {
  const { database, url } = await openDatabase()
  await killDailyRuns(database, url)
})

it('lets customers join at the same moment: none waits for the commit of another', async () => {
  const { database } = await openDatabase()
  const { business } = await Shop.addTo(database)
  const at = new Date().toISOString()
  const customer = (number: number) => ({
    ...{ id: `cus_${String(number)}`, name: '', email: null },
    phone: `+3069400${String(20_000 + number)}`
  })
  await database.transaction(async (queries) => {
    await new CustomerStore(queries).join(business, customer(1), at)
    expect(await addCustomer(database, business, customer(2), at)).toBe(true)
  })
  const businesses = new BusinessStore(database)
  expect((await businesses.get(business)).customers).toBe(2)
  await countJoined(database)
  expect(await database.read('SELECT customer FROM joined_customers')).toEqual([])
  expect((await businesses.get(business)).customers).toBe(2)
  expect(await verifyLedger(database)).toEqual([])
})

it('collects in one transaction of two statements, by a phone that is known and one that joins', async () => {
  const { database } = await openDatabase()
  const shop = await Shop.addTo(database)
  const dependencies = { database, now: () => shop.now, random: systemRandomBytes }
  const collects = new CollectStore(dependencies)
  const query = vi.spyOn(Client.prototype, 'query')
  onTestFinished(() => query.mockRestore())
  const counts: number[] = []
  for (const name of ['Who joins', 'Who is known']) {
    const code = await shop.issue(5)
    const stored = await new CodeStore(database).find(shop.business, code)
    if (stored === null) throw new Error('The code was not issued')
    const joining = { id: newIdentifier('cus', systemRandomBytes), name, phone: '+306940030001', email: null }
    query.mockClear()
    const collector = { customer: joining.phone, named: 'phone', joining, by: 'customer' } as const
    const { entry } = await collects.collect({ business: shop.business, code, stored, ...collector })
    expect(entry).toMatchObject({ kind: 'collected', code, points: 5 })
    counts.push(query.mock.calls.length)
  }
  // With BEGIN and COMMIT.
  expect(counts).toEqual([4, 4])
  expect((await new CustomerStore(database).find(shop.business, 'phone', '+306940030001'))?.balance).toBe(10)
  expect(await verifyLedger(database)).toEqual([])
})
