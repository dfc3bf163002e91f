/** What a till did within a range of days, added up from its journal. */
import { err, ok, type Result } from '../../contract/failure.ts'
import type { PrinterSettings } from '../../contract/printing.ts'
import {
  SLIP_STATES,
  type PrintedReport,
  type ReportBucket,
  type ReportRange,
  type SlipsReport,
  type SlipState
} from '../../contract/slips.ts'
import type { Logger } from '../log/log.ts'
import type { PdfRenderer } from '../slip-pdf/slip-pdf-renderer.ts'
import type { Deliver } from './delivery.ts'
import type { Journal } from './journal/journal.ts'
import type { Scope } from './journal/rows.ts'
import type { Report, StateSum } from './journal/statistics.ts'
import type { PrintQueue } from './print-queue.ts'
import { scopeOf, snapshotOf, type SlipBusiness } from './slip-document.ts'
import { stepOf, timeBuckets } from './time-buckets.ts'

const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

/** Somebody holds the code, or may: a discarded one went to nobody. */
const wentOut = ({ state }: StateSum): boolean => state !== 'discarded'

const partOf = (start: string, sums: readonly StateSum[]): ReportBucket => {
  const out = sums.filter(wentOut)
  return {
    start,
    slips: total(out.map(({ withCode }) => withCode)),
    points: total(out.map(({ points }) => points))
  }
}

const countOf = (sums: readonly StateSum[], state: SlipState): number =>
  total(sums.filter((sum) => sum.state === state).map(({ count }) => count))

/** Adds up the slips of `scope` that were asked for on the days of `range` in `timeZone`. Throws as the journal does. */
export function reportOf(journal: Report, scope: Scope, range: ReportRange, timeZone: string): SlipsReport {
  const step = stepOf(range)
  const summed = timeBuckets(range, step, timeZone).map(({ from, until }) => ({
    start: from,
    sums: journal.sums(scope, from, until)
  }))
  const all = summed.flatMap(({ sums }) => sums)
  const parts = summed.map(({ start, sums }) => partOf(start, sums))
  const states = Object.fromEntries(SLIP_STATES.map((state) => [state, countOf(all, state)]))
  return {
    range,
    timeZone,
    step,
    parts,
    slips: total(parts.map(({ slips }) => slips)),
    points: total(parts.map(({ points }) => points)),
    copies: total(all.map(({ copies }) => copies)),
    // One entry for each of SLIP_STATES: Object.fromEntries forgets their names.
    states: states as Record<SlipState, number>
  }
}

/* from print.ts: A report on paper: laid out when its turn comes, and delivered where slips go. */

interface PrintReportParts {
  readonly journal: Journal
  readonly queue: PrintQueue
  readonly renderReport: PdfRenderer['renderReport']
  readonly deliver: Deliver
  readonly printer: () => PrinterSettings
  readonly now: () => Date
  readonly signal: AbortSignal
  readonly log: Logger
}

/** Prints what the till did for `business` within `range`; answers when it is out, or with what went wrong. */
type PrintReport = (business: SlipBusiness, range: ReportRange) => Promise<Result<PrintedReport>>

/** Makes the printing of reports. Throws as the journal does. */
export function createPrintReport({
  journal,
  queue,
  renderReport,
  deliver,
  printer,
  now,
  signal,
  log
}: PrintReportParts): PrintReport {
  const print = async (business: SlipBusiness, range: ReportRange): Promise<Result<PrintedReport>> => {
    const report = reportOf(journal, scopeOf(business), range, snapshotOf(business).timeZone)
    const { destination, paper } = printer()
    const title = `report ${range.from === range.to ? range.from : `${range.from} ${range.to}`}`
    try {
      const laidOut = await renderReport(
        {
          report,
          business: business.name,
          tillName: business.slip.tillName,
          locale: business.locale,
          training: business.training,
          printedAt: now().toISOString()
        },
        paper
      )
      const delivered = await deliver({ title, trace: { report: title }, ...laidOut }, destination, signal)
      return delivered.ok ? ok({ file: delivered.value.file }) : delivered
    } catch (error) {
      log.error('report-not-laid-out', { error, report: title })
      return err({ kind: 'internal' })
    }
  }
  return async (business, range) =>
    // A till that is closing prints no report.
    (await queue.add('counter', () => print(business, range))) ??
    err({ kind: 'not-printed', fault: 'cancelled-here', mayStillPrint: false })
}
