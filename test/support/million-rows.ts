/**
 * A journal of many years, made in seconds: rows as a busy till leaves them, through the till's own schema and in one
 * transaction. The same arguments give the same rows.
 */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createSeededRandom, pickRandom, seededCustomers } from '../../electron/service/seed/customers.ts'
import type { BusinessSnapshot, Scope } from '../../electron/main/journal/rows.ts'
import { migrate } from '../../electron/main/journal/schema.ts'
import { searchTokens } from '../../electron/main/journal/history.ts'

/** What the journal is to hold. */
export interface JournalSize {
  /** full path of the file, which must not be there yet; its folder is made */
  readonly file: string
  /** slips in it */
  readonly rows: number
  /** whose slips they are, all of them */
  readonly scope: Scope
  /** when the newest one was asked for; 2026-11-21T18:00Z unless given */
  readonly until?: Date
}

/** Different customers that the slips were issued for. */
const CUSTOMERS = 20_000
/** Slips of a day, between eight in the morning and eight in the evening. */
const PER_DAY = 500
const DAY = 24 * 60 * 60_000
const OPEN = 12 * 60 * 60_000

const CASHIERS = ['Anna', 'Bilal', 'Chiara', 'Deniz'].map((name, place) => ({
  id: `c5a1e000-0000-4000-8000-00000000000${String(place)}`,
  name
}))

const FACE: BusinessSnapshot = {
  name: 'Corner Café',
  address: { street: 'Ermou 12', city: 'Athens', state: '', country: 'Greece', zipCode: '10563' },
  timeZone: 'Europe/Athens',
  locale: 'en-GB',
  headline: '',
  footer: '',
  tillName: '',
  customerName: true,
  affordable: null,
  expiry: null,
  joinUrl: null,
  logo: null
}

/** A slip in how many ends this way; the rest is on paper. The first ones wait for a person, so they are few. */
const RARE_ENDS = [
  { every: 200_003, state: 'unknown' },
  { every: 50_021, state: 'print-failed' },
  { every: 307, state: 'refused' },
  { every: 211, state: 'given' },
  { every: 503, state: 'discarded' },
  { every: 31, state: 'shown' }
] as const

const stateOf = (number: number): (typeof RARE_ENDS)[number]['state'] | 'printed' =>
  RARE_ENDS.find(({ every }) => number % every === 0)?.state ?? 'printed'

/** Why a slip ended as it did, as the till writes it. */
const FAILURES: Readonly<Partial<Record<ReturnType<typeof stateOf>, string>>> = {
  unknown: JSON.stringify({ kind: 'unknown-outcome', cause: 'connection-lost' }),
  'print-failed': JSON.stringify({ kind: 'not-printed', fault: 'out-of-paper', mayStillPrint: false }),
  refused: JSON.stringify({ kind: 'offline', cause: 'no-network' })
}

const DESTINATION = JSON.stringify({ kind: 'folder' })

/** Twelve letters and digits as the service makes them, different for each number. */
const codeOf = (number: number): string =>
  ((BigInt(number) * 0x9e3779b97f4a7c15n) & 0xfffffffffffffffn).toString(32).toUpperCase().padStart(12, '0')

const INSERT = `
  INSERT INTO slips (number, intent_id, business_id, training, state, points, requested_copies, customer_id, customer_name,
                     cashier_id, cashier_name, requested_at, issued_at, printed_at, shown_at, ended_at, note,
                     code, url, file, failure, snapshot, destination, media, revision, copies)
  VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
`

/** Writes the journal, closed as a till closes it. Throws as SQLite does. */
export function writeJournal({
  file,
  rows,
  scope,
  until = new Date('2026-11-21T18:00:00Z')
}: JournalSize): void {
  mkdirSync(dirname(file), { recursive: true })
  const database = new DatabaseSync(file)
  try {
    // Nothing of it would be missed: a file that was not finished is made again.
    database.exec(
      'PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -400000'
    )
    migrate(database)
    // Indexes are quicker to build over all rows than to keep while they come.
    const indexes = database
      .prepare(`SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL`)
      .all()
    for (const { name } of indexes) database.exec(`DROP INDEX ${String(name)}`)
    database.exec('BEGIN')
    fill(database, rows, scope, until)
    for (const { sql } of indexes) database.exec(String(sql))
    database.exec('UPDATE shutdown SET clean = 1; COMMIT')
    database.exec('PRAGMA journal_mode = WAL')
  } finally {
    database.close()
  }
}

function fill(database: DatabaseSync, rows: number, scope: Scope, until: Date): void {
  const chance = createSeededRandom(rows)
  const customers = Array.from(seededCustomers(CUSTOMERS), ({ name }, place) => ({
    id: `cus_${String(place).padStart(16, '0')}`,
    name,
    words: searchTokens(name).join(' ')
  }))
  const insert = database.prepare(INSERT)
  const insertWords = database.prepare('INSERT INTO slip_search (rowid, name) VALUES (?, ?)')
  const insertCopy = database.prepare(
    `INSERT INTO copies (slip, number, state, started_at, ended_at, destination, media) VALUES (?, 1, 'printed', ?, ?, ?, '80mm')`
  )
  const snapshot = JSON.stringify(FACE)
  const midnight = until.getTime() - (until.getTime() % DAY)
  const lastOfToday = (until.getTime() - midnight - (DAY - OPEN) / 2) / OPEN
  const today = Math.max(1, Math.floor(lastOfToday * PER_DAY))
  for (let number = 1; number <= rows; number++) {
    const before = rows - number
    const day = before < today ? 0 : Math.floor((before - today) / PER_DAY) + 1
    const place = before < today ? today - before : PER_DAY - ((before - today) % PER_DAY)
    const asked = midnight - day * DAY + (DAY - OPEN) / 2 + Math.floor((place / PER_DAY) * OPEN)
    const [requestedAt, issuedAt, printedAt] = [0, 180, 1900].map((late) =>
      new Date(asked + late).toISOString()
    )
    const state = stateOf(number)
    const hasCode = state !== 'refused' && state !== 'unknown'
    const onPaper = state === 'printed'
    const ended = state === 'given' || state === 'discarded'
    const customer = chance() < 0.8 ? pickRandom(chance, customers) : null
    const cashier = pickRandom(chance, CASHIERS)
    const code = codeOf(number)
    const copies = onPaper && number % 97 === 0 ? 1 : 0
    insert.run(
      number,
      `${((number * 2_654_435_761) % 4_294_967_296).toString(16).padStart(8, '0')}-0000-4000-8000-${String(number).padStart(12, '0')}`,
      scope.businessId,
      Number(scope.training),
      state,
      Math.ceil(chance() * 500),
      customer?.id ?? null,
      customer?.name ?? null,
      cashier.id,
      cashier.name,
      requestedAt ?? '',
      hasCode ? (issuedAt ?? null) : null,
      onPaper ? (printedAt ?? null) : null,
      state === 'shown' ? (issuedAt ?? null) : null,
      ended ? (printedAt ?? null) : null,
      ended ? '' : null,
      hasCode ? code : null,
      hasCode ? `https://points.example/q/${code}` : null,
      onPaper ? `slips/${code}.pdf` : null,
      FAILURES[state] ?? null,
      snapshot,
      hasCode && state !== 'shown' ? DESTINATION : null,
      hasCode && state !== 'shown' ? '80mm' : null,
      onPaper ? 3 : 2,
      copies
    )
    if (customer !== null && customer.words !== '') insertWords.run(number, customer.words)
    if (copies > 0) insertCopy.run(number, printedAt ?? '', printedAt ?? '', DESTINATION)
  }
}
