/** Slips: their states, the journal row as the page sees it, searches, reports and batches. */
import type { Failure } from './failure.ts'
import type { QrCode } from './loyalty.ts'
import type { PrintDestination } from './printing.ts'

/** A points code as the service and this till's journal know it. */
export interface CheckedCode {
  readonly code: string
  /** null when the service did not answer: only what this till's journal knows is told then */
  readonly qr: QrCode | null
  /** the service says so by a date or by its status; null when neither tells, and when it did not answer */
  readonly used: boolean | null
  /** this till's own slip for it, if it issued it */
  readonly slip: Slip | null
}

/** A slip's life; see the diagram in electron/main/slips/README.md. */
export const SLIP_STATES = [
  'requested',
  'issued',
  'printing',
  'printed',
  'print-failed',
  'unknown',
  'refused',
  /** its code stands, or stood, on the customer display; no paper was asked for */
  'shown',
  /** a person says that the customer has it, whatever the printer said */
  'given',
  /** a person put it away, with a reason: nobody will print it */
  'discarded'
] as const

export type SlipState = (typeof SLIP_STATES)[number]

/** What screens, the history and exports call a slip's state; see `slipStatus`. */
export type SlipStatus = SlipState | 'saved'

/**
 * Returns the state to show for a slip: `saved` for a `printed` slip whose PDF went to the folder, else its state. A
 * slip in the folder is never called printed. `Batch.saved` counts them.
 */
export const slipStatus = ({ state, destination }: Pick<Slip, 'state' | 'destination'>): SlipStatus =>
  state === 'printed' && destination?.kind === 'folder' ? 'saved' : state

/** Returns the state to show for a copy; see `slipStatus`. */
export const copyStatus = ({ state, destination }: Copy): Copy['state'] | 'saved' =>
  state === 'printed' && destination?.kind === 'folder' ? 'saved' : state

const PRINTABLE_STATES: readonly SlipState[] = ['issued', 'print-failed', 'shown']

/** Returns whether a slip has a code and can still be printed for the first time, without the mark COPY. */
export const canPrint = ({ state }: Pick<Slip, 'state'>): boolean => PRINTABLE_STATES.includes(state)

/** Returns whether a slip was delivered, so that printing it again makes a COPY. */
export const canReprint = ({ state }: Pick<Slip, 'state'>): boolean =>
  state === 'printed' || state === 'given'

/** One row of the journal, as the page sees it. */
export interface Slip {
  /** made by the page when the form opens; one intent is issued at most once */
  readonly intentId: string
  readonly state: SlipState
  /** grows by one with each change of the row: of two versions of a slip, the higher one is the newer */
  readonly revision: number
  readonly points: number
  readonly customer: { readonly id: string; readonly name: string } | null
  /** who served when the points were asked for, with the name of the time; null: nobody was chosen */
  readonly cashier: { readonly id: string; readonly name: string } | null
  /** null until the service has answered */
  readonly code: string | null
  readonly url: string | null
  /** ISO 8601, UTC */
  readonly requestedAt: string
  readonly issuedAt: string | null
  readonly printedAt: string | null
  /** when its code came on the customer display; null where it never did */
  readonly shownAt: string | null
  /** the PDF's path; null until it was written */
  readonly file: string | null
  /** where its paper went, or was to go, at the last try; null before the first */
  readonly destination: PrintDestination | null
  /** why it was refused, is unknown or did not print; kept when a person marks it as given or discards it */
  readonly failure: Failure | null
  /** when and why a person marked it as given or discarded it */
  readonly ending: { readonly at: string; readonly note: string } | null
  /** papers asked for beside the first one, each marked COPY with its number */
  readonly copies: number
  /** the newest of them */
  readonly lastCopy: Copy | null
  /** the batch it is part of, and its place there, from 1 */
  readonly batch: { readonly batchId: string; readonly position: number } | null
  readonly training: boolean
}

/** A paper marked COPY. */
export interface Copy {
  /** 1 is the first copy of the first paper */
  readonly number: number
  readonly state: 'printing' | 'printed' | 'print-failed'
  /** when it was requested; ISO 8601, UTC */
  readonly startedAt: string
  /** where it was sent; a `printed` copy that went to the folder is saved, not printed */
  readonly destination: PrintDestination | null
  readonly failure: Failure | null
}

/** A QR code ready to draw: dark modules as one SVG path in a square of `size` modules, quiet zone excluded. */
export interface QrDrawing {
  readonly size: number
  readonly path: string
}

/** What `Print slip` came to: the journal row, and the drawing of its code when it has one. */
export interface IssuedSlip {
  readonly slip: Slip
  readonly qr: QrDrawing | null
}

/* from attention.ts: Which slips wait for a person, and the one thing that is right to do with each. */

/** What a slip that needs attention asks for. */
type AttentionAction =
  /** it has a code, and surely no paper: print it now */
  | 'print'
  /** it has a code, and its paper may have come out: look, and mark it as given if it is there */
  | 'mark-given'
  /** nobody knows whether a code was made, and nobody holds one: discard it, with a reason */
  | 'discard'

/** A slip that needs attention, with its one right action. The other two stay possible where the code exists. */
export interface AttentionSlip {
  readonly slip: Slip
  readonly action: AttentionAction
}

