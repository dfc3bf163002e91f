/**
 * A program: the least that issues and collects codes in a database of the service. It checks nothing and shows nothing.
 * Its argument: the SQLite file, or the address of PostgreSQL.
 */
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { createHash, randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers'
import { Pool, type PoolClient } from 'pg'

type Row = Readonly<Record<string, unknown>> | undefined
type Run = (sql: string, ...values: (string | number)[]) => Promise<Row> | Row

interface Store {
  readonly run: Run
  readonly transaction: <Result>(work: (run: Run) => Promise<Result>) => Promise<Result>
}

/** One commit for all that wait. */
function sqliteStore(file: string): Store {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -32000')
  const statements = new Map<string, ReturnType<DatabaseSync['prepare']>>()
  const run: Run = (sql, ...values) => {
    const statement = statements.get(sql) ?? database.prepare(sql)
    statements.set(sql, statement)
    return statement.get(Object.fromEntries(values.map((value, index) => [`$${String(index + 1)}`, value])))
  }
  let waiting: (() => Promise<() => void>)[] = []
  const commit = async (): Promise<void> => {
    const jobs = waiting
    waiting = []
    const settles: (() => void)[] = []
    database.exec('BEGIN IMMEDIATE')
    for (const job of jobs) settles.push(await job())
    database.exec('COMMIT')
    for (const settle of settles) settle()
  }
  const transaction: Store['transaction'] = (work) =>
    new Promise((resolve) => {
      waiting.push(async () => {
        const result = await work(run)
        return () => resolve(result)
      })
      if (waiting.length === 1) setImmediate(() => void commit())
    })
  return { run: (sql, ...values) => transaction(async (each) => each(sql, ...values)), transaction }
}

function postgresStore(url: string): Store {
  const pool = new Pool({ connectionString: url, max: 16 })
  const names = new Map<string, string>()
  const runOn =
    (connection: Pool | PoolClient): Run =>
    async (text, ...values) => {
      const name = names.get(text) ?? `s${String(names.size)}`
      names.set(text, name)
      return (await connection.query<Record<string, unknown>>({ name, text, values })).rows[0]
    }
  const transaction: Store['transaction'] = async (work) => {
    const client = await pool.connect()
    await client.query('BEGIN')
    const result = await work(runOn(client))
    await client.query('COMMIT')
    client.release()
    return result
  }
  return { run: runOn(pool), transaction }
}

const randomText = (bytes: number): string => randomBytes(bytes).toString('hex')
const place = process.argv[2] ?? ''
const { run, transaction } = place.startsWith('postgres:') ? postgresStore(place) : sqliteStore(place)
const app = new Hono()

app.post('/api/qr', async (c) => {
  const { points } = await c.req.json<{ points: number }>()
  const at = new Date().toISOString()
  const code = randomText(6)
  await run(
    `INSERT INTO codes (business, code, points, image, created_at, updated_at, expires_at)
     VALUES (1, $1, $2, 0, $3, $3, '2099')`,
    ...[code, points, at]
  )
  const times = { createdAt: at, updatedAt: at, usedDate: '' }
  return c.json({ ...times, code, rewardPoints: points, status: 'active', qrURL: '', qrImageURL: '' })
})

app.post('/q/:code', async (c) => {
  const at = new Date().toISOString()
  const code = c.req.param('code')
  const phone = new URLSearchParams(await c.req.text()).get('phone') ?? ''
  const address = c.req.header('x-forwarded-for') ?? ''
  // By itself: a form that is refused counts, too.
  await transaction(async (query) => {
    for (const subject of [address, code, phone]) {
      await query(
        `INSERT INTO attempts (key, since, count) VALUES ($1, $2, 1)
         ON CONFLICT (key) DO UPDATE SET count = attempts.count + 1`,
        ...[createHash('sha256').update(subject).digest('hex'), at]
      )
    }
  })
  const collected = await transaction(async (query) => {
    const customer = await query('SELECT customer FROM customers WHERE business = 1 AND phone = $1', phone)
    const key = Number(customer?.['customer'])
    const used = await query(
      `UPDATE codes SET used_at = $1, updated_at = $1, used_by = $2 WHERE code = $3 AND used_at IS NULL
       RETURNING points`,
      ...[at, key, code]
    )
    if (used === undefined) return false
    const points = Number(used['points'])
    await query(
      `INSERT INTO entries (business, customer, id, kind, points, lifetime_points, at, made_by, code)
       VALUES (1, $1, $2, 'collected', $3, $3, $4, 'customer', $5)`,
      ...[key, `ent_${randomText(8)}`, points, at, code]
    )
    await query(
      `UPDATE customers SET balance = balance + $1, lifetime_points = lifetime_points + $1 WHERE customer = $2`,
      ...[points, key]
    )
    const device = randomText(8)
    await query(
      `INSERT INTO devices (id, business, hash, created_at, last_seen_at) VALUES ($1, 1, $1, $2, $2)`,
      ...[device, at]
    )
    await query('INSERT INTO device_codes (device, code) VALUES ($1, $2)', device, code)
    return true
  })
  return c.json({ collected }, collected ? 200 : 410)
})

serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
  console.log(`listening on http://127.0.0.1:${String(port)}/api`)
})
