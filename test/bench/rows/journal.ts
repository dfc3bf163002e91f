/** The journal's overhead over bare SQLite, on the same open file with a million slips. */
import { randomUUID } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { ReportRange } from '../../../electron/contract/slips.ts'
import { criteriaOf } from '../../../electron/main/slips/queries.ts'
import { Journal } from '../../../electron/main/slips/journal/journal.ts'
import type { BusinessSnapshot } from '../../../electron/main/slips/journal/rows.ts'
import { searchTokens } from '../../../electron/main/slips/journal/history.ts'
import { createSlipsReport } from '../../../electron/main/slips/report.ts'
import { timeBuckets } from '../../../electron/main/slips/time-buckets.ts'
import { bareJournal } from '../bare-journal.ts'
import type { Bench, Growing } from '../bench.ts'
import type { Measured, Samples } from '../line.ts'
import { writeJournal } from '../million-rows.ts'
import { milliseconds, sideBySide, type Rounds } from '../side-by-side.ts'
import { atRank } from '../statistics.ts'

const SCOPE = { training: false, businessId: 'bench' }
const SCOPE_VALUES = [0, SCOPE.businessId] as const
const ZONE = 'Europe/Athens'
/** The day before the newest one: a whole day, in a journal of many years. */
const DAY: ReportRange = { from: '2026-11-20', to: '2026-11-20' }
/** The limit of one history page: fifty, and one more that shows whether there is a next page. */
const PAGE = 51
/** Reads in one sample: one alone is too short to time. */
const READS = 10

const CUSTOMER = { id: 'cus_bench', name: 'Maria Papadopoulou' }
const FACE: BusinessSnapshot = {
  name: 'Corner Café',
  address: { street: 'Ermou 12', city: 'Athens', state: '', country: 'Greece', zipCode: '10563' },
  timeZone: ZONE,
  locale: 'en-GB',
  headline: '',
  footer: '',
  tillName: '',
  customerName: true,
  affordable: null,
  joinUrl: null,
  logo: null
}

const OPERATIONS = ['append', 'newest page', 'code', 'search', 'sums'] as const
type Operation = (typeof OPERATIONS)[number]
interface Found extends Readonly<Record<Operation, Samples>> {
  /** the whole report of a day: the sums, its calendar and its adding up */
  readonly report: readonly number[]
}

const mean = (reads: number, read: () => unknown): Promise<number> =>
  milliseconds(() => {
    for (let count = 0; count < reads; count++) read()
  }).then((total) => total / reads)

/** A few codes from all over the journal, in turn: what takes long is not to be the disk's reading. */
function codesOf(database: DatabaseSync): () => string {
  const rows = Number(database.prepare('SELECT max(number) AS most FROM slips').get()?.['most'])
  const codes = database
    .prepare('SELECT code FROM slips WHERE code IS NOT NULL AND number % ? = 0 LIMIT 20')
    .all(Math.max(1, Math.floor(rows / 20)))
    .map(({ code }) => String(code))
  let next = 0
  return () => codes[next++ % codes.length] ?? ''
}

function request(journal: Journal): unknown {
  return journal.slips.request({
    ...SCOPE,
    intentId: randomUUID(),
    points: 25,
    requestedCopies: 1,
    customer: CUSTOMER,
    cashier: null,
    requestedAt: new Date().toISOString(),
    snapshot: FACE,
    batch: null,
    reference: null,
    program: null
  })
}

