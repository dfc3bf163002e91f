/** The report of the slips of some days: what was issued, and which of it was collected. */
import type { DeliveryLabel } from './printing.ts'
import type { SlipStatus } from './slips.ts'

/** Calendar days in the time zone of the business, `YYYY-MM-DD`; `to` is inclusive. */
export interface ReportRange {
  readonly from: string
  readonly to: string
}

/** The bucket size of a report: hours for a day, days for weeks, months or years for longer ranges. */
export type ReportBucketSize = 'hour' | 'day' | 'month' | 'year'

/** The totals of one bucket. */
export interface ReportBucket {
  /** ISO 8601, UTC */
  readonly start: string
  /** slips with a code that were not discarded */
  readonly slips: number
  /** points that those slips carry */
  readonly points: number
}

/** What became of slips, and what was redeemed, credited and taken back. */
export interface CollectionSum {
  /** slips with a code that were not discarded */
  readonly issued: number
  /** points that those slips carry */
  readonly issuedPoints: number
  /** slips of them whose points a customer has */
  readonly collected: number
  readonly collectedPoints: number
  /** rewards that this till redeemed, and that were not undone; 0 in a batch */
  readonly redeemed: number
  /** points that they cost */
  readonly redeemedPoints: number
  /** credits of this till that were not undone; 0 in a batch */
  readonly credited: number
  /** points that they gave */
  readonly creditedPoints: number
  /** returns that this till asked for; 0 in a batch */
  readonly returned: number
  /** points that they took back */
  readonly returnedPoints: number
  /** median time from issue to collection of the slips that are still in the list, ms; null: none is collected */
  readonly medianMs: number | null
}

/** Returns whether nothing was issued, redeemed, credited or taken back. */
export const isEmptySum = ({ issued, redeemed, credited, returned }: CollectionSum): boolean =>
  issued + redeemed + credited + returned === 0

/** By which a report groups what became of slips. */
export const COLLECTION_GROUPINGS = ['time', 'batch', 'cashier', 'program'] as const
export type CollectionGrouping = (typeof COLLECTION_GROUPINGS)[number]

/** The slips of one period, batch, cashier or program. */
export interface CollectionGroup extends CollectionSum {
  /** `none`: of no batch, cashier or program; `removed`: that the retention removed, of any */
  readonly kind: 'named' | 'none' | 'removed'
  /** the start of the period (ISO 8601, UTC), the start of the batch, or the name of the cashier or program */
  readonly label: string
}

/** Groups of which the named ones with fewest slips are summed up. */
export interface CappedGroups {
  /** in the order of the report */
  readonly named: readonly CollectionGroup[]
  /** the sum of those that have no room, without a median, and their number; null: all have */
  readonly others: (CollectionSum & { readonly count: number }) | null
  readonly unnamed: readonly CollectionGroup[]
}

/** Returns the `most` named groups with most slips, and the sum of the other named ones: there may be thousands. */
export function capGroups(groups: readonly CollectionGroup[], most: number): CappedGroups {
  const named = groups.filter(({ kind }) => kind === 'named')
  const largest = named.toSorted(
    (one, other) => other.issued - one.issued || other.redeemedPoints - one.redeemedPoints
  )
  const kept = new Set(largest.slice(0, most))
  const others = largest.slice(most)
  const sum = (key: Exclude<keyof CollectionSum, 'medianMs'>): number =>
    others.reduce((total, group) => total + group[key], 0)
  return {
    named: named.filter((group) => kept.has(group)),
    others:
      others.length === 0
        ? null
        : {
            count: others.length,
            issued: sum('issued'),
            issuedPoints: sum('issuedPoints'),
            collected: sum('collected'),
            collectedPoints: sum('collectedPoints'),
            redeemed: sum('redeemed'),
            redeemedPoints: sum('redeemedPoints'),
            credited: sum('credited'),
            creditedPoints: sum('creditedPoints'),
            returned: sum('returned'),
            returnedPoints: sum('returnedPoints'),
            medianMs: null
          },
    unnamed: groups.filter(({ kind }) => kind !== 'named')
  }
}

/** Which slips of a range were collected. */
export interface CollectionsReport {
  /** see `TillState.collectionsAsOf` */
  readonly asOf: string
  readonly total: CollectionSum
  /** without the groups that have nothing */
  readonly groups: Readonly<Record<CollectionGrouping, readonly CollectionGroup[]>>
}

/** Where a printed report went. */
export interface PrintedReport {
  readonly status: DeliveryLabel
  /** full path of the PDF when it was saved to the folder; null when it was printed */
  readonly file: string | null
}

/** The slips of the connected business that were requested within a range. */
export interface SlipsReport {
  readonly range: ReportRange
  /** IANA name */
  readonly timeZone: string
  readonly bucketSize: ReportBucketSize
  /** every bucket of the range, in order, empty ones included */
  readonly buckets: readonly ReportBucket[]
  /** totals of all buckets */
  readonly slips: number
  readonly points: number
  /** printed copies of these slips, whenever they were printed */
  readonly copies: number
  /** slips whose codes the till made without a connection, as far as they are still in the list */
  readonly offline: number
  /** slips that the retention removed from the list; the sums include them */
  readonly removed: number
  /** which were collected; null: that is not known */
  readonly collections: CollectionsReport | null
  /** number of slips of each status; slips that the retention of an older version removed are `printed` if they were delivered */
  readonly statuses: Readonly<Record<SlipStatus, number>>
}
