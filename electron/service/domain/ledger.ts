/**
 * The ledger: every change of points is an entry, which is never changed or deleted. A balance is the sum of `points`, and
 * the lifetime points are the sum of `lifetimePoints`, over the entries of a customer and of those merged into it.
 */
import type { CalculatedWith } from './bills.ts'
import type { CashierKey } from './cashiers.ts'

/**
 * Why points changed. A till has `credited` a known customer without a code; points of a purchase were `returned`
 * with the goods; `reversed` takes back one other entry;
 * `imported` brings points from another system. By the shop's rules a customer is `welcomed` and has a `birthday`, and points
 * that were not used have `expired`.
 */
export const ENTRY_KINDS = [
  'collected',
  'credited',
  'returned',
  'redeemed',
  'adjusted',
  'reversed',
  'imported',
  'welcomed',
  'birthday',
  'expired'
] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

/** Entries that are not taken back: their points are given by an adjustment. */
export const IRREVERSIBLE: ReadonlySet<EntryKind> = new Set(['reversed', 'returned', 'expired'])

/** One entry. What does not apply to its kind is null. */
export interface LedgerEntry extends CalculatedWith {
  readonly id: string
  readonly kind: EntryKind
  /** change of the balance */
  readonly points: number
  /** change of the lifetime points, which redeeming does not change (interface document, part 2, Customer) */
  readonly lifetimePoints: number
  /** ISO 8601, UTC */
  readonly at: string
  /** who made the change: a program, a till or the customer; no name of a person */
  readonly by: string
  readonly code: string | null
  /** id of the reward */
  readonly reward: string | null
  readonly reason: string | null
  /** id of the entry that this one takes back */
  readonly reverses: string | null
  /** of the bill, as the till has named it */
  readonly reference: string | null
  /** who used the till that made it */
  readonly cashier: CashierKey | null
  /** id of the entry whose points have expired by this one; null unless given */
  readonly lot?: string | null
  /** when its points end, by the rule that held when it was written (see lots.ts); read only */
  readonly expiry?: string | null
}

/** What an entry has that is of no code, reward, reason, other entry, bill and cashier. */
export const NO_DETAILS = {
  code: null,
  reward: null,
  reason: null,
  reverses: null,
  reference: null,
  cashier: null
} as const

/** Who makes the entries of the daily run. */
export const BY_SERVICE = 'service'

/** Largest change by hand, and largest sum of an import: sums of such changes stay exact in a double. */
export const MAX_ADJUSTMENT = 1_000_000_000

/** What an entry of `kind` changes, for so many points from the customer's view: negative ones are taken. */
export const entryChange = (
  kind: Exclude<EntryKind, 'reversed' | 'imported'>,
  points: number
): Pick<LedgerEntry, 'points' | 'lifetimePoints'> => ({
  points,
  lifetimePoints: kind === 'redeemed' || kind === 'expired' ? 0 : points
})