/** States that wait for a person: an outcome nobody knows, and codes without paper. */
export const ATTENTION_STATES = ['unknown', 'issued', 'print-failed'] as const satisfies readonly SlipState[]

const mayBeOnPaper = (failure: Failure | null): boolean =>
  (failure?.kind === 'not-printed' && failure.mayStillPrint) || failure?.kind === 'unknown-outcome'

/** The one right action for a slip, or null when it needs none. */
export function attentionAction({ state, failure }: Pick<Slip, 'state' | 'failure'>): AttentionAction | null {
  switch (state) {
    case 'unknown':
      return 'discard'
    case 'issued':
      return 'print'
    case 'print-failed':
      return mayBeOnPaper(failure) ? 'mark-given' : 'print'
    default:
      return null
  }
}

/* from history.ts: Searching what this till issued. */

/** All that is given must hold; an empty search finds every slip of the current business. */
export interface SlipSearch {
  /** the beginning of a code, or beginnings of words of the customer's name, in any case and with or without accents */
  readonly text?: string
  /** first day, `YYYY-MM-DD` in the business's time zone */
  readonly from?: string
  /** last day, included */
  readonly to?: string
  readonly customerId?: string
  readonly cashierId?: string
  readonly states?: readonly SlipState[]
  readonly batchId?: string
}

/** What an export came to. */
export interface ExportResult {
  /** full path of the file; null when the cashier closed the dialog, and nothing was written */
  readonly file: string | null
  /** slips in it */
  readonly slips: number
}

/* from report.ts: What a till did on one day, or on several: the numbers of the day view and of the printed report. */

/** Days of the calendar in the business's time zone, `YYYY-MM-DD`; `to` is included. */
export interface ReportRange {
  readonly from: string
  readonly to: string
}

/** How finely a report is cut: a day into hours, weeks into days, longer ranges into months or years. */
export type ReportBucketSize = 'hour' | 'day' | 'month' | 'year'

/** What went out within one step. */
export interface ReportBucket {
  /** its first moment, ISO 8601, UTC */
  readonly start: string
  /** slips with a code that were not discarded */
  readonly slips: number
  /** points that those slips carry */
  readonly points: number
}

/** Where a printed report went. */
export interface PrintedReport {
  /** full path of the PDF when it was saved to the folder; null when it was printed */
  readonly file: string | null
}

/** Slips asked for within a range, of the business that the till serves. */
export interface SlipsReport {
  readonly range: ReportRange
  /** IANA name; the clock that days and hours are of */
  readonly timeZone: string
  readonly step: ReportBucketSize
  /** every step of the range, in order, also those without a slip */
  readonly parts: readonly ReportBucket[]
  /** sums of the parts */
  readonly slips: number
  readonly points: number
  /** papers marked COPY of all slips in the range, whenever they were printed */
  readonly copies: number
  /** all slips of the range by how they stand now */
  readonly states: Readonly<Record<SlipState, number>>
}

/* from batch.ts: Many slips of the same points at once, for a promotion: what was asked for, and how far it came. */

/** Most slips in one batch. */
export const MAX_BATCH_SLIPS = 500

/** Most requests that a batch has on their way to the service at once. */
export const MAX_BATCH_REQUESTS = 4

/** How a batch stands. */
export type BatchState =
  /** asks for codes, and prints them */
  | 'running'
  /** the cashier paused it; what was on its way when the button was pressed is in */
  | 'paused'
  /** it stopped by itself, for `Batch.reason`, and asks the cashier how to go on */
  | 'stopped'
  /** the cashier ended it */
  | 'cancelled'
  /** every slip was asked for and taken to paper, or failed to print */
  | 'finished'

/**
 * One batch. `count` = `waiting` + `unknown` + `issued`; `printed`, `failed` and `ended` are parts of `issued`, and
 * what is left of it is on its way to paper or waits for it.
 */
export interface Batch {
  readonly batchId: string
  /** points on each slip */
  readonly points: number
  /** slips asked for */
  readonly count: number
  /** true: one print job for all slips, sent when the last one is issued; false: one job per slip */
  readonly oneJob: boolean
  readonly state: BatchState
  /** why it stopped; null in every other state */
  readonly reason: Failure | null
  /** have a code */
  readonly issued: number
  /** were printed, or saved to the folder */
  readonly printed: number
  /** of `printed`: were saved to the folder, and not printed */
  readonly saved: number
  /** have a code, and did not come out of the printer */
  readonly failed: number
  /** have a code that a person marked as given or discarded */
  readonly ended: number
  /** were asked for, and nobody knows whether a code was made; no paper exists */
  readonly unknown: number
  /** have no code yet: not asked for, on their way, or surely refused */
  readonly waiting: number
  /** ISO 8601, UTC */
  readonly startedAt: string
  /** when it was cancelled or finished */
  readonly endedAt: string | null
  readonly training: boolean
}

/** What the till itself notes on slips of a batch that it puts away: data, which the page says in its own language. */
export const BATCH_NOTES = { again: 'Issued again', cancelled: 'Batch cancelled' } as const

/** True while a batch may still be paused, resumed or cancelled. */
export const isUnfinished = ({ state }: Pick<Batch, 'state'>): boolean =>
  state !== 'cancelled' && state !== 'finished'
