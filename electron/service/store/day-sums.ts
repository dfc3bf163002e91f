/**
 * What happened in a shop, by day. What was taken back counts as if it had not happened: an entry that was reversed and a
 * code that was cancelled are missing on their own day, whenever that was done. So no number is below zero, and a mistake
 * that is corrected on the next morning leaves both days right.
 *
 * A page that counted a month would take longer in a larger shop. So the sums of what is past are kept: of each day that
 * has ended, and of each ten minutes of a day that has not. The database itself takes them away when a row of their time is
 * written, by whatever statement. The next page counts them again, and `verifyLedger` proves those that are kept.
 */
import * as v from 'valibot'
import type { BusinessKey, StoredBusiness } from '../domain/businesses.ts'
import { daysBetween, minutesAfter, type ShopDay } from '../domain/days.ts'
import { StorageFullError, type Database } from './database.ts'
import type { Dialect } from './dialects.ts'

/** How often something happened, and the points of it. */
export interface Tally {
  readonly count: number
  readonly points: number
}

export interface DayStatistics {
  /** such as `2026-11-25`, in the shop's time zone */
  readonly day: string
  /** codes */
  readonly issued: Tally
  readonly collected: Tally
  /** to known customers, without a code */
  readonly credited: Tally
  /** with goods, on the day on which they came back */
  readonly returned: Tally
  /** rewards, and the points spent */
  readonly redeemed: Tally
  /** customers who registered, without those whom an import brought or who were merged into another */
  readonly joined: number
}

/** Which customers joined, of those made in a time. */
export const JOINED = 'merged_into IS NULL AND imported = 0'

/** Of a day that has not ended, in minutes. */
const PART = 10
/** Minutes within which what has begun is committed. What is committed later takes the sums away. */
const SETTLED = 2

/** Returns the text of the sums of a time of a business, which are parameters or columns: counts and points, with spaces. */
const sumsText = (business: string, start: string, end: string): string => {
  const within = (at: string): string => `business = ${business} AND ${at} >= ${start} AND ${at} < ${end}`
  const sums = (rows: string, points = 'points'): string =>
    `(SELECT count(*) || ' ' || coalesce(sum(${points}), 0) FROM ${rows})`
  const entries = (kind: string): string =>
    sums(`entries WHERE ${within('at')} AND kind = '${kind}'
      AND NOT EXISTS (SELECT 1 FROM entries AS reversals WHERE reversals.reverses = entries.id)`)
  return [
    sums(`codes WHERE ${within('created_at')} AND cancelled_at IS NULL`),
    ...['collected', 'credited', 'redeemed'].map(entries),
    sums(`returns WHERE ${within('at')}`),
    sums(`customers WHERE ${within('created_at')} AND ${JOINED}`, '0')
  ].join(` || ' ' || `)
}
const SUMS = sumsText('CAST($1 AS BIGINT)', 'periods.start', 'periods."end"')

/** Selects the businesses of which sums are wrong. */
export const WRONG_DAY_SUMS = `
  SELECT b.id AS record FROM day_sums s JOIN businesses b ON b.business = s.business
  WHERE s.sums <> ${sumsText('s.business', 's.start', 's."end"')}`

/** The changes after which a time has other sums: what is written, and a moment of that time. */
const CHANGES = [
  { change: 'INSERT ON codes', at: 'NEW.created_at' },
  { change: 'UPDATE OF cancelled_at, points ON codes', at: 'NEW.created_at' },
  { change: 'INSERT ON entries', at: 'NEW.at', when: `NEW.kind IN ('collected', 'credited', 'redeemed')` },
  {
    change: 'INSERT ON entries',
    at: '(SELECT at FROM entries WHERE id = NEW.reverses)',
    when: 'NEW.reverses IS NOT NULL'
  },
  { change: 'INSERT ON returns', at: 'NEW.at' },
  { change: 'INSERT ON customers', at: 'NEW.created_at', when: 'NEW.imported = 0' },
  { change: 'UPDATE OF merged_into ON customers', at: 'NEW.created_at', when: 'NEW.imported = 0' }
] as const

/** Returns the statements that create the kept sums, and that let the database take them away. */
export const createDaySums = ({ integer, keyedTableOptions, afterEach }: Dialect): string => `
  CREATE TABLE day_sums (
    business ${integer} NOT NULL REFERENCES businesses,
    start    TEXT NOT NULL,
    "end"    TEXT NOT NULL,
    -- counts and points: see day-sums.ts
    sums     TEXT NOT NULL,
    -- what is written now is after all that is kept: it is seen at once
    PRIMARY KEY (business, "end", start)
  )${keyedTableOptions};
  ${CHANGES.map(({ at, ...row }, index) =>
    afterEach(
      { name: `day_sums_change_${String(index + 1)}`, ...row },
      `DELETE FROM day_sums WHERE business = NEW.business AND "end" > ${at} AND start <= ${at}`
    )
  ).join('')}`

type Period = Pick<ShopDay, 'start' | 'end'>
type Sums = readonly number[]

const sumsColumn = v.pipe(
  v.string(),
  v.transform((text): Sums => text.split(' ').map(Number))
)
const countedRow = v.object({ sums: sumsColumn })
const keptRow = v.object({ start: v.string(), end: v.string(), sums: sumsColumn })

