/** The points of customers who are one. A customer may have a hundred thousand open lots: no entry looks at all of them. */
import { memoized } from '../../contract/memoized.ts'
import { lastDayFrom, NEVER } from './last-days.ts'

/** Points that one entry brought. */
export interface OpenLot {
  /** of the entry */
  readonly id: string
  /** place of the entry in the ledger */
  readonly entry: number
  /** as `expiryText`; null: the points do not end */
  readonly expiry: string | null
  /** UTC, on which its points came */
  readonly day: string
  /** the last day by that one; `NEVER`: they do not end */
  readonly end: string
  readonly brought: number
  left: number
  hasExpired: boolean
}

const isByVisit = (rule: string): boolean => rule.startsWith('visit')

export class LotPool {
  /** points that were returned after they were spent */
  debt = 0
  /** the lots with points left by their rule, each in the order in which they are taken */
  readonly #open = new Map<string, OpenLot[]>()
  /** UTC day; empty before the first */
  #lastVisit = ''
  /** the last day of what counts from that visit, by the rule */
  #endFromVisit = (_rule: string): string => ''

  /** Every lot with points left. */
  get open(): readonly OpenLot[] {
    return [...this.#open.values()].flat()
  }

  /** What is taken first; undefined without points. */
  get first(): OpenLot | undefined {
    return [...this.#open.values()].flatMap(([first]) => first ?? []).sort(this.order)[0]
  }

  /** The last day of a lot (UTC); `NEVER` for one that does not end, or has expired. */
  endOf({ expiry, day, end, hasExpired }: OpenLot): string {
    if (expiry === null || hasExpired) return NEVER
    return this.#lastVisit > day && isByVisit(expiry) ? this.#endFromVisit(expiry) : end
  }

  /** Whether a lot has points left here. */
  has(lot: OpenLot): boolean {
    return this.#groupOf(lot)[this.#placeOf(lot)] === lot
  }

  add(lot: OpenLot): void {
    this.#groupOf(lot).splice(this.#placeOf(lot), 0, lot)
  }

  remove(lot: OpenLot): void {
    this.#groupOf(lot).splice(this.#placeOf(lot), 1)
  }

  /** Notes a visit: what counts from the last one ends later. */
  visit(day: string): void {
    const before = this.#lastVisit
    if (day <= before) return
    this.#lastVisit = day
    this.#endFromVisit = memoized((rule: string) => lastDayFrom(rule, day))
    for (const [rule, group] of this.#open) {
      // Lots from before the visit before ended together, and still do.
      if (isByVisit(rule) && (group.at(-1)?.day ?? '') > before) group.sort(this.order)
    }
  }

  /** Takes over the lots, the debt and the visits of another pool. */
  join(other: LotPool): void {
    this.visit(other.#lastVisit)
    this.debt += other.debt
    for (const [rule, group] of other.#open)
      this.#open.set(rule, (this.#open.get(rule) ?? []).concat(group).sort(this.order))
  }

  /** What ends first, then what came first. */
  readonly order = (one: OpenLot, other: OpenLot): number => {
    const [end, otherEnd] = [this.endOf(one), this.endOf(other)]
    return end === otherEnd ? one.entry - other.entry : end < otherEnd ? -1 : 1
  }

  #groupOf({ expiry, hasExpired }: OpenLot): OpenLot[] {
    const rule = hasExpired ? '' : (expiry ?? '')
    let group = this.#open.get(rule)
    if (group === undefined) this.#open.set(rule, (group = []))
    return group
  }

  /** Where a lot is among the open ones of its rule, or belongs. */
  #placeOf(lot: OpenLot): number {
    const group = this.#groupOf(lot)
    const last = group.at(-1)
    // Mostly it comes last, and is the first one that is used up.
    if (last === undefined || this.order(last, lot) < 0) return group.length
    let [low, high] = group[0] === lot ? [0, 0] : [0, group.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const other = group[middle]
      if (other !== undefined && this.order(other, lot) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}
