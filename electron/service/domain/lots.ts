/**
 * Lots: the points that one entry brought, until they are spent, returned or expired. They are not stored: the entries of a
 * customer, replayed in the order of the ledger, always make the same lots.
 */
import type { Expiry, Standing } from '../../contract/earning-rules.ts'
import { memoized } from '../../contract/memoized.ts'
import type { CustomerKey } from './customers.ts'
import type { EntryKind, LedgerEntry } from './ledger.ts'

/** When the points of an entry end, as it is kept with it: `earned 12` or `visit 12`, in months. */
export const expiryText = ({ since, months }: Pick<Expiry, 'since' | 'months'>): string =>
  `${since} ${String(months)}`

/** Returns the rule of a text of `expiryText`; null for another text, whose points do not end. */
export const parseExpiry = (text: string): Pick<Expiry, 'since' | 'months'> | null => {
  const [, since, months] = /^(earned|visit) (\d+)$/.exec(text) ?? []
  return since === 'earned' || since === 'visit' ? { since, months: Number(months) } : null
}

const dayText = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10)

/** A day of the month that is so many months later, counted from 0, the day as it is, and the last day of that month. */
const inMonth = (day: string, months: number) => {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const later = month - 1 + months
  return { year, month: later, date, last: new Date(Date.UTC(year, later + 1, 0)).getUTCDate() }
}

/** Returns the day so many months later, at most the last one of its month: `2027-02-28` a month after `2027-01-31`. */
export const monthsAfter = (day: string, months: number): string => {
  const { year, month, date, last } = inMonth(day, months)
  return dayText(year, month, Math.min(date, last))
}

/** Returns the first day from which so many months end on `day` or later. */
export const firstDayUntil = (day: string, months: number): string => {
  const { year, month, date, last } = inMonth(day, -months)
  return date <= last ? dayText(year, month, date) : dayText(year, month + 1, 1)
}

/** What a replay needs of an entry. */
export interface LotEntry extends Pick<LedgerEntry, 'id' | 'kind' | 'points' | 'at' | 'reverses'> {
  /** its place in the ledger */
  readonly entry: number
  readonly customer: CustomerKey
  /** as `expiryText`; null: the points do not end */
  readonly expiry: string | null
  /** id of the entry whose points have expired by this one */
  readonly lot: string | null
  /** id of the entry that gave the points of a return */
  readonly purchase: string | null
}

/** From which entry on the points of a customer are those of another one, too. */
export interface LotMerge {
  readonly customer: CustomerKey
  readonly into: CustomerKey
  /** place in the ledger of the last one before */
  readonly entry: number
}

/** What customers do in the shop: points that count from the last visit count from the last of these. */
export const VISITS: ReadonlySet<EntryKind> = new Set(['collected', 'credited', 'redeemed'])

interface OpenLot extends Pick<LotEntry, 'id' | 'entry' | 'expiry'> {
  /** UTC, on which its points came */
  readonly day: string
  readonly brought: number
  left: number
  hasExpired: boolean
}

/** Points that an entry took from a lot. */
type Taken = readonly [lot: OpenLot, points: number]

/** The points of customers who are one. */
interface Pool {
  /** with points left */
  readonly open: Set<OpenLot>
  /** that were returned after they were spent */
  debt: number
  /** UTC day; empty before the first */
  lastVisit: string
}

/** A lot of a customer. */
export interface Lot {
  /** of the entry that brought it */
  readonly id: string
  readonly brought: number
  readonly left: number
  /** UTC, on which the customer still has the points; null: they do not end, or have expired already */
  readonly lastDay: string | null
}

const lastDayFrom = memoized((expiry: string, day: string): string | null => {
  const rule = parseExpiry(expiry)
  return rule && monthsAfter(day, rule.months)
})

const lastDayOf = ({ expiry, day, hasExpired }: OpenLot, { lastVisit }: Pool): string | null => {
  if (expiry === null || hasExpired) return null
  return lastDayFrom(expiry, expiry.startsWith('visit') && lastVisit > day ? lastVisit : day)
}

/** After every day. */
const NEVER = '~'

/** What ends first, then what came first. */
const inOrder = (pool: Pool): readonly OpenLot[] =>
  Array.from(pool.open, (lot) => ({ lot, end: lastDayOf(lot, pool) ?? NEVER }))
    .sort((one, other) =>
      one.end === other.end ? one.lot.entry - other.lot.entry : one.end < other.end ? -1 : 1
    )
    .map(({ lot }) => lot)

const sumOf = (parts: readonly Taken[]): number => parts.reduce((sum, [, points]) => sum + points, 0)

/** The lots of a customer, and of those merged into it. */
export class Lots {
  readonly #lots = new Map<string, OpenLot>()
  readonly #pools = new Map<CustomerKey, Pool>()
  /** what each entry took, by its id */
  readonly #taken = new Map<string, readonly Taken[]>()
  readonly #pool: Pool
  #hasEndedEarly = false

