/** Composes what is printed beside slips: the report of a range of days, and the confirmation of a redeemed reward. */
import {
  slipBucketLabel,
  slipDays,
  slipDuration,
  slipPercent,
  slipPoints
} from '../../contract/slip-numbers-and-dates.ts'
import { type CollectionSum, isEmptySum, type SlipsReport } from '../../contract/slip-report.ts'
import type { SlipStatus } from '../../contract/slips.ts'
import { Column, type Composition, type PaperLayout } from './column.ts'
import { collectionGroupName, momentText, readingDirection, slipWords } from './slip-document.ts'
import type { SlipText } from './text/slip-text.ts'

/** The content of a printed report. */
export interface ReportDocument {
  readonly report: SlipsReport
  readonly business: string
  /** empty: not printed */
  readonly tillName: string
  /** BCP 47 */
  readonly locale: string
  readonly training: boolean
  /** ISO 8601, UTC */
  readonly printedAt: string
}

/** Slip statuses listed in a report, most urgent first; a status without slips is not printed. */
const LISTED_STATUSES = [
  ['unknown', 'reportUnknown'],
  ['print-failed', 'reportNotPrinted'],
  ['refused', 'reportRefused'],
  ['not-sent', 'reportNotSent'],
  ['discarded', 'reportDiscarded'],
  ['given', 'reportGiven'],
  ['on-receipt', 'reportOnReceipt'],
  ['printed', 'reportPrintedSlips'],
  ['saved', 'reportSavedSlips'],
  ['handed-over', 'reportHandedOverSlips']
] as const satisfies readonly (readonly [SlipStatus, string])[]

function addFigures(column: Column, { report, locale }: ReportDocument): void {
  const words = slipWords({ locale })
  const figure = (label: string, number: number): void => {
    column.detail(label, slipPoints(number, locale), 1)
  }
  figure(words.reportPoints(), report.points)
  figure(words.reportSlips(), report.slips)
  figure(words.reportCopies(), report.copies)
  for (const [status, word] of LISTED_STATUSES) {
    if (report.statuses[status] > 0) figure(words[word](), report.statuses[status])
  }
  if (report.removed > 0) figure(words.reportRemoved(), report.removed)
}

/** Adds a bar per time bucket in which a slip was issued; empty ones would waste paper. */
function addTimeBuckets(column: Column, { report, locale }: ReportDocument): void {
  const busy = report.buckets.filter(({ slips }) => slips > 0)
  const most = Math.max(...busy.map(({ points }) => points))
  for (const { start, points } of busy) {
    const label = slipBucketLabel(new Date(start), report.bucketSize, report.timeZone, locale)
    column.share(label, most === 0 ? 0 : points / most, slipPoints(points, locale))
  }
}

/** Adds which slips were collected: the sums, and a bar for each period, batch, cashier and program with its share. */
function addCollections(column: Column, { report, locale }: ReportDocument, text: SlipText): void {
  const { collections, timeZone, bucketSize } = report
  if (collections === null || isEmptySum(collections.total)) return
  const words = slipWords({ locale })
  const { total, groups, asOf } = collections
  const moment = (at: string): string => momentText({ at, timeZone, locale }, (shown) => text.shows(shown))
  column.space(16)
  column.centred(words.reportCollections(), 'headline', 1)
  column.space(8)
  column.detail(
    words.reportCollected(),
    `${slipPoints(total.collected, locale)} / ${slipPoints(total.issued, locale)}`,
    1
  )
  column.detail(words.reportCollectedPoints(), slipPoints(total.collectedPoints, locale), 1)
  if (total.issued > 0)
    column.detail(words.reportShare(), slipPercent(total.collected / total.issued, locale), 1)
  if (total.medianMs !== null) column.detail(words.reportMedian(), slipDuration(total.medianMs, locale), 1)
  const addRedeemed = ({ redeemedPoints }: CollectionSum): void => {
    if (redeemedPoints > 0) column.detail(words.reportRedeemed(), slipPoints(redeemedPoints, locale), 1)
  }
  addRedeemed(total)
  column.detail(words.reportAsOf(), moment(asOf), 2)
  for (const by of ['time', 'batch', 'cashier', 'program'] as const) {
    // A shop without cashiers, programs or batches has nothing to compare.
    if (!groups[by].some(({ kind }) => kind === 'named')) continue
    column.space(12)
    column.centred(words.reportBy({ by }), 'headline', 1)
    for (const group of groups[by]) {
      const name = collectionGroupName(group, by, words, (start) =>
        by === 'time' ? slipBucketLabel(new Date(start), bucketSize, timeZone, locale) : moment(start)
      )
      const value = `${slipPoints(group.collected, locale)} / ${slipPoints(group.issued, locale)}`
      column.share(name, group.issued === 0 ? 0 : group.collected / group.issued, value)
      addRedeemed(group)
    }
  }
  column.space(16)
  column.rule()
}

