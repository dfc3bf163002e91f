/**
 * What the shop's rules do by themselves on each day (UTC): points end, and customers get points on their birthday. All of it is
 * keyed: several processes may do it at once, and one goes on after a crash.
 *
 * A day ends when two runs on different days agree that it is over. So a clock that is ahead for a while takes no points.
 */
import { setTimeout as wait } from 'node:timers/promises'
import * as v from 'valibot'
import type { BusinessKey } from '../domain/businesses.ts'
import type { CustomerKey } from '../domain/customers.ts'
import { shiftDay } from '../domain/days.ts'
import { identifierOfRequest } from '../domain/identifiers.ts'
import { BY_SERVICE, ENTRY_KINDS, entryChange, NO_DETAILS } from '../domain/ledger.ts'
import { firstDayUntil, parseExpiry } from '../domain/last-days.ts'
import { VISITS } from '../domain/lots.ts'
import { BusinessStore } from './businesses.ts'
import { ConflictError, type Database, type Queries } from './database.ts'
import { readDue, writeExpired } from './expired-lots.ts'
import { appendEntry, ownerOf, type EntryOwner } from './ledger-entries.ts'
import { expiriesOf, RulesStore } from './rules.ts'

/** Rows that are read at a time. */
const PAGE = 500

/** Customers whose lots are read at a time. */
const PART = 50

/** How long a transaction goes on to the next customer, and the longest pause behind it, in which requests are answered. */
const PART_MS = 15

/** Birthdays of so many days are made up for. */
const BIRTHDAY_DAYS = 31

/** Between two birthdays of a customer, who may have corrected the day. */
const BIRTHDAY_PAUSE_DAYS = 330

/** Before all entries. */
const FIRST_DAY = '2000-01-01'

const SETTING = 'daily-run'

/** UTC days: that of the last run, and that before which all points have ended. */
const stateSchema = v.object({ seen: v.string(), ended: v.string() })
const stateRow = v.object({ value: v.pipe(v.string(), v.parseJson(), stateSchema) })

const customerRow = v.object({ customer: v.number() })
const lockedRow = v.object({ erasedAt: v.nullable(v.string()) })
const entryRow = v.object({
  entry: v.number(),
  at: v.string(),
  customer: v.number(),
  kind: v.picklist(ENTRY_KINDS),
  points: v.number(),
  expiry: v.nullable(v.string())
})

/** The birthdays that a day has: 28 February also those of 29 February, in years without one. */
const birthdaysOn = (day: string): readonly string[] => {
  const isLast = shiftDay(day, 1).endsWith('-03-01')
  return day.endsWith('-02-28') && isLast ? ['02-28', '02-29'] : [day.slice(5)]
}

/** The days after the last run up to today: only today when that was long ago, or by a clock that was ahead. */
const daysSince = (seen: string, today: string): readonly string[] => {
  const oldest = shiftDay(today, 1 - BIRTHDAY_DAYS)
  const days: string[] = []
  for (let day = shiftDay(seen, 1); day >= oldest && day <= today; day = shiftDay(day, 1)) days.push(day)
  return days.length === 0 ? [today] : days
}

/** Points that are given on a birthday. */
interface BirthdayGift {
  readonly points: number
  /** the birthday in its year (UTC) */
  readonly day: string
  /** moment of the transaction (ISO 8601, UTC) */
  readonly at: string
}

export class DailyRun {
  readonly #database: Database
  readonly #now: () => Date
  #running: Promise<void> | null = null
  /** when the run began */
  #begunAt = ''
  #isClosed = false

  constructor({ database, now }: { readonly database: Database; readonly now: () => Date }) {
    this.#database = database
    this.#now = now
  }

  /** Does what the day needs, unless a run has done so; call every hour. Resolves at its end, also when it is closed before. */
  run(): Promise<void> {
    this.#running ??= this.#run()
      .catch((error: unknown) => {
        // The database is closed, too.
        if (!this.#isClosed) throw error
      })
      .finally(() => {
        this.#running = null
      })
    return this.#running
  }

  /** Ends a run after the customers whose entries are being written. The next run goes on. */
  close(): void {
    this.#isClosed = true
  }

  /** A method, so that the compiler expects another answer after something was awaited. */
  #wasClosed(): boolean {
    return this.#isClosed
  }