/** Counts periods of the business `$1`, and keeps them with `insertion` before and `returning` behind it. */
const counting = (periods: readonly Period[], insertion = '', returning = ''): string => `
  WITH periods (start, "end") AS (VALUES ${periods
    .map((_, index) => `(CAST($${index * 2 + 2} AS TEXT), CAST($${index * 2 + 3} AS TEXT))`)
    .join(', ')})
  ${insertion} SELECT CAST($1 AS BIGINT) AS business, start, "end", ${SUMS} AS sums FROM periods WHERE 1 = 1 ${returning}`

/** A day that has ended is one period, and of another each ten minutes, and what is left. */
const periodsOf = ({ start, end }: ShopDay, settled: string): readonly Period[] => {
  if (end <= settled) return [{ start, end }]
  const periods: Period[] = []
  let from = start
  for (let next = minutesAfter(from, PART); next <= settled; next = minutesAfter(from, PART)) {
    periods.push({ start: from, end: next })
    from = next
  }
  return [...periods, { start: from, end }]
}

export class DaySums {
  readonly #database: Database
  readonly #now: () => Date

  constructor(database: Database, now: () => Date) {
    this.#database = database
    this.#now = now
  }

  /** Returns the days from `first` to `last` (such as `2026-11-25`). */
  async days(
    { key, timeZone }: Pick<StoredBusiness, 'key' | 'timeZone'>,
    first: string,
    last: string
  ): Promise<readonly DayStatistics[]> {
    const days = daysBetween(first, last, timeZone)
    const kept = await this.#kept(key, days)
    const settled = minutesAfter(this.#now().toISOString(), -SETTLED)
    const statistics: DayStatistics[] = []
    // One day after the other: so no transaction keeps others waiting for long.
    for (const day of days) statistics.push(await this.#day(key, day, settled, kept))
    return statistics
  }

  async #day(
    business: BusinessKey,
    day: ShopDay,
    settled: string,
    kept: ReadonlyMap<string, Sums>
  ): Promise<DayStatistics> {
    const periods = periodsOf(day, settled)
    const known = periods.map(({ start, end }) => kept.get(`${start} ${end}`))
    const missing = periods.filter((_, index) => known[index] === undefined)
    const counted = await this.#count(business, missing, settled)
    const all = [...known.filter((sums) => sums !== undefined), ...counted]
    const tally = (place: number): Tally => {
      const sum = (column: number): number => all.reduce((total, sums) => total + (sums[column] ?? 0), 0)
      return { count: sum(2 * place), points: Math.abs(sum(2 * place + 1)) }
    }
    return {
      day: day.day,
      ...{ issued: tally(0), collected: tally(1), credited: tally(2), redeemed: tally(3) },
      ...{ returned: tally(4), joined: tally(5).count }
    }
  }

  async #kept(business: BusinessKey, days: readonly ShopDay[]): Promise<ReadonlyMap<string, Sums>> {
    const rows = await this.#database.read(
      'SELECT start, "end", sums FROM day_sums WHERE business = $1 AND "end" > $2 AND "end" <= $3',
      [business, days[0]?.start ?? '', days.at(-1)?.end ?? '']
    )
    return new Map(
      rows.map((row) => {
        const { start, end, sums } = v.parse(keptRow, row)
        return [`${start} ${end}`, sums] as const
      })
    )
  }

  /** Counts periods, and keeps those that are settled. A page is shown on a full disk, too. */
  async #count(business: BusinessKey, periods: readonly Period[], settled: string): Promise<readonly Sums[]> {
    const past = periods.filter(({ end }) => end <= settled)
    const open = periods.filter(({ end }) => end > settled)
    const kept = await this.#keep(business, past).catch((error: unknown) => {
      if (!(error instanceof StorageFullError)) throw error
      return this.#read(business, past)
    })
    return [...kept, ...(await this.#read(business, open))]
  }

  async #read(business: BusinessKey, periods: readonly Period[]): Promise<readonly Sums[]> {
    if (periods.length === 0) return []
    const rows = await this.#database.read(counting(periods), valuesOf(business, periods))
    return rows.map((row) => v.parse(countedRow, row).sums)
  }

  async #keep(business: BusinessKey, periods: readonly Period[]): Promise<readonly Sums[]> {
    const [first] = periods
    if (first === undefined) return []
    return this.#database.transaction(async (queries) => {
      const { awaitEach } = queries.dialect
      if (awaitEach !== null) await queries.read(awaitEach, [business])
      // A day takes the place of its parts.
      if (periods.length === 1) {
        await queries.write(
          'DELETE FROM day_sums WHERE business = $1 AND "end" > $2 AND "end" <= $3 AND start >= $2',
          valuesOf(business, [first])
        )
      }
      const rows = await queries.write(
        counting(
          periods,
          'INSERT INTO day_sums (business, start, "end", sums)',
          'ON CONFLICT (business, "end", start) DO UPDATE SET sums = excluded.sums RETURNING sums'
        ),
        valuesOf(business, periods)
      )
      return rows.map((row) => v.parse(countedRow, row).sums)
    })
  }
}

const valuesOf = (business: BusinessKey, periods: readonly Period[]): readonly (string | number)[] => [
  business,
  ...periods.flatMap(({ start, end }) => [start, end])
]
