/**
 * Lots: the points that one entry brought, until they are spent, returned or expired. They are not stored: the entries of a
 * customer, replayed in the order of the ledger, always make the same lots.
 */
import type { Standing } from '../../contract/earning-rules.ts'
import type { CustomerKey } from './customers.ts'
import { lastDayFrom, NEVER } from './last-days.ts'
import type { EntryKind, LedgerEntry } from './ledger.ts'
import { LotPool, type OpenLot } from './lot-pool.ts'

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

/** Points that an entry took from a lot. */
type Taken = readonly [lot: OpenLot, points: number]

/** A lot of a customer. */
export interface Lot {
  /** of the entry that brought it */
  readonly id: string
  readonly brought: number
  readonly left: number
  /** UTC, on which the customer still has the points; null: they do not end, or have expired already */
  readonly lastDay: string | null
}

const shown = (lot: OpenLot, pool: LotPool): Lot => {
  const { id, brought, left } = lot
  const end = pool.endOf(lot)
  return { id, brought, left, lastDay: end === NEVER ? null : end }
}

const sumOf = (parts: readonly Taken[]): number => parts.reduce((sum, [, points]) => sum + points, 0)

/** The lots of a customer, and of those merged into it. */
export class Lots {
  readonly #lots = new Map<string, OpenLot>()
  readonly #pools = new Map<CustomerKey, LotPool>()
  /** what each entry took, by its id */
  readonly #taken = new Map<string, readonly Taken[]>()
  readonly #merges: readonly LotMerge[]
  #merged = 0
  #hasEndedEarly = false

  /** @param merges in the order of the ledger */
  constructor(merges: readonly LotMerge[] = []) {
    this.#merges = merges
  }

  /** Replays the next entries, in the order of the ledger. */
  add(entries: readonly LotEntry[]): this {
    for (const entry of entries) {
      this.#mergeUntil(entry.entry)
      this.#replay(entry)
    }
    return this
  }

  /** Points that were returned after they were spent. */
  get debt(): number {
    return this.#whole().debt
  }

  /** What all lots have left, less the debt. */
  get balance(): number {
    const { open, debt } = this.#whole()
    return open.reduce((sum, { left }) => sum + left, -debt)
  }

  /** Whether points expired that had not ended by the day on which they came: a later visit only puts that off. */
  get hasEndedEarly(): boolean {
    return this.#hasEndedEarly
  }

  /** Every lot, in the order of the ledger. */
  get all(): readonly Lot[] {
    const pool = this.#whole()
    return Array.from(this.#lots.values(), (lot) => shown(lot, pool))
  }

  /** The lots with points left whose last day is before a day. */
  endedBefore(day: string): readonly Lot[] {
    const pool = this.#whole()
    return pool.open
      .filter((lot) => pool.endOf(lot) < day)
      .sort(pool.order)
      .map((lot) => shown(lot, pool))
  }

  /** The next points that end, from a day on; null: none do. */
  ending(today: string): Standing['ending'] {
    const pool = this.#whole()
    let next = { points: 0, lastDay: NEVER }
    for (const lot of pool.open) {
      const lastDay = pool.endOf(lot)
      if (lastDay < today || lastDay > next.lastDay) continue
      next = { points: lot.left + (lastDay === next.lastDay ? next.points : 0), lastDay }
    }
    return next.lastDay === NEVER ? null : next
  }

  /** The points of all entries, whose customers are one by now. */
  #whole(): LotPool {
    this.#mergeUntil(Infinity)
    const [pool = this.#poolOf(0), ...others] = new Set(this.#pools.values())
    return others.reduce((one, other) => this.#merge(other, one), pool)
  }

  #mergeUntil(entry: number): void {
    for (;;) {
      const next = this.#merges[this.#merged]
      if (next === undefined || next.entry >= entry) return
      this.#merge(this.#poolOf(next.customer), this.#poolOf(next.into))
      this.#merged += 1
    }
  }

  #poolOf(customer: CustomerKey): LotPool {
    let pool = this.#pools.get(customer)
    if (pool === undefined) this.#pools.set(customer, (pool = new LotPool()))
    return pool
  }

  #merge(from: LotPool, into: LotPool): LotPool {
    if (from === into) return into
    into.join(from)
    for (const [customer, pool] of this.#pools) if (pool === from) this.#pools.set(customer, into)
    this.#payDebt(into)
    return into
  }

  #replay(entry: LotEntry): void {
    const { id, kind, points, at, reverses } = entry
    const pool = this.#poolOf(entry.customer)
    const day = at.slice(0, 10)
    if (VISITS.has(kind)) pool.visit(day)
    if (points < 0) {
      const own = this.#lots.get(entry.lot ?? reverses ?? entry.purchase ?? '')
      const parts = this.#take(pool, -points, own)
      this.#taken.set(id, parts)
      pool.debt += -points - sumOf(parts)
      if (kind === 'expired') this.#end(pool, own, day)
    } else if (points > 0) {
      const taken = reverses === null ? [] : (this.#taken.get(reverses) ?? [])
      this.#bring(pool, { ...entry, points: points - this.#giveBack(pool, taken, day) }, day)
      this.#payDebt(pool)
    }
  }

  #end(pool: LotPool, lot: OpenLot | undefined, day: string): void {
    if ((lot?.end ?? NEVER) >= day) this.#hasEndedEarly = true
    if (lot === undefined) return
    const hasPlace = pool.has(lot)
    if (hasPlace) pool.remove(lot)
    lot.hasExpired = true
    if (hasPlace) pool.add(lot)
  }

  #bring(pool: LotPool, { id, entry, expiry, points }: LotEntry, day: string): void {
    if (points === 0) return
    const end = expiry === null ? NEVER : lastDayFrom(expiry, day)
    const lot = { id, entry, expiry, day, end, brought: points, left: points, hasExpired: false }
    this.#lots.set(id, lot)
    pool.add(lot)
  }

  /** Gives points back to the lots that they were taken from, and returns how many: those of lots that have ended are none. */
  #giveBack(pool: LotPool, taken: readonly Taken[], day: string): number {
    const given = taken.filter(([lot]) => !lot.hasExpired && pool.endOf(lot) >= day)
    for (const [lot, points] of given) {
      if (lot.left === 0) pool.add(lot)
      lot.left += points
    }
    return sumOf(given)
  }

  /** Takes points from one lot first, and then in their order; fewer where there are fewer. */
  #take(pool: LotPool, points: number, own?: OpenLot): readonly Taken[] {
    const parts: Taken[] = []
    let missing = points
    let lot = own !== undefined && pool.has(own) ? own : pool.first
    while (lot !== undefined && missing > 0) {
      const part = Math.min(missing, lot.left)
      parts.push([lot, part])
      missing -= part
      lot.left -= part
      if (lot.left === 0) pool.remove(lot)
      lot = pool.first
    }
    return parts
  }

  /** What comes is first what was returned before. */
  #payDebt(pool: LotPool): void {
    if (pool.debt > 0) pool.debt -= sumOf(this.#take(pool, pool.debt))
  }
}
