/** What is asked of a shop's service reads no more of a large shop than of a small one, in SQL statements and rows. */
import { StatementSync } from 'node:sqlite'
import { expect, it, vi } from 'vitest'
import * as v from 'valibot'
import { hashToken } from '../../../electron/service/domain/identifiers.ts'
import { TillStore } from '../../../electron/service/store/tills.ts'
import { openPages } from '../../unit/service/pages/visitor.ts'
import type { Shop } from '../../unit/service/store/shop.ts'
import { countRows, countSql } from './sql.ts'

/** Customers, codes and entries of a shop: ten times as many each time. */
const SIZES = [10, 1000, 100_000] as const
const PHONE = '+306901234567'

/** Adds so many customers with a collected code each, and as many codes that wait, by one statement for each table. */
const grow = async ({ shop }: Awaited<ReturnType<typeof openPages>>, size: number): Promise<void> => {
  const numbers = `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${String(size)})`
  const at = '2026-11-01T10:00:00.000Z'
  const business = String(shop.business)
  const key = `${business} * 4294967296 + 1000 + n`
  await shop.database.transaction(async (queries) => {
    for (const sql of [
      `INSERT INTO customers (customer, business, id, name, phone, search_text, balance, lifetime_points, created_at)
       ${numbers} SELECT ${key}, ${business}, 'cus_' || n, 'Person ' || n, '+3069' || (10000000 + n), 'person ' || n, 5, 5, '${at}'
       FROM numbers`,
      `INSERT INTO customer_search (rowid, search_text) SELECT customer, search_text FROM customers`,
      `INSERT INTO codes (business, code, points, image, created_at, updated_at, expires_at, used_at, used_by)
       ${numbers} SELECT ${business}, 'USED' || n, 5, 0, '${at}', '${at}', '2099', '${at}', ${key} FROM numbers`,
      `INSERT INTO codes (business, code, points, image, created_at, updated_at, expires_at)
       ${numbers} SELECT ${business}, 'OPEN' || n, 5, 0, '${at}', '${at}', '2099' FROM numbers`,
      `INSERT INTO entries (id, business, customer, kind, points, lifetime_points, at, made_by, code)
       ${numbers} SELECT 'ent_' || n, ${business}, ${key}, 'collected', 5, 5, '${at}', 'customer', 'USED' || n FROM numbers`,
      `UPDATE businesses SET customers = ${String(size)}`
    ]) {
      await queries.write(sql)
    }
  })
}

/** A shop of a size, and what is asked of it. */
const openShopOf = async (size: number) => {
  const opened = await openPages()
  const { shop, visitor, fetch } = opened
  await grow(opened, size)
  const customer = await shop.register(PHONE, 'Eleni Rossi')
  await shop.adjust(customer, 1_000)
  const reward = await shop.offer(5, 1)
  const codes = [await shop.issue(5), await shop.issue(5)]
  const till = { id: 'till_1', business: shop.business, name: 'Till', createdAt: shop.now.toISOString() }
  await shop.database.transaction((queries) => new TillStore(queries).add(till, hashToken('till')))
  let spaces = ''
  const ask =
    (method: string, path: string, body?: object, more: object = {}) =>
    () => {
      // In another spelling the token is read each time, not once a second.
      spaces += ' '
      const headers = { authorization: `Bearer${spaces}till`, 'content-type': 'application/json', ...more }
      return fetch(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    }
  const asked = {
    issue: ask('POST', '/api/qr', { points: 5 }),
    'collect, known': () => visitor().post(`/q/${codes[0] ?? ''}`, { phone: PHONE }),
    'collect, joins': () => visitor().post(`/q/${codes[1] ?? ''}`, { phone: '+306901234568' }),
    'look-up': ask('GET', `/api/customers/${encodeURIComponent(PHONE)}?type=phone`),
    search: ask('GET', '/api/customers/?name=eleni%20rossi'),
    register: ask('POST', '/api/customers', { name: 'Ana', phone: '+306901234569' }),
    redeem: ask(
      'POST',
      '/ext/redemptions',
      { customer, reward, cost: 5 },
      { 'idempotency-key': 'budget-0001' }
    ),
    collections: ask('GET', `/ext/collections?since=${shop.now.toISOString()}`),
    account: ask('GET', '/api/account')
  }
  return { shop, asked }
}

/** What each takes: status, statements but BEGIN and ROLLBACK, commits, rows. With each till's request its token is read. */
const COUNTS = {
  // The first request of a minute notes the use of the token.
  issue: [200, 3, 2, 2],
  'collect, known': [303, 10, 1, 4],
  'collect, joins': [303, 10, 1, 4],
  'look-up': [200, 2, 0, 2],
  search: [200, 3, 0, 3],
  register: [200, 4, 1, 2],
  redeem: [200, 7, 1, 6],
  collections: [200, 4, 0, 5],
  account: [200, 2, 0, 2]
}

/** The steps of plans that read all of a table. A list of values, or of what was found before, is none. */
const scansOf = async (shop: Shop, statements: ReadonlySet<string>): Promise<readonly string[]> => {
  const tables = (await shop.database.read("SELECT name FROM sqlite_schema WHERE type = 'table'")).map(
    (row) => v.parse(v.object({ name: v.string() }), row).name
  )
  const scans: string[] = []
  for (const sql of statements) {
    if (!/^\s*(?:WITH|SELECT|INSERT|UPDATE|DELETE)\b/.test(sql)) continue
    for (const row of await shop.database.read(`EXPLAIN QUERY PLAN ${sql}`)) {
      const { detail } = v.parse(v.object({ detail: v.string() }), row)
      const [, scanned = ''] = /^SCAN (\w+)(?! VIRTUAL)/.exec(detail) ?? []
      // The plan of an INSERT lists tables that refer to its rows, too: they are read for deferred keys only, of which there are none.
      if (tables.includes(scanned) && new RegExp(`\\b${scanned}\\b`).test(sql))
        scans.push(`${detail}: ${sql}`)
    }
  }
  return scans
}

it('runs the same statements, without reading a table, in a shop of 10, of 1,000 and of 100,000', async () => {
  const counts: Record<string, unknown>[] = []
  for (const size of SIZES) {
    const { shop, asked } = await openShopOf(size)
    const ran = vi.spyOn(StatementSync.prototype, 'all')
    const [sql, rows] = [countSql(), countRows()]
    const count: Record<string, unknown> = {}
    for (const [name, ask] of Object.entries(asked)) {
      // Reads that come together share a transaction: BEGIN and ROLLBACK are not counted, which do not come by `all`.
      const [statements, { commits }, rowsBefore] = [ran.mock.calls.length, sql(), rows()]
      const { status } = await ask()
      count[name] = [
        ...[status, ran.mock.calls.length - statements, sql().commits - commits, rows() - rowsBefore]
      ]
    }
    counts.push(count)
    const texts = new Set(
      ran.mock.contexts.map((each) => (each instanceof StatementSync ? each.sourceSQL : ''))
    )
    ran.mockRestore()
    expect(texts.size).toBeGreaterThan(20)
    expect(await scansOf(shop, texts)).toEqual([])
  }
  expect(counts[0]).toEqual(COUNTS)
  expect(counts[1]).toEqual(counts[0])
  expect(counts[2]).toEqual(counts[0])
})
