/** Puts a report of slips together: what a manager wants on paper at the end of a day. */
import type { SlipsReport, SlipState } from '../../contract/slips.ts'
import { slipDays, slipPart, slipPoints } from '../../contract/slip-format.ts'
import { createColumn, type Column, type Composition } from './column.ts'
import type { Media } from './media.ts'
import type { SlipText } from './text/index.ts'
import { momentText, readingDirection, slipWords } from './words.ts'

/** What a printed report says. */
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

/** How slips stand that a manager asks about, most pressing first; none of a kind is not printed. */
const TROUBLES = [
  ['unknown', 'reportUnknown'],
  ['print-failed', 'reportNotPrinted'],
  ['refused', 'reportRefused'],
  ['discarded', 'reportDiscarded'],
  ['given', 'reportGiven']
] as const satisfies readonly (readonly [SlipState, string])[]

function addFigures(column: Column, { report, locale }: ReportDocument): void {
  const words = slipWords({ locale })
  const figure = (label: string, number: number): void => {
    column.detail(label, slipPoints(number, locale), 1)
  }
  figure(words.reportPoints(), report.points)
  figure(words.reportSlips(), report.slips)
  figure(words.reportCopies(), report.copies)
  for (const [state, word] of TROUBLES) {
    if (report.states[state] > 0) figure(words[word](), report.states[state])
  }
}

/** Only the parts in which something went out: a closed shop's hours are no use of paper. */
function addParts(column: Column, { report, locale }: ReportDocument): void {
  const busy = report.parts.filter(({ slips }) => slips > 0)
  const most = Math.max(...busy.map(({ points }) => points))
  for (const { start, points } of busy) {
    const label = slipPart(new Date(start), report.step, report.timeZone, locale)
    column.share(label, most === 0 ? 0 : points / most, slipPoints(points, locale))
  }
}

/** Composes a report for `paper`. */
export function composeReport(
  document: ReportDocument,
  { paper, text }: { readonly paper: Media; readonly text: SlipText }
): Composition {
  const { report, locale } = document
  const words = slipWords({ locale })
  const column = createColumn(paper, text, readingDirection(document))
  column.space(paper.ends)
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
    addParts(column, document)
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
  column.space(paper.ends)
  return { height: column.height(), items: column.items, leftOut: [] }
}
