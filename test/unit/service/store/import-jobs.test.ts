/** Imports as jobs: stopped, continued, run by two processes at once, and cleaned. */
import { hash } from 'node:crypto'
import * as v from 'valibot'
import { expect, it, onTestFinished, vi } from 'vitest'
import { systemRandomBytes } from '../../../../electron/service/domain/identifiers.ts'
import type { LedgerEntry } from '../../../../electron/service/domain/ledger.ts'
import { CustomerStore } from '../../../../electron/service/store/customers.ts'
import type { ImportStore } from '../../../../electron/service/store/import-jobs.ts'
import { ImportRunner } from '../../../../electron/service/store/import-runner.ts'
import { appendEntry } from '../../../../electron/service/store/ledger-entries.ts'
import { RewardStore } from '../../../../electron/service/store/rewards.ts'
import { verifyLedger } from '../../../../electron/service/store/verify.ts'
import { openShop, type Shop } from './shop.ts'

const NAMES = ['Zoé', 'Άννα', 'Анна', 'علي', 'अन्ना', '安娜']
const BY = 'staff:stf_ana'
const DAY_MS = 86_400_000

const openRunner = (shop: Shop): ImportRunner => {
  const runner = new ImportRunner({
    database: shop.database,
    now: () => shop.now,
    random: systemRandomBytes,
    onError: (error) => {
      throw error
    }
  })
  onTestFinished(() => runner.close())
  return runner
}

/** Adds a file and reads it. */
const addRead = async (
  store: ImportStore,
  ...[business, file]: Parameters<ImportStore['add']>
): Promise<string> => {
  const id = await store.add(business, file)
  await store.read({ business, id })
  return id
}

const customersText = (count: number): string =>
  [
    'name;phone;balance;lifetimePoints',
    ...Array.from(
      { length: count },
      (_, index) => `${NAMES[index % 6] ?? ''};+3069${String(10_000_000 + index)};${String(index % 50)};100`
    )
  ].join('\n')

const sumsOf = async (shop: Shop) => {
  const [row] = await shop.database.read(
    `SELECT CAST(count(*) AS BIGINT) AS customers, CAST(coalesce(sum(lifetime_points), 0) AS BIGINT) AS points,
       (SELECT CAST(count(*) AS BIGINT) FROM entries) AS entries FROM customers`
  )
  return v.parse(v.object({ customers: v.number(), points: v.number(), entries: v.number() }), row)
}

const LINES = 2000

it('goes on after a stop and in another process, and does nothing twice', async () => {
  const shop = await openShop()
  const [one, other] = [openRunner(shop), openRunner(shop)]
  const { store } = one
  const id = await addRead(store, shop.business, { kind: 'customers', text: customersText(LINES), by: BY })
  const found = () => store.find(shop.business, id)
  expect(await found()).toMatchObject({
    state: 'previewed',
    usable: LINES,
    added: LINES,
    known: 0,
    refused: 0
  })
  expect(await sumsOf(shop)).toMatchObject({ customers: 0 })

  await store.start(shop.business, id)
  void one.run({ business: shop.business, id })
  await vi.waitFor(async () => expect((await found())?.added).toBeGreaterThan(0))
  await store.stop(shop.business, id)
  await one.close()
  const stopped = await found()
  expect(stopped?.state).toBe('stopped')
  expect(stopped?.added).toBeLessThan(LINES)
  expect(await sumsOf(shop)).toMatchObject({ customers: stopped?.added })

  // Two processes, of which one is closed in the middle.
  await store.start(shop.business, id)
  const third = openRunner(shop)
  void third.run({ business: shop.business, id })
  await other.resume()
  await vi.waitFor(async () => expect((await found())?.added).toBeGreaterThan(stopped?.added ?? 0))
  await third.close()
  await vi.waitFor(async () => expect((await found())?.state).toBe('done'))
  expect(await found()).toMatchObject({ added: LINES, known: 0, credited: 0, lastLine: LINES + 1 })
  expect(await sumsOf(shop)).toEqual({ customers: LINES, points: LINES * 100, entries: LINES })
  expect(await verifyLedger(shop.database)).toEqual([])
  expect(await shop.database.read('SELECT text FROM import_files')).toEqual([{ text: '' }])
  expect(await shop.database.read('SELECT DISTINCT made_by AS "by" FROM entries')).toEqual([{ by: BY }])
})