  async #run(): Promise<void> {
    this.#begunAt = this.#now().toISOString()
    const today = this.#begunAt.slice(0, 10)
    const [row] = await this.#database.read('SELECT value FROM settings WHERE name = $1', [SETTING])
    const last = row === undefined ? null : v.parse(stateRow, row).value
    if (last?.seen === today) return
    const until = last !== null && last.seen < today ? last.seen : today
    if (last !== null) {
      for (const { key } of await new BusinessStore(this.#database).list()) {
        for (const expiry of await expiriesOf(this.#database, key)) {
          await this.#expire(key, expiry, last.ended, until)
        }
        await this.#giveBirthdayPoints(key, daysSince(last.seen, today))
      }
    }
    if (this.#isClosed) return
    const ended = last === null ? FIRST_DAY : until
    await this.#database.write(
      'INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      [SETTING, JSON.stringify({ seen: today, ended })]
    )
  }

  /** Ends the points of a rule whose last day is from `from` to before `until`, and what else of their customers has ended. */
  async #expire(business: BusinessKey, expiry: string, from: string, until: string): Promise<void> {
    const rule = parseExpiry(expiry)
    if (rule === null) return
    const before = firstDayUntil(until, rule.months)
    let last = { at: firstDayUntil(from, rule.months), entry: 0 }
    while (!this.#isClosed) {
      const rows = await this.#database.read(
        `SELECT entry, at, customer, kind, points, expiry FROM entries
         WHERE business = $1 AND (at, entry) > ($2, $3) AND at < $4 ORDER BY at, entry LIMIT ${String(PAGE)}`,
        [business, last.at, last.entry, before]
      )
      const entries = rows.map((row) => v.parse(entryRow, row))
      const counting = entries.filter(
        (entry) =>
          (entry.points > 0 && entry.expiry === expiry) || (rule.since === 'visit' && VISITS.has(entry.kind))
      )
      await this.#expireLots(
        business,
        counting.map(({ customer }) => customer),
        until
      )
      last = entries.at(-1) ?? last
      if (entries.length < PAGE) return
    }
  }

  async #expireLots(business: BusinessKey, customers: readonly CustomerKey[], until: string): Promise<void> {
    // In one order: two runs do not wait for each other's rows.
    const left = [...new Set(customers)].toSorted((one, other) => one - other)
    while (left.length > 0 && !this.#isClosed) {
      const begun = performance.now()
      const { states, parts } = await readDue(this.#database, left.splice(0, PART), until)
      for (const part of parts) {
        if (this.#wasClosed()) return
        left.push(...(await writeExpired(this.#database, business, { states, part }, this.#at())))
      }
      await wait(Math.min(PART_MS, performance.now() - begun))
    }
  }

  async #giveBirthdayPoints(business: BusinessKey, days: readonly string[]): Promise<void> {
    const { rules } = await new RulesStore(this.#database).current(business)
    const points = rules?.birthdayPoints ?? 0
    if (points === 0) return
    for (const day of days) {
      for (const birthday of birthdaysOn(day)) {
        for (let last = 0; !this.#isClosed;) {
          const rows = await this.#database.read(
            `SELECT customer FROM customers WHERE business = $1 AND birthday = $2 AND customer > $3
               AND erased_at IS NULL AND merged_into IS NULL ORDER BY customer LIMIT ${String(PAGE)}`,
            [business, birthday, last]
          )
          const customers = rows.map((row) => v.parse(customerRow, row).customer)
          await this.#celebrate(business, customers, { points, day })
          if (customers.length < PAGE) break
          last = customers.at(-1) ?? last
        }
      }
    }
  }

  /** Gives points to customers, several in a transaction, with a pause behind each. */
  async #celebrate(
    business: BusinessKey,
    customers: readonly CustomerKey[],
    gift: Omit<BirthdayGift, 'at'>
  ): Promise<void> {
    for (let done = 0; done < customers.length && !this.#isClosed;) {
      const begun = performance.now()
      const at = this.#at()
      done = await this.#database.transaction(async (queries) => {
        const until = performance.now() + PART_MS
        let next = done
        do {
          await giveBirthdayPoints(queries, { business, customer: customers[next] ?? 0 }, { ...gift, at })
          next += 1
        } while (next < customers.length && performance.now() < until)
        return next
      })
      await wait(Math.min(PART_MS, performance.now() - begun))
    }
  }

  /** The moment of a transaction, not before the run began: its day is that of the run or a later one (ISO 8601, UTC). */
  #at(): string {
    const now = this.#now().toISOString()
    return now > this.#begunAt ? now : this.#begunAt
  }
}

/**
 * Locks a customer, or the one that it was merged into, and gives it points on its birthday. Nothing is written for an erased
 * customer, whose points cannot be used.
 */
const giveBirthdayPoints = async (
  queries: Queries,
  { business, customer: named }: EntryOwner,
  { points, day, at }: BirthdayGift
): Promise<void> => {
  const customer = await ownerOf(queries, named)
  const [row] = await queries.write(
    `UPDATE customers SET balance = balance WHERE customer = $1 AND merged_into IS NULL RETURNING erased_at AS "erasedAt"`,
    [customer]
  )
  if (row === undefined) throw new ConflictError('the customer was merged meanwhile')
  const today = at.slice(0, 10)
  const given = await queries.read(
    `SELECT 1 FROM entries WHERE customer IN (SELECT customer FROM customers WHERE customer = $1 OR merged_into = $1)
       AND kind = 'birthday' AND at >= $2 AND at < $3 LIMIT 1`,
    [customer, shiftDay(today, -BIRTHDAY_PAUSE_DAYS), shiftDay(today, 1)]
  )
  if (given.length > 0 || v.parse(lockedRow, row).erasedAt !== null) return
  await appendEntry(
    queries,
    { business, customer },
    {
      ...NO_DETAILS,
      ...{ id: identifierOfRequest('ent', 'birthday', customer, day.slice(0, 4)), at, by: BY_SERVICE },
      ...{ kind: 'birthday', ...entryChange('birthday', points) }
    }
  )
}
