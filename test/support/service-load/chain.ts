/** A chain of shops in a database of the service: filled by SQL, in seconds instead of hours. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { hashToken } from '../../../electron/service/domain/identifiers.ts'
import { dataFile, openPlace, type Place } from '../../../electron/service/cli/place.ts'
import { TillStore } from '../../../electron/service/store/tills.ts'
import { PROJECT } from '../../../resources/scripts/tools.ts'
import { httpRequest } from './load.ts'
import { startServer, type Server } from './server.ts'

/** Businesses, the customers of each, and the codes that each of those collected. */
export interface ChainSize {
  readonly businesses: number
  readonly customers: number
  readonly codes?: number
}

const FIRST_NAMES = ['Anna', 'Bilal', 'Chiara', 'Deniz', 'Eleni', 'Fatima', 'George', 'Hassan']
const LAST_NAMES = [
  'Papadopoulos',
  'Nikolaidis',
  'Rossi',
  'Yilmaz',
  'Haddad',
  'Mueller',
  'Garcia',
  'Kowalski'
]

/** The token of the till of a business, which is numbered from 1. */
const tokenOf = (business: number): string => `bench-${String(business)}`

/** The phone of a customer, numbered from 0 over all businesses. */
export const phoneOf = (customer: number): string => `+30690${String(customer).padStart(7, '0')}`

const AT = '2026-11-21T18:00:00.000Z'
const list = (names: readonly string[]): string =>
  names.map((name, key) => `(${String(key)}, '${name}')`).join(', ')

/** Points of a code. */
const POINTS = 5

/** Days over which the codes of a chain are spread, until now. */
const CODE_DAYS = 730

/** What the two databases write differently: a random code, and the moment of seconds since 1970. */
interface Spelling {
  readonly code: string
  readonly moment: (seconds: string) => string
}

const SQLITE: Spelling = {
  code: 'hex(randomblob(6))',
  moment: (seconds) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${seconds}, 'unixepoch')`
}
const POSTGRES: Spelling = {
  code: "upper(substr(md5(n || ' code'), 1, 12))",
  moment: (seconds) => `to_char(to_timestamp(${seconds}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/** Codes in the order of their moments, each collected as it was issued, and as many by each customer. */
const fillCodes = (
  { businesses, customers, codes = 0 }: ChainSize,
  { code, moment }: Spelling
): readonly string[] => {
  const count = businesses * customers * codes
  const step = (CODE_DAYS * 86_400) / count
  const at = moment(`${String(Math.floor(Date.now() / 1000))} - (${String(count)} - n) * ${String(step)}`)
  const shop = `n % ${String(businesses)} + 1`
  return count === 0
    ? []
    : [
        `WITH RECURSIVE slip(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM slip WHERE n + 1 < ${String(count)}),
     numbered AS (SELECT ${code} AS code, ${shop} AS shop, ${at} AS at,
       (${shop}) * 4294967296 + n / ${String(businesses)} % ${String(customers)} + 1 AS customer FROM slip)
   INSERT INTO codes (code, business, points, image, created_at, updated_at, expires_at, used_at, used_by, till)
   SELECT code, shop, ${String(POINTS)}, 0, at, at, '2099', at, customer, 'till_' || shop FROM numbered`,
        `INSERT INTO entries (id, business, customer, kind, points, lifetime_points, at, made_by, code)
   SELECT 'ent_' || code, business, used_by, 'collected', points, points, used_at, 'customer', code FROM codes`
      ]
}

/** One text for both databases. The keys of customers are those of `customerKey` in the store. */
const fillChain = ({ businesses, customers, codes = 0 }: ChainSize): readonly string[] => [
  `WITH RECURSIVE shop(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM shop WHERE n < ${String(businesses)})
   INSERT INTO businesses (business, id, name, time_zone, plan, plan_interval, street, city, state, country, zip_code,
     code_validity_days, customers, created_at)
   SELECT n, 'usr_' || n, 'Shop ' || n, 'Europe/Athens', '', '', '', '', '', 'GR', '', 90,
     ${String(customers)}, '${AT}' FROM shop`,
  `WITH RECURSIVE person(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM person WHERE n + 1 < ${String(businesses * customers)}),
     first(k, name) AS (VALUES ${list(FIRST_NAMES)}), last(k, name) AS (VALUES ${list(LAST_NAMES)}),
     numbered AS (SELECT n, n / ${String(customers)} + 1 AS shop, first.name || ' ' || last.name || ' ' || n AS name,
       '+30690' || substr(CAST(10000000 + n AS TEXT), 2) AS phone
     FROM person JOIN first ON first.k = n % ${String(FIRST_NAMES.length)}
       JOIN last ON last.k = n / ${String(FIRST_NAMES.length)} % ${String(LAST_NAMES.length)})
   INSERT INTO customers (customer, business, id, name, phone, search_text, balance, lifetime_points, created_at)
   SELECT shop * 4294967296 + n % ${String(customers)} + 1, shop, 'cus_' || substr(CAST(10000000000000000 + n AS TEXT), 2),
     name, phone, lower(name) || '\n\n' || phone, ${String(POINTS * codes)}, ${String(POINTS * codes)}, '${AT}' FROM numbered ORDER BY n`
]

async function fillPostgres(url: string, size: ChainSize): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ sql: string }>(
    `SELECT indexdef AS sql FROM pg_indexes WHERE indexname = 'customer_search'`
  )
  // Quicker to build over all rows than to keep while they come.
  await client.query(
    `SET maintenance_work_mem = '512MB'; SET session_replication_role = replica; DROP INDEX customer_search`
  )
  for (const sql of [...fillChain(size), ...fillCodes(size, POSTGRES)]) await client.query(sql)
  await client.query(`SELECT setval('customer_numbers', ${String(size.customers)})`)
  await client.query(`${rows[0]?.sql ?? ''}; ANALYZE`)
  await client.end()
}

