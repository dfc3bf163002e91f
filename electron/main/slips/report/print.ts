/** A report on paper: laid out when its turn comes, and delivered where slips go. */
import { err, ok, type Result } from '../../../contract/failure.ts'
import type { PrinterSettings } from '../../../contract/printing.ts'
import type { ReportRange } from '../../../contract/report.ts'
import type { Log } from '../../log/index.ts'
import { faceOf, scopeOf, type SlipBusiness } from '../business.ts'
import type { Deliver } from '../delivery/destination.ts'
import type { Journal } from '../journal/journal.ts'
import type { LayoutReport } from '../../slip-pdf/report-layout.ts'
import type { PrintQueue } from '../print-jobs/print-queue.ts'
import { reportOf } from './report.ts'

export interface PrintReportParts {
  readonly journal: Journal
  readonly queue: PrintQueue
  readonly layOut: LayoutReport
  readonly deliver: Deliver
  readonly printer: () => PrinterSettings
  readonly now: () => Date
  readonly signal: AbortSignal
  readonly log: Log
}

/** Prints what the till did for `business` within `range`; answers when it is out, or with what went wrong. */
export type PrintReport = (business: SlipBusiness, range: ReportRange) => Promise<Result<null>>

/** Makes the printing of reports. Throws as the journal does. */
export function createPrintReport({
  journal,
  queue,
  layOut,
  deliver,
  printer,
  now,
  signal,
  log
}: PrintReportParts): PrintReport {
  const print = async (business: SlipBusiness, range: ReportRange): Promise<Result<null>> => {
    const report = reportOf(journal, scopeOf(business), range, faceOf(business).timeZone)
    const { destination, paper } = printer()
    const title = `report ${range.from === range.to ? range.from : `${range.from} ${range.to}`}`
    try {
      const laidOut = await layOut(
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
      return delivered.ok ? ok(null) : delivered
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
