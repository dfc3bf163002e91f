/** What the slips are given, and what they give: the seam to the rest of the till. */
import type { AttentionSlip } from '../../contract/attention.ts'
import type { Batch } from '../../contract/batch.ts'
import type { JournalNumbers } from '../../contract/diagnostics.ts'
import type { Result } from '../../contract/failure.ts'
import type { SlipSearch } from '../../contract/history.ts'
import type { QrCode } from '../../contract/loyalty.ts'
import type { PrintDestination, PrinterSettings } from '../../contract/printing.ts'
import type { ReportRange, SlipsReport } from '../../contract/report.ts'
import type { HandingOver, IssuedSlip, Notice, QrDrawing, Slip } from '../../contract/till.ts'
import type { Backups } from './backups/backups.ts'
import type { Batches } from './batches/batches.ts'
import type { SlipBusiness } from './business.ts'
import type { PrintOnPrinter } from './delivery/destination.ts'
import type { Log } from '../log/index.ts'
import type { LayingOut } from './print-jobs/lay-out.ts'
import type { Samples } from './print-jobs/samples.ts'

/** The settings that slips follow, read whenever they count. */
export interface SlipsSettings {
  readonly printer: PrinterSettings
  /** papers of a slip for which none were named */
  readonly copies: number
  readonly oneJob: boolean
}

export interface SlipsOptions {
  /** full path of the journal's database */
  readonly journalFile: string
  /** milliseconds that a journal is waited for which another program has locked; five seconds unless given */
  readonly journalPatience?: number
  /** folder of the journal's daily backups; none are made unless given */
  readonly backupsFolder?: string
  /** folder that the PDFs go to where no printer is chosen; made at the first slip */
  readonly slipsFolder: string
  /** folder with the slip's font files */
  readonly fontsFolder: string
  /** lays papers out where a long job holds nobody up; here, in this thread, unless given */
  readonly layOut?: LayingOut
  /** `POST /qr` of the service that the till is connected to now; called once per intent */
  readonly createQr: (points: number) => Promise<Result<QrCode>>
  readonly printOnPrinter: PrintOnPrinter
  /** hears where a paper goes while it is laid out */
  readonly expectJob?: (to: PrintDestination) => void
  readonly settings: () => SlipsSettings
  readonly now: () => Date
  /** null: the till serves nobody yet, and issues nothing */
  readonly currentBusiness: () => SlipBusiness | null
  /** who serves now; absent: nobody is ever chosen */
  readonly currentCashier?: () => Slip['cashier']
  /** how slips of the counter reach the customer now; absent: on paper */
  readonly handingOver?: () => HandingOver
  /**
   * Told of each slip of the counter once its code is on disk, with the drawing of its code where the customer display
   * is to show it. Gives whether a display is open.
   */
  readonly onHandedOver?: (slip: Slip, qr: QrDrawing | null) => boolean
  /** hears every change of a row, after it is on disk */
  readonly onSlip: (slip: Slip) => void
  /** hears how a batch stands, on disk: each change of its own, and how far its slips came, at most every 100 ms */
  readonly onBatch: (batch: Batch) => void
  /** milliseconds that a print under way is given when the till closes; then it is given up */
  readonly closingGrace?: number
  readonly log: Log
}

/** A press of Print slip. */
export interface Press {
  readonly intentId: string
  readonly points: number
  readonly customer: Slip['customer']
  /** papers in all, 1 to 5; the settings' number unless given */
  readonly copies?: number
}

/** An intent that a call is about. */
interface About {
  readonly intentId: string
}

/** The calls of the batches, with `not-saved` instead of an exception. */
type BatchCalls = {
  readonly [Call in Exclude<keyof Batches, 'close' | 'isBusy'>]: (
    input: Parameters<Batches[Call]>[0]
  ) => Promise<Result<Batch>>
}

/** What the calls of the bridge do is said there. `not-saved`: the disk fails. */
export interface Slips {
  /** What opening the journal came to; empty when all is well. */
  readonly notices: readonly Notice[]
  /**
   * Issues points once per intent id and begins to print. Failures: `invalid-input` and `points-too-many` before
   * anything is written, `not-connected`, `not-saved`, and whatever the service answered.
   */
  issue(press: Press): Promise<Result<IssuedSlip>>
  /** Points are being typed: what the first paper of a while takes is made ready meanwhile. */
  makeReady(): void
  /** A printed slip comes back as it is, one that did not print in state `print-failed`. `not-found` without a code. */
  print(about: About): Promise<Result<IssuedSlip>>
  /** `not-found` without a code, and for a discarded slip. */
  reprint(about: About): Promise<Result<IssuedSlip>>
  reprintLast(): Promise<Result<IssuedSlip>>
  /** `not-found` unless the slip has a code and no paper. */
  markGiven(input: About & { readonly note?: string }): Result<Slip>
  /** `not-found` unless the slip needs attention. */
  discard(input: About & { readonly reason: string }): Result<Slip>
  list(input: { readonly offset: number; readonly search?: SlipSearch }): Result<{
    slips: readonly Slip[]
    hasMore: boolean
  }>
  /** Writes what a search finds to `file`, whole or not at all, and gives the number of slips in it. */
  exportTo(file: string, search: SlipSearch): Promise<Result<number>>
  /** Adds up what was asked for on these days; `not-connected` as long as the till serves nobody. */
  report(range: ReportRange): Result<SlipsReport>
  /** Prints that report where slips go; answers when it is out, or with what went wrong. */
  printReport(range: ReportRange): Promise<Result<null>>
  attention(): Result<number>
  attentionList(input: { readonly offset: number }): Result<{
    slips: readonly AttentionSlip[]
    hasMore: boolean
  }>
  /** The current business's slip with this code, if this till issued it. */
  byCode(code: string): Slip | null
  /** null: the journal cannot be written */
  readonly batches: BatchCalls | null
  unfinishedBatches(): Result<readonly Batch[]>
  /** null: the journal cannot be read */
  numbers(): JournalNumbers | null
  /** null: none are kept, or the journal cannot be written */
  readonly backups: Backups | null
  /** for the settings' preview and test page */
  readonly samples: Samples
  /** What would be disturbed if the till ended now: many slips at once, or one on its way from the service or to paper. */
  underWay(): 'batch' | 'slip' | null
  /** Stops the batches, waits for the requests and the print under way, then closes the journal. */
  close(): Promise<void>
}