  /** @param entries in the order of the ledger @param merges in theirs */
  constructor(entries: readonly LotEntry[], merges: readonly LotMerge[] = []) {
    let merged = 0
    const mergeUntil = (entry: number): void => {
      for (let next = merges[merged]; next !== undefined && next.entry < entry; next = merges[merged]) {
        this.#merge(this.#poolOf(next.customer), this.#poolOf(next.into))
        merged += 1
      }
    }
    for (const entry of entries) {
      mergeUntil(entry.entry)
      this.#replay(entry)
    }
    mergeUntil(Infinity)
    const [pool = this.#poolOf(0), ...others] = new Set(this.#pools.values())
    this.#pool = others.reduce((one, other) => this.#merge(other, one), pool)
  }

  /** Points that were returned after they were spent. */
  get debt(): number {
    return this.#pool.debt
  }

  /** What all lots have left, less the debt. */
  get balance(): number {
    return Array.from(this.#pool.open).reduce((sum, { left }) => sum + left, 0) - this.#pool.debt
  }

  /** Whether points expired that had not ended by the day on which they came: a later visit only puts that off. */
  get hasEndedEarly(): boolean {
    return this.#hasEndedEarly
  }

  /** Every lot, in the order of the ledger. */
  get all(): readonly Lot[] {
    return [...this.#lots.values()].map((lot) => this.#shown(lot))
  }

  /** The lots with points left whose last day is before a day. */
  endedBefore(day: string): readonly Lot[] {
    return inOrder(this.#pool)
      .map((lot) => this.#shown(lot))
      .filter(({ lastDay }) => lastDay !== null && lastDay < day)
  }

  /** The next points that end, from a day on; null: none do. */
  ending(today: string): Standing['ending'] {
    const open = inOrder(this.#pool).map((lot) => this.#shown(lot))
    const lastDay = open.find((lot) => lot.lastDay !== null && lot.lastDay >= today)?.lastDay ?? null
    if (lastDay === null) return null
    const points = open.reduce((sum, lot) => sum + (lot.lastDay === lastDay ? lot.left : 0), 0)
    return { points, lastDay }
  }

  #shown(lot: OpenLot): Lot {
    return { id: lot.id, brought: lot.brought, left: lot.left, lastDay: lastDayOf(lot, this.#pool) }
  }

  #poolOf(customer: CustomerKey): Pool {
    let pool = this.#pools.get(customer)
    if (pool === undefined) this.#pools.set(customer, (pool = { open: new Set(), debt: 0, lastVisit: '' }))
    return pool
  }

  #merge(from: Pool, into: Pool): Pool {
    if (from === into) return into
    for (const lot of from.open) into.open.add(lot)
    into.debt += from.debt
    if (from.lastVisit > into.lastVisit) into.lastVisit = from.lastVisit
    for (const [customer, pool] of this.#pools) if (pool === from) this.#pools.set(customer, into)
    this.#payDebt(into)
    return into
  }

  #replay(entry: LotEntry): void {
    const { id, kind, points, at, reverses } = entry
    const pool = this.#poolOf(entry.customer)
    const day = at.slice(0, 10)
    if (VISITS.has(kind) && day > pool.lastVisit) pool.lastVisit = day
    if (points < 0) {
      const own = this.#lots.get(entry.lot ?? reverses ?? entry.purchase ?? '')
      const parts = this.#take(pool, -points, own)
      this.#taken.set(id, parts)
      pool.debt += -points - sumOf(parts)
      if (kind === 'expired') this.#end(own, day)
    } else if (points > 0) {
      const taken = reverses === null ? [] : (this.#taken.get(reverses) ?? [])
      this.#bring(pool, { ...entry, points: points - this.#giveBack(pool, taken, day) }, day)
      this.#payDebt(pool)
    }
  }

  #end(lot: OpenLot | undefined, day: string): void {
    const lastDay = lot?.expiry ? lastDayFrom(lot.expiry, lot.day) : null
    if (lastDay === null || lastDay >= day) this.#hasEndedEarly = true
    if (lot !== undefined) lot.hasExpired = true
  }

  #bring({ open }: Pool, { id, entry, expiry, points }: LotEntry, day: string): void {
    if (points === 0) return
    const lot = { id, entry, expiry, day, brought: points, left: points, hasExpired: false }
    this.#lots.set(id, lot)
    open.add(lot)
  }

  /** Gives points back to the lots that they were taken from, and returns how many: those of lots that have ended are none. */
  #giveBack(pool: Pool, taken: readonly Taken[], day: string): number {
    const given = taken.filter(([lot]) => !lot.hasExpired && (lastDayOf(lot, pool) ?? NEVER) >= day)
    for (const [lot, points] of given) {
      lot.left += points
      pool.open.add(lot)
    }
    return sumOf(given)
  }

  /** Takes points from one lot first, and then in their order; fewer where there are fewer. */
  #take(pool: Pool, points: number, first?: OpenLot): readonly Taken[] {
    const parts: Taken[] = []
    let missing = points
    const takeFrom = (lot: OpenLot): void => {
      const part = Math.min(missing, lot.left)
      parts.push([lot, part])
      missing -= part
      lot.left -= part
      if (lot.left === 0) pool.open.delete(lot)
    }
    if (first !== undefined && pool.open.has(first)) takeFrom(first)
    if (missing === 0) return parts
    for (const lot of inOrder(pool)) {
      if (missing === 0) break
      takeFrom(lot)
    }
    return parts
  }

  /** What comes is first what was returned before. */
  #payDebt(pool: Pool): void {
    if (pool.debt > 0) pool.debt -= sumOf(this.#take(pool, pool.debt))
  }
}