it('does lines once, when the same batch is run twice', async () => {
  const shop = await openShop()
  const { store } = openRunner(shop)
  const id = await addRead(store, shop.business, { kind: 'customers', text: customersText(300), by: BY })
  await store.start(shop.business, id)
  const found = await store.find(shop.business, id)
  if (found === null) throw new Error('no import')
  const parsed = await store.parsed(found)
  if (parsed === null) throw new Error('no file')
  await Promise.all([store.advance(found, parsed), store.advance(found, parsed)])
  expect(await store.find(shop.business, id)).toMatchObject({ added: 200, lastLine: 201, state: 'running' })
  expect(await sumsOf(shop)).toMatchObject({ customers: 200 })
})

it('adds a reward once, when two files with it are imported at once', async () => {
  const shop = await openShop()
  const { store } = openRunner(shop)
  const text = `name,points\n${Array.from({ length: 50 }, (_, index) => `Καφές ${index},80`).join('\n')}`
  const imports = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const id = await addRead(store, shop.business, { kind: 'rewards', text, by: BY })
      await store.start(shop.business, id)
      const found = await store.find(shop.business, id)
      const parsed = found === null ? null : await store.parsed(found)
      if (found === null || parsed === null) throw new Error('no import')
      return { found, parsed }
    })
  )
  await Promise.all(imports.map(({ found, parsed }) => store.advance(found, parsed)))
  expect(await new RewardStore(shop.database).all(shop.business)).toHaveLength(50)
})

it('brings points once to a customer who is known, and says so before', async () => {
  const shop = await openShop()
  const customer = await shop.register('+306910000001')
  const runner = openRunner(shop)
  const text = customersText(3)
  for (const credited of [1, 0]) {
    const id = await addRead(runner.store, shop.business, { kind: 'customers', text, by: BY })
    const counts = credited === 1 ? { added: 2, known: 1, credited } : { added: 0, known: 3, credited }
    expect(await runner.store.find(shop.business, id)).toMatchObject(counts)
    await runner.store.start(shop.business, id)
    void runner.run({ business: shop.business, id })
    await vi.waitFor(async () =>
      expect(await runner.store.find(shop.business, id)).toMatchObject({ state: 'done', ...counts })
    )
  }
  expect(await shop.customer(customer)).toMatchObject({ balance: 1, lifetimePoints: 100 })
  expect(await sumsOf(shop)).toEqual({ customers: 3, points: 300, entries: 3 })
})

it('brings no points that version 0.1.0 has brought under another id', async () => {
  const shop = await openShop()
  const customer = await shop.register('+306910000001')
  const key = await new CustomerStore(shop.database).findKey(shop.business, 'id', customer)
  const brought: LedgerEntry = {
    ...{ id: `ent_${hash('sha256', `imported ${customer}`).slice(0, 16)}`, kind: 'imported' },
    ...{ points: 1, lifetimePoints: 100, at: shop.now.toISOString(), by: BY },
    ...{ code: null, reward: null, reason: null, reverses: null, reference: null, cashier: null }
  }
  await shop.database.transaction((queries) =>
    appendEntry(queries, { business: shop.business, customer: key ?? 0 }, brought)
  )
  const { store } = openRunner(shop)
  const id = await addRead(store, shop.business, { kind: 'customers', text: customersText(3), by: BY })
  expect(await store.find(shop.business, id)).toMatchObject({ added: 2, known: 1, credited: 0 })
})

