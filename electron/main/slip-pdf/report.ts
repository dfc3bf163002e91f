/** The printed report of a range of days. */
import {
  slipBucketLabel,
  slipDays,
  slipDuration,
  slipPercent,
  slipPoints
} from '../../contract/slip-numbers-and-dates.ts'
import {
  capGroups,
  type CollectionGroup,
  type CollectionSum,
  isEmptySum,
  type SlipsReport
} from '../../contract/slip-report.ts'
import type { SlipStatus } from '../../contract/slips.ts'
import { Column, type Flow, type PaperLayout, type ShareRow } from './column.ts'
import { type LaidOutPage, paginate } from './paginate.ts'
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
    column.mayBreak()
    column.detail(label, slipPoints(number, locale), 1)
  }
  figure(words.reportPoints(), report.points)
  figure(words.reportSlips(), report.slips)
  figure(words.reportCopies(), report.copies)
  for (const [status, word] of LISTED_STATUSES) {
    if (report.statuses[status] > 0) figure(words[word](), report.statuses[status])
  }
  if (report.offline > 0) figure(words.reportOffline(), report.offline)
  if (report.removed > 0) figure(words.reportRemoved(), report.removed)
}

/** Adds a bar per time bucket in which a slip was issued; empty ones would waste paper. */
function addTimeBuckets(column: Column, { report, locale }: ReportDocument): void {
  column.section(slipWords({ locale }).reportPoints(), 16)
  const busy = report.buckets.filter(({ slips }) => slips > 0)
  const most = Math.max(1, ...busy.map(({ points }) => points))
  column.shares(
    busy.map(({ start, points }) => ({
      label: slipBucketLabel(new Date(start), report.bucketSize, report.timeZone, locale),
      share: points / most,
      value: slipPoints(points, locale),
      below: []
    }))
  )
}

type PointsWithoutSlips = Pick<CollectionSum, 'redeemedPoints' | 'creditedPoints' | 'returnedPoints'>

/** Adds which slips were collected: the sums, and a bar for each period, batch, cashier and program with its share. */
function addCollections(
  column: Column,
  { report, locale }: ReportDocument,
  { text, limits }: ReportOptions
): void {
  const { collections, timeZone, bucketSize } = report
  if (collections === null || isEmptySum(collections.total)) return
  const words = slipWords({ locale })
  const { total, groups, asOf } = collections
  const moment = (at: string): string => momentText({ at, timeZone, locale }, (shown) => text.shows(shown))
  const detail = (label: string, value: string, maxLines: number): void => {
    column.mayBreak()
    column.detail(label, value, maxLines)
  }
  /** What was redeemed, given at once and taken back, which counts no slips. */
  const withoutSlips = ({ redeemedPoints, creditedPoints, returnedPoints }: PointsWithoutSlips) =>
    (
      [
        [words.reportRedeemed(), redeemedPoints],
        [words.reportCredited(), creditedPoints],
        [words.reportReturned(), returnedPoints]
      ] as const
    )
      .filter(([, points]) => points > 0)
      .map(([label, points]) => [label, slipPoints(points, locale)] as const)
  column.section(words.reportCollections(), 16)
  column.space(8)
  column.detail(
    words.reportCollected(),
    `${slipPoints(total.collected, locale)} / ${slipPoints(total.issued, locale)}`,
    1
  )
  detail(words.reportCollectedPoints(), slipPoints(total.collectedPoints, locale), 1)
  if (total.issued > 0) detail(words.reportShare(), slipPercent(total.collected / total.issued, locale), 1)
  if (total.medianMs !== null) detail(words.reportMedian(), slipDuration(total.medianMs, locale), 1)
  for (const [label, points] of withoutSlips(total)) detail(label, points, 1)
  detail(words.reportAsOf(), moment(asOf), 2)
  let left = 0
  for (const by of ['time', 'batch', 'cashier', 'program'] as const) {
    const { named, others, unnamed } = capGroups(groups[by], by === 'time' ? limits.times : limits.groups)
    // A shop without cashiers, programs or batches has nothing to compare.
    if (named.length === 0) continue
    left += others?.count ?? 0
    column.section(words.reportBy({ by }), 12)
    const format = (start: string): string =>
      by === 'time' ? slipBucketLabel(new Date(start), bucketSize, timeZone, locale) : moment(start)
    const row = (label: string, sum: CollectionSum): ShareRow => ({
      label,
      share: sum.issued === 0 ? 0 : sum.collected / sum.issued,
      value: `${slipPoints(sum.collected, locale)} / ${slipPoints(sum.issued, locale)}`,
      below: withoutSlips(sum)
    })
    const rowOf = (group: CollectionGroup): ShareRow =>
      row(collectionGroupName(group, by, words, format), group)
    column.shares([
      ...named.map(rowOf),
      ...(others === null
        ? []
        : [row(words.reportOthers({ number: slipPoints(others.count, locale) }), others)]),
      ...unnamed.map(rowOf)
    ])
  }
  column.space(16)
  if (left > 0) {
    column.centred(words.reportOthersInCsv(), 'footer', 3)
    column.space(16)
  }
  column.rule()
}

/** How many periods, and how many batches, cashiers and programs each, a report lists. */
interface ReportLimits {
  readonly times: number
  readonly groups: number
}

/** From all that a reader compares down to what the shortest report has: groups are left out before periods. */
const REPORT_LIMITS: readonly ReportLimits[] = [
  { times: 48, groups: 48 },
  { times: 48, groups: 24 },
  { times: 48, groups: 12 },
  { times: 48, groups: 6 },
  { times: 24, groups: 6 },
  { times: 12, groups: 6 },
  { times: 12, groups: 3 },
  { times: 6, groups: 2 }
]

/** A report on a roll is at most so long, about twice an A4 sheet: what a cashier tears off and files. */
const MAX_ROLL_MM = 600
/** A report has at most so many sheets. */
const MAX_PAGES = 6

interface ReportOptions {
  readonly layout: PaperLayout
  readonly text: SlipText
  readonly limits: ReportLimits
}

/** Lays out a report with as many groups as its paper has room for; the others are summed up, and its CSV export has them. */
export function layOutReport(document: ReportDocument, layout: PaperLayout, text: SlipText): LaidOutPage[] {
  const { locale, report } = document
  const title = slipDays(report.range.from, report.range.to, locale)
  const candidates = REPORT_LIMITS.values().map((limits) =>
    paginate(composeReport(document, { layout, text, limits }), layout, { text, locale, title })
  )
  let last: LaidOutPage[] = []
  for (const pages of candidates) {
    last = pages
    const isShort = pages.every(({ fitted }) => fitted.page.heightMillimetres <= MAX_ROLL_MM)
    if (isShort && pages.length <= MAX_PAGES) break
  }
  return last
}

function composeReport(document: ReportDocument, options: ReportOptions): Flow {
  const { report, locale } = document
  const { layout, text } = options
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
    addTimeBuckets(column, document)
    column.space(16)
    column.rule()
  }
  addCollections(column, document, options)
  // What ends the report stays with its last row.
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
  return { height: column.height, items: column.items, breaks: column.breaks, leftOut: [] }
}