function fillSqlite(file: string, size: ChainSize): void {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; PRAGMA cache_size = -400000')
  for (const sql of [...fillChain(size), ...fillCodes(size, SQLITE)]) database.exec(sql)
  database.exec(
    'INSERT INTO customer_search (rowid, search_text) SELECT customer, search_text FROM customers'
  )
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
}

/** Makes the database of a place, with a till in each business. */
export async function createChain(place: Place, size: ChainSize): Promise<void> {
  const created = await openPlace(place, { mayCreate: true })
  await created.close()
  if ('url' in place) await fillPostgres(place.url, size)
  else fillSqlite(dataFile(place.folder), size)
  const database = await openPlace(place)
  await database.transaction(async (queries) => {
    const tills = new TillStore(queries)
    for (let business = 1; business <= size.businesses; business++) {
      const till = { id: `till_${String(business)}`, business, name: 'Till', createdAt: AT }
      await tills.add(till, hashToken(tokenOf(business)))
    }
  })
  await database.close()
}

/** A request of the till of a business. */
export const tillRequest = (business: number, method: string, path: string, body = ''): string =>
  httpRequest(
    method,
    `/api${path}`,
    [
      `Authorization: Bearer ${tokenOf(business)}`,
      ...(body === '' ? [] : ['Content-Type: application/json'])
    ],
    body
  )

/** The form by which a customer of the first business collects an issued code. */
export const COLLECT = httpRequest(
  'POST',
  '/q/{code}',
  [
    'Content-Type: application/x-www-form-urlencoded',
    'Sec-Fetch-Site: same-origin',
    'X-Forwarded-For: {address}'
  ],
  'phone=%2B30690{customer}'
)

/** Starts the service as a shop runs it, behind a proxy: the load generator says for whom it asks. */
export const startService = (place: Place): Promise<Server> =>
  startServer(join(PROJECT, 'electron/service/cli/main.ts'), [
    ...['serve', '--port', '0', '--public-url', 'https://points.example.com', '--behind-proxy', '127.0.0.1'],
    ...('url' in place ? ['--database', place.url] : ['--data', place.folder])
  ])

/** Starts the least that does the same work, on a database of its own. */
export const startBare = (place: Place): Promise<Server> =>
  startServer(join(PROJECT, 'test/bench/baseline/service.ts'), [
    'url' in place ? place.url : dataFile(place.folder)
  ])
