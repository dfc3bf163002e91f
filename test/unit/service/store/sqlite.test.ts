import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqlite } from '../../../../electron/service/store/sqlite.ts'
import { MIGRATIONS } from '../../../../electron/service/store/migrate.ts'
import { CodeStore } from '../../../../electron/service/store/codes.ts'
import { verifyLedger } from '../../../../electron/service/store/verify.ts'
import { bodyOf, exactly, openInProcess, post } from '../fixtures.ts'

describe('the data file of the service', () => {
  let folder: string
  let file: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'service-'))
    file = join(folder, 'service.sqlite')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('answers other reads after one of a damaged page', async () => {
    const sound = await openSqlite(file)
    await sound.write('CREATE TABLE texts (text TEXT)')
    for (let row = 0; row < 40; row += 1)
      await sound.write('INSERT INTO texts VALUES ($1)', ['x'.repeat(2000)])
    await sound.close()
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.fill(0xff, bytes.length - 15 * 4096))
    const database = await openSqlite(file)
    await expect(database.read('SELECT count(*) FROM texts WHERE text > $1', [''])).rejects.toThrow(
      'malformed'
    )
    await new Promise(setImmediate)
    expect(await database.read('SELECT 1 AS one')).toEqual([{ one: 1 }])
    await database.close()
  })

  it('keeps added records when it is reopened, and is not seeded again', async () => {
    const first = await openInProcess({ file })
    const issued = bodyOf(await first.call('/qr', post({ points: 75 })), exactly.qr)
    await first.call('/customers', post({ name: 'Kept', phone: '+306940000555' }))
    await first.close()

    const second = await openInProcess({ file })
    expect(bodyOf(await second.call(`/qr/${issued.code}`), exactly.qr)).toEqual(issued)
    expect(bodyOf(await second.call('/account'), exactly.account).currentCustomers).toBe(31)
    expect((await second.call('/customers/%2B306940000555?type=phone')).status).toBe(200)
    await second.close()
  })

  it('does not contain tokens in plain text', async () => {
    await (await openInProcess({ file, tokens: ['a-token-to-look-for'] })).close()
    const database = new DatabaseSync(file, { readOnly: true })
    const rows = JSON.stringify(database.prepare('SELECT * FROM tokens').all())
    database.close()
    expect(rows).toContain('"hash"')
    expect(rows).not.toContain('a-token-to-look-for')
  })

  it('uses WAL with synchronous=FULL', async () => {
    const database = await openSqlite(file)
    expect(await database.read('PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }])
    // 2 is FULL
    expect(await database.read('PRAGMA synchronous')).toEqual([{ synchronous: 2 }])
    await database.close()
  })

  it('is verified without reading all sums once for each customer', async () => {
    const database = await openSqlite(file)
    const plans: unknown[] = []
    await verifyLedger({
      dialect: database.dialect,
      read: async (sql) => {
        plans.push(...(await database.read(`EXPLAIN QUERY PLAN ${sql}`)))
        return []
      },
      write: (sql, values) => database.write(sql, values)
    })
    await database.close()
    const steps = plans.map((plan) => v.parse(v.object({ detail: v.string() }), plan).detail)
    expect(steps).toContainEqual(expect.stringMatching(/^SEARCH s .*LEFT-JOIN/))
    expect(steps.filter((step) => /^SCAN .*LEFT-JOIN/.test(step))).toEqual([])
  })

  it.each([
    [null, null, 'codes_by_time (business=? AND created_at<?)'],
    ['till_1', null, 'codes_by_till (business=? AND till=? AND created_at<?)'],
    [null, 3, 'codes_by_cashier (business=? AND cashier=? AND created_at<?)'],
    ['till_1', 3, 'codes_by_']
  ])('finds the newest codes of till %j and cashier %j in their order', async (till, cashier, index) => {
    const database = await openSqlite(file)
    const plan: unknown[] = []
    await new CodeStore({
      dialect: database.dialect,
      read: async (sql) => {
        plan.push(...(await database.read(`EXPLAIN QUERY PLAN ${sql}`)))
        return []
      },
      write: () => Promise.resolve([])
    }).newest(1, { after: 'CODE', limit: 31, by: { till, cashier } })
    await database.close()
    expect(JSON.stringify(plan)).toContain(`SEARCH codes USING INDEX ${index}`)
    expect(JSON.stringify(plan)).not.toMatch(/SCAN|TEMP B-TREE/)
  })

  it('is refused when a newer version created it, and not changed', async () => {
    const newer = new DatabaseSync(file)
    newer.exec('PRAGMA user_version = 99')
    newer.close()
    await expect(openSqlite(file)).rejects.toThrow(
      `was created by a newer version of the service (its schema is 99, this program knows ${String(MIGRATIONS.length)}). Install the newer version`
    )
    const again = new DatabaseSync(file)
    expect(again.prepare('PRAGMA user_version').get()).toEqual({ user_version: 99 })
    expect(again.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()).toEqual({ tables: 0 })
    again.close()
  })

  it('is refused when it is not a database', async () => {
    writeFileSync(file, 'not a database, and longer than the header of a database file '.repeat(9))
    await expect(openSqlite(file)).rejects.toThrow('file is not a database')
  })
})

describe('transactions of the data file', () => {
  const add = `INSERT INTO erasures VALUES ($1, 'now')`
  const all = 'SELECT customer_id AS id FROM erasures ORDER BY id'

  it('share a commit: one that fails changes nothing, and the others are committed', async () => {
    const database = await openSqlite(':memory:')
    const results = await Promise.allSettled([
      database.write(add, ['first']),
      database.transaction(async (queries) => {
        await queries.write(add, ['half'])
        throw new Error('half way')
      }),
      database.write(add, ['first']),
      database.transaction(async (queries) => {
        await queries.write(add, ['last'])
        return queries.read(all)
      })
    ])
    expect(results).toMatchObject([
      { status: 'fulfilled', value: [] },
      { status: 'rejected', reason: { message: 'half way' } },
      { status: 'rejected', reason: { message: expect.stringContaining('UNIQUE') as string } },
      { status: 'fulfilled', value: [{ id: 'first' }, { id: 'last' }] }
    ])
    expect(await database.read(all)).toEqual([{ id: 'first' }, { id: 'last' }])
    await database.close()
  })

  it('are not seen by others before their commit', async () => {
    const database = await openSqlite(':memory:')
    const seen: Promise<readonly unknown[]>[] = []
    const failed = database.transaction(async (queries) => {
      await queries.write(add, ['never committed'])
      seen.push(database.read(all))
      await Promise.resolve()
      throw new Error('rolled back')
    })
    await expect(failed).rejects.toThrow('rolled back')
    expect(await Promise.all(seen)).toEqual([[]])
    await database.close()
  })

  it('finish before the file is closed, and are refused afterwards', async () => {
    const database = await openSqlite(':memory:')
    const pending = database.write(add, ['pending'])
    await database.close()
    expect(await pending).toEqual([])
    await expect(database.write(add, ['late'])).rejects.toThrow('database is not open')
    await expect(database.read(all)).rejects.toThrow('database is not open')
  })
})