/** Waits until the disk has all of the file: appending would wait for it otherwise. */
async function settle(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function measureFile(file: string, rounds: Rounds): Promise<Found> {
  const database = new DatabaseSync(file, { timeout: 5000 })
  try {
    // As the till opens it (journal/open-journal.ts). One connection for both, so that both find the same pages in memory.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = 1')
    const journal = new Journal(database)
    const bare = bareJournal(database, SCOPE_VALUES)
    const code = codesOf(database)
    const words = searchTokens(CUSTOMER.name).join(' ')
    const snapshot = JSON.stringify(FACE)
    const { id: customerId, name: customerName } = CUSTOMER
    const appendBare = (): unknown =>
      bare.append({
        intentId: randomUUID(),
        requestedAt: new Date().toISOString(),
        snapshot,
        customerId,
        customerName,
        words
      })
    const hours = timeBuckets(DAY, 'hour', ZONE)
    const both = (ours: () => unknown, baseline: () => unknown, reads = READS): Promise<Samples> =>
      sideBySide(
        rounds,
        () => mean(reads, ours),
        () => mean(reads, baseline)
      )
    const reading = {
      'newest page': await both(
        () => journal.history.find(SCOPE, {}, { limit: PAGE }),
        () => bare.newest(PAGE)
      ),
      code: await both(
        () => journal.slips.byCode(SCOPE, code()),
        () => bare.byCode(code())
      ),
      search: await both(
        () => journal.history.find(SCOPE, criteriaOf({ text: code() }, ZONE), { limit: PAGE }),
        () => bare.search(code(), PAGE)
      ),
      sums: await both(
        () => hours.map(({ from, until }) => journal.statistics.sumByStatus(SCOPE, from, until)),
        () => hours.map(({ from, until }) => bare.sums(from, until)),
        1
      )
    }
    const report: number[] = []
    for (let count = 0; count < rounds.rounds; count++) {
      report.push(await milliseconds(() => createSlipsReport(journal.statistics, SCOPE, DAY, ZONE)))
    }
    // Last, and one at a time: each waits for the disk.
    const append = await both(() => request(journal), appendBare, 1)
    return { ...reading, report, append }
  } finally {
    database.close()
  }
}

const NAMES: Readonly<Record<Operation, string>> = {
  append: 'append, on the disk',
  'newest page': 'newest page',
  code: 'slip with a code',
  search: 'search for a code',
  sums: 'sums of a day, hour by hour'
}

const linesOf = (found: Found, size: number): Measured[] => {
  const name = (operation: Operation): string =>
    `journal of ${size.toLocaleString('en')}: ${NAMES[operation]}`
  return [
    ...OPERATIONS.map((operation): Measured => ({
      name: name(operation),
      unit: 'ms',
      samples: found[operation],
      against: 'the same statements, bare',
      target: { kind: 'at most times', times: 1.2, rank: 'p50' }
    })),
    {
      name: `journal of ${size.toLocaleString('en')}: one day’s report`,
      unit: 'ms',
      samples: { ours: found.report, baseline: [] },
      target: { kind: 'at most', most: 50, rank: 'p95' }
    }
  ]
}

/** The row of the journal. */
export const journalBench: Bench = {
  name: 'journal',
  description: 'the journal’s overhead over SQLite, at up to a million slips',
  async measure({ extent, folder, say }) {
    const full = extent === 'full'
    const sizes = full ? [1000, 10_000, 100_000, 1_000_000] : [1000]
    const rounds = full ? { rounds: 200, warmUp: 40 } : { rounds: 5, warmUp: 1 }
    const measured: { readonly size: number; readonly found: Found }[] = []
    for (const size of sizes) {
      const file = join(folder, `${String(size)}.sqlite`)
      say(`${size.toLocaleString('en')} slips`)
      writeJournal({ file, rows: size, scope: SCOPE })
      await settle(file)
      measured.push({ size, found: await measureFile(file, rounds) })
    }
    const growing = OPERATIONS.map((operation): Growing => ({
      name: `journal: ${NAMES[operation]}`,
      of: 'slips in the journal',
      points: measured.map(({ size, found }) => ({ size, cost: atRank(found[operation].ours, 'p50') }))
    }))
    const last = measured.at(-1)
    return { lines: last === undefined ? [] : linesOf(last.found, last.size), growing }
  }
}