/** Composes a report for `layout`. */
export function composeReport(
  document: ReportDocument,
  { layout, text }: { readonly layout: PaperLayout; readonly text: SlipText }
): Composition {
  const { report, locale } = document
  const words = slipWords({ locale })
  const column = new Column(layout, text, readingDirection(document))
  column.space(layout.ends)
  if (document.training) {
    column.band(words.training())
    column.space(24)
  }
  column.centred(document.business, 'business', 3)
  column.space(8)
  column.centred(words.report(), 'headline', 1)
  column.centred(slipDays(report.range.from, report.range.to, locale), 'headline', 2)
  column.space(20)
  column.rule()
  column.space(16)
  addFigures(column, document)
  column.space(16)
  column.rule()
  if (report.slips > 0) {
    column.space(16)
    addTimeBuckets(column, document)
    column.space(16)
    column.rule()
  }
  addCollections(column, document, text)
  column.space(16)
  column.detail(
    words.reportPrinted(),
    momentText({ at: document.printedAt, timeZone: report.timeZone, locale }, (moment) => text.shows(moment)),
    2
  )
  column.detail(words.till(), document.tillName, 2)
  if (document.training) {
    column.space(24)
    column.band(words.training())
  }
  column.space(layout.ends)
  return { height: column.height, items: column.items, leftOut: [] }
}

/** The content of a confirmation that a reward was redeemed, or that this was undone. */
export interface RedemptionDocument {
  readonly business: string
  readonly reward: string
  /** points that it cost */
  readonly cost: number
  /** points afterwards; null: not printed */
  readonly balance: number | null
  readonly isUndone: boolean
  /** null: not printed */
  readonly customerName: string | null
  /** null: not printed */
  readonly cashier: string | null
  /** when it was redeemed or undone; ISO 8601, UTC */
  readonly issuedAt: string
  /** IANA name */
  readonly timeZone: string
  /** BCP 47 */
  readonly locale: string
  /** empty: not printed */
  readonly tillName: string
  readonly training: boolean
}

/** Composes a confirmation for `layout`. It has no code: it is worth nothing. */
export function composeRedemption(
  document: RedemptionDocument,
  { layout, text }: { readonly layout: PaperLayout; readonly text: SlipText }
): Composition {
  const { locale, training, balance } = document
  const words = slipWords({ locale })
  const column = new Column(layout, text, readingDirection(document))
  column.space(layout.ends)
  if (training) {
    column.band(words.training())
    column.space(24)
  }
  column.centred(document.business, 'business', 3)
  column.space(8)
  column.centred(document.isUndone ? words.redemptionUndone() : words.redeemed(), 'headline', 2)
  column.space(14)
  column.centred(document.reward, 'bestReward', 3)
  column.space(20)
  column.rule()
  column.space(16)
  const points = slipPoints(document.cost, locale)
  column.detail(document.isUndone ? words.pointsGivenBack() : words.pointsTaken(), points, 1)
  if (balance !== null) column.detail(words.pointsLeft(), slipPoints(balance, locale), 1)
  column.space(16)
  column.rule()
  column.space(16)
  if (document.customerName !== null) column.detail(words.customer(), document.customerName, 3)
  column.detail(
    words.redemptionDate(),
    momentText({ ...document, at: document.issuedAt }, (moment) => text.shows(moment)),
    2
  )
  if (document.cashier !== null) column.detail(words.csvCashier(), document.cashier, 2)
  column.detail(words.till(), document.tillName, 2)
  if (training) {
    column.space(24)
    column.band(words.training())
  }
  column.space(layout.ends)
  return { height: column.height, items: column.items, leftOut: [] }
}
