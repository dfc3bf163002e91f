/** Composes the printed report of a range of days. */
import { slipDays, slipBucketLabel, slipPoints } from '../../contract/slip-numbers-and-dates.ts'
import type { SlipsReport, SlipStatus } from '../../contract/slips.ts'
import { Column, type Composition, type PaperLayout } from './column.ts'
import { momentText, readingDirection, slipWords } from './slip-document.ts'
import type { SlipText } from './text/index.ts'

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
  ['discarded', 'reportDiscarded'],
  ['given', 'reportGiven'],
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
  column.space(16)
  column.detail(
    words.reportPrinted(),
    momentText({ issuedAt: document.printedAt, timeZone: report.timeZone, locale }, (moment) =>
      text.shows(moment)
    ),
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