it('refuses lines of every kind by number and reason', async () => {
  const shop = await openShop()
  const runner = openRunner(shop)
  const text = [
    'Name,Phone,E-mail,Balance,Lifetime points',
    'Zoé,+306940000000,zoe@example.com,5,10',
    '"Anna,+306940000001,,1,1',
    'Anna,+306940000002,,1,1,1',
    'Anna,+30 694 000-0000,,1,1',
    'Anna,6940000003,,1,1',
    'Anna,+306940000004,anna,1,1',
    'Anna,+306940000005,,1.5,',
    'Anna,+306940000006,,5,4',
    ',+306940000007,,1,1',
    `${'a'.repeat(201)},+306940000008,,1,1`,
    '"An\u0007na",+306940000009,,1,1',
    '',
    '"two\nlines",+306940000010,,1,1',
    "'=Eva,'+306940000011,,,"
  ].join('\r\n')
  const id = await addRead(runner.store, shop.business, { kind: 'customers', text, by: BY })
  const found = await runner.store.find(shop.business, id)
  if (found === null) throw new Error('no import')
  expect(found).toMatchObject({ usable: 4, refused: 9, points: 7, filePoints: 7 })
  expect(
    (await runner.store.refusedLines(found)).lines.map(({ line, fault, sameAs }) => [line, fault, sameAs])
  ).toEqual([
    [3, 'line-unreadable', null],
    [4, 'line-unreadable', null],
    [5, 'line-repeated', 2],
    [6, 'phone-malformed', null],
    [7, 'email-malformed', null],
    [8, 'balance-malformed', null],
    [9, 'lifetime-malformed', null],
    [11, 'name-too-long', null],
    [12, 'name-malformed', null]
  ])
  const rewards = 'name;points\nTea;0\nCoffee;5\nCoffee;6\n;7'
  const other = await addRead(runner.store, shop.business, { kind: 'rewards', text: rewards, by: BY })
  const foundRewards = await runner.store.find(shop.business, other)
  expect(foundRewards === null ? null : await runner.store.refusedLines(foundRewards)).toEqual({
    columns: ['name', 'points'],
    lines: [
      { line: 2, fault: 'cost-malformed', sameAs: null, cells: ['Tea', '0'] },
      { line: 4, fault: 'line-repeated', sameAs: 3, cells: ['Coffee', '6'] },
      { line: 5, fault: 'name-missing', sameAs: null, cells: ['', '7'] }
    ]
  })
})

it('removes a file after a day, and what an import did after a month', async () => {
  const shop = await openShop()
  const runner = openRunner(shop)
  const add = () =>
    addRead(runner.store, shop.business, { kind: 'customers', text: customersText(1), by: BY })
  const ids = [await add(), await add()]
  // One that runs is kept, however long it takes.
  const running = await add()
  await runner.store.start(shop.business, running)
  await runner.store.start(shop.business, ids[1] ?? '')
  void runner.run({ business: shop.business, id: ids[1] ?? '' })
  await vi.waitFor(async () =>
    expect(await runner.store.find(shop.business, ids[1] ?? '')).toMatchObject({ state: 'done' })
  )
  for (const [days, left] of [
    [1, [ids[0], ids[1]]],
    [1.1, [ids[1]]],
    [29, [ids[1]]],
    [30.1, []]
  ] as const) {
    const now = new Date(Date.parse('2026-11-21T10:00:00.000Z') + days * DAY_MS)
    shop.now = now
    await runner.store.clean()
    const kept = (await runner.store.list(shop.business)).map(({ id }) => id)
    expect([days, kept.toSorted()]).toEqual([days, [...left, running].toSorted()])
  }
  await runner.store.stop(shop.business, running)
  await runner.store.clean()
  expect(await shop.database.read('SELECT id FROM import_files')).toEqual([])
  await expect(runner.store.start(shop.business, ids[0] ?? '')).rejects.toMatchObject({
    reason: 'import-unknown'
  })
})

it('takes over from a process that has ended', async () => {
  const shop = await openShop()
  const runner = openRunner(shop)
  const id = await addRead(runner.store, shop.business, {
    kind: 'customers',
    text: customersText(10),
    by: BY
  })
  await runner.store.start(shop.business, id)
  const look = async () => {
    const found = await runner.store.find(shop.business, id)
    if (found !== null) runner.takeOver(found)
    await runner.close()
    return (await runner.store.find(shop.business, id))?.state
  }
  expect(await look()).toBe('running')
  shop.now = new Date(shop.now.getTime() + 5001)
  const other = openRunner(shop)
  const found = await other.store.find(shop.business, id)
  if (found !== null) other.takeOver(found)
  await vi.waitFor(async () => expect((await other.store.find(shop.business, id))?.state).toBe('done'))
})

it('reads a file in another process, when the first one has ended', async () => {
  const shop = await openShop()
  const { store } = openRunner(shop)
  const id = await store.add(shop.business, { kind: 'customers', text: customersText(6000), by: BY })
  const found = () => store.find(shop.business, id)
  expect(await found()).toMatchObject({ state: 'reading', usable: 6000, added: 0 })
  await store.read({ business: shop.business, id }, () => true)
  expect(await found()).toMatchObject({ state: 'reading', usable: 6000 })
  expect(await store.start(shop.business, id)).toBe(false)

  // Two processes.
  await Promise.all([openRunner(shop).resume(), openRunner(shop).resume()])
  await vi.waitFor(async () =>
    expect(await found()).toMatchObject({ state: 'previewed', usable: 6000, added: 6000, lastLine: 0 })
  )
  expect(await sumsOf(shop)).toMatchObject({ customers: 0 })
})
