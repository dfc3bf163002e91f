/** Slips: their states, the journal row as the page sees it, searches and batches. */
import * as v from 'valibot'
import type { AffordableRewards } from './affordable-rewards.ts'
import type { Failure } from './failure.ts'
import type { QrCode } from './loyalty.ts'
import type { Calculation } from './points-calculation.ts'
import type { OfflineReport } from './offline.ts'
import {
  deliveryLabel,
  deliveryStatus,
  outputOf,
  type DeliveryLabel,
  type DeliveryStatus,
  type Output,
  type PrintDestination,
  type PrintFault
} from './printing.ts'

/** A points code in the service and in the journal of this till. */
export interface CheckedCode {
  readonly code: string
  /** null when the service is unreachable */
  readonly qr: QrCode | null
  /** from the date of use or the status; null if neither is known */
  readonly used: boolean | null
  /** the slip of this till with the code, or null */
  readonly slip: Slip | null
}

/** The states of a slip; see the diagram in electron/main/journal/README.md. */
export const SLIP_STATES = [
  'requested',
  'issued',
  'printing',
  'printed',
  'print-failed',
  'unknown',
  'refused',
  /** its code was shown on the customer display, and was not to be printed */
  'shown',
  /** marked as given by the cashier */
  'given',
  /** discarded with a reason; never printed */
  'discarded'
] as const

export type SlipState = (typeof SLIP_STATES)[number]

/** A slip that was refused before anything was sent is told apart from one that the service refused; see `isNotSent`. */
type RequestStatus = SlipState | 'not-sent'

/** A slip's state, and what is certain about a delivered one; see `slipStatus`. */
export type SlipStatus = RequestStatus | 'on-receipt' | DeliveryStatus
/** Every `SlipStatus`. */
export const SLIP_STATUSES: readonly SlipStatus[] = [
  ...SLIP_STATES,
  'not-sent',
  'on-receipt',
  'saved',
  'handed-over'
]

/** What texts call a state of printing where slips are saved. */
const SAVE_LABELS = { issued: 'not-saved', printing: 'saving', 'print-failed': 'save-failed' } as const
type SaveLabel = (typeof SAVE_LABELS)[keyof typeof SAVE_LABELS]

/** What screens, the history and exports call a slip's state; see `slipLabel`. */
export type SlipLabel = RequestStatus | 'on-receipt' | DeliveryLabel | SaveLabel

/** By which a search tells slips apart: `refused` finds those that the service refused. */
export const SEARCHED_STATES = [...SLIP_STATES, 'not-sent'] as const satisfies readonly RequestStatus[]

/** The failures of a request that was not sent. */
export const NOT_SENT_FAILURES = [
  'offline',
  'tls',
  'not-connected'
] as const satisfies readonly Failure['kind'][]

/** Returns whether a slip was refused before anything was sent to the service. */
export const isNotSent = ({ state, failure }: Pick<Slip, 'state' | 'failure'>): boolean =>
  state === 'refused' && NOT_SENT_FAILURES.some((kind) => kind === failure?.kind)

/** What `slipStatus` is decided by. */
type StatusParts = Pick<Slip, 'state' | 'destination' | 'failure'> & Partial<Pick<Slip, 'returned'>>

/** Returns whether a program got the code of a slip for its own receipt; a slip that was given by hand was not. */
export const isOnReceipt = ({ state, returned = false }: Pick<StatusParts, 'state' | 'returned'>): boolean =>
  state === 'given' && returned

const undeliveredStatus = (slip: StatusParts): RequestStatus | 'on-receipt' => {
  if (isNotSent(slip)) return 'not-sent'
  return isOnReceipt(slip) ? 'on-receipt' : slip.state
}

/**
 * Returns the status of a slip: `saved` for a `printed` slip whose PDF went to the folder, `handed-over` for one that a raw
 * queue took or a printer that reports nothing, `not-sent` and `on-receipt` as `isNotSent` and `isOnReceipt` say, else its state. Neither of the first two is
 * ever called printed. `Batch` counts both.
 */
export const slipStatus = (slip: StatusParts): SlipStatus =>
  slip.state === 'printed' ? deliveryStatus(slip.destination) : undeliveredStatus(slip)

/**
 * Returns what texts call the status of a slip; see `deliveryLabel`. `selected` is where the till prints now: a slip goes there
 * that was printed nowhere yet.
 */
export function slipLabel(slip: StatusParts, selected: Output = 'printer'): SlipLabel {
  const { state, destination } = slip
  if (state === 'printed') return deliveryLabel(destination)
  const output = destination === null ? selected : outputOf(destination)
  const isPrinting = state === 'issued' || state === 'printing' || state === 'print-failed'
  return isPrinting && output === 'folder' ? SAVE_LABELS[state] : undeliveredStatus(slip)
}

/** Returns what texts call the state of a copy; see `slipLabel`. */
export const copyLabel = ({ state, destination }: Copy): SlipLabel =>
  slipLabel({ state, destination, failure: null })

const PRINTABLE_STATES: readonly SlipState[] = ['issued', 'print-failed', 'shown']

/** Returns whether a slip has a code and can still be printed for the first time, without the mark COPY. */
export const canPrint = ({ state }: Pick<Slip, 'state'>): boolean => PRINTABLE_STATES.includes(state)

/** Returns whether a slip was delivered, so that printing it again makes a COPY. */
export const canReprint = ({ state }: Pick<Slip, 'state'>): boolean =>
  state === 'printed' || state === 'given'

/** One row of the journal, as the page sees it. */
export interface Slip {
  /** created by the page when the form opens; one intent is issued at most once */
  readonly intentId: string
  readonly state: SlipState
  /** incremented with each change of the row */
  readonly revision: number
  readonly points: number
  /** of them, what was left when points went back at this till last; null: none went back */
  readonly remaining: number | null
  readonly customer: { readonly id: string; readonly name: string } | null
  /** the cashier of the request, with the name at that time; null: none */
  readonly cashier: { readonly id: string; readonly name: string } | null
  /** the program that requested it over the local interface, with the name at that time; null: a person did */
  readonly caller: { readonly id: string; readonly name: string } | null
  /** of the bill in the shop's own program, from the local interface or a link; null: none, or removed by the retention */
  readonly reference: string | null
  /** null until it was issued */
  readonly code: string | null
  readonly url: string | null
  /** ISO 8601, UTC */
  readonly requestedAt: string
  readonly issuedAt: string | null
  /** from when its code cannot be collected; null: the service does not say */
  readonly expiresAt: string | null
  readonly printedAt: string | null
  /** when its code was shown on the customer display; null: never */
  readonly shownAt: string | null
  /** whether the program that requested it got the code for its own receipt */
  readonly returned: boolean
  /** of a code that the till made without a connection; null: the service made it */
  readonly offline: OfflineReport | null
  /** when a customer collected its points last, as far as this till knows; see `collectionOf` */
  readonly collectedAt: string | null
  /** when the collected points were taken back; null: they were not */
  readonly takenBackAt: string | null
  /** path of the PDF; null until it was written */
  readonly file: string | null
  /** of the last attempt to print; null before the first */
  readonly destination: PrintDestination | null
  /** why it was refused, is unknown or was not printed; kept when it is marked as given or discarded */
  readonly failure: Failure | null
  /** when and why it was marked as given or discarded */
  readonly ending: { readonly at: string; readonly note: string } | null
  /** requested copies */
  readonly copies: number
  /** the newest copy */
  readonly lastCopy: Copy | null
  /** `position` from 1 */
  readonly batch: { readonly batchId: string; readonly position: number } | null
  readonly training: boolean
}

/** Whether the points of a slip were collected. */
export type Collection = 'collected' | 'taken-back' | 'not-collected'

/**
 * Returns whether a slip was collected, as the till knew at `asOf` (`TillState.collectionsAsOf`); null: it has no code, or
 * that is not known.
 */
export function collectionOf(
  slip: Pick<Slip, 'state' | 'code' | 'requestedAt' | 'collectedAt' | 'takenBackAt'>,
  asOf: string | null
): Collection | null {
  if (asOf === null || slip.code === null) return null
  if (slip.takenBackAt !== null) return 'taken-back'
  if (slip.collectedAt !== null) return 'collected'
  return slip.state === 'discarded' || slip.requestedAt > asOf ? null : 'not-collected'
}

/** A printout marked COPY. */
export interface Copy {
  /** from 1 */
  readonly number: number
  readonly state: 'printing' | 'printed' | 'print-failed'
  /** when it was requested; ISO 8601, UTC */
  readonly startedAt: string
  /** where it was sent; see `copyLabel` */
  readonly destination: PrintDestination | null
  readonly failure: Failure | null
}

/** A print job that something delays, while the till keeps trying. */
export interface HinderedPrint {
  readonly jobId: string
  readonly fault: PrintFault
  /** the first slip of the job; null: it prints a report, a redemption or a test page */
  readonly slip: Slip | null
  readonly isTestPage: boolean
}

/** A QR code ready to draw: dark modules as one SVG path in a square of `size` modules, quiet zone excluded. */
export interface QrDrawing {
  readonly size: number
  readonly path: string
}

/** The result of issuing: the journal row, and the QR code if there is a code. */
export interface IssuedSlip {
  readonly slip: Slip
  /** what the slip shows of the rewards; null: nothing */
  readonly affordable: AffordableRewards | null
  readonly qr: QrDrawing | null
}

/** The action that the page proposes for a slip that needs attention. */
type AttentionAction =
  /** issued, and certainly not printed */
  | 'print'
  /** issued, and maybe printed: the cashier looks at the printer */
  | 'mark-given'
  /** unknown outcome: the customer has no code */
  | 'discard'
  /** the same, and the till asks for the answer by itself */
  | 'ask'

/** A slip that needs attention, with the proposed action. */
export interface AttentionSlip {
  readonly slip: Slip
  readonly action: AttentionAction
}

/** The states that need attention: unknown outcomes, and codes that were not printed. */
export const ATTENTION_STATES = ['unknown', 'issued', 'print-failed'] as const satisfies readonly SlipState[]

const mayBeOnPaper = (failure: Failure | null): boolean =>
  (failure?.kind === 'not-printed' && failure.mayStillPrint) || failure?.kind === 'unknown-outcome'

/** Returns whether the service does not take the code of a slip that a customer has: it is worth nothing. */
export const isWorthless = ({ state, offline }: Pick<Slip, 'state' | 'offline'>): boolean =>
  offline !== null &&
  offline.refusal !== null &&
  (state === 'printed' || state === 'shown' || state === 'given')

/** Returns the action to propose for a slip, or null if it needs none. */
export function attentionAction(slip: Pick<Slip, 'state' | 'failure' | 'offline'>): AttentionAction | null {
  const { state, failure } = slip
  if (isWorthless(slip)) return 'discard'
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

const searchedDay = v.exactOptional(v.pipe(v.string(), v.isoDate()))

/** All given conditions apply; an empty search finds every slip of the current business. */
export const slipSearchSchema = v.strictObject({
  /** prefix of a code or of a bill's reference, prefixes of words of the customer's name, or the customer's phone */
  text: v.exactOptional(v.pipe(v.string(), v.maxLength(500))),
  /** first day, `YYYY-MM-DD` in the business's time zone */
  from: searchedDay,
  /** last day, inclusive */
  to: searchedDay,
  customerId: v.exactOptional(v.pipe(v.string(), v.maxLength(500))),
  cashierId: v.exactOptional(v.pipe(v.string(), v.maxLength(100))),
  states: v.exactOptional(
    v.pipe(v.array(v.picklist(SEARCHED_STATES)), v.maxLength(SEARCHED_STATES.length), v.readonly())
  ),
  batchId: v.exactOptional(v.pipe(v.string(), v.uuid()))
})
export type SlipSearch = Readonly<v.InferOutput<typeof slipSearchSchema>>

export interface ExportResult {
  /** full path; null if the dialog was cancelled */
  readonly file: string | null
  /** slips in it */
  readonly slips: number
}

/** The maximum number of slips of a batch. */
export const MAX_BATCH_SLIPS = 500

/** A request to issue points, from the counter. */
export interface IssueRequest {
  /** created with the form; at most one slip is issued for it */
  readonly intentId: string
  readonly points: number
  readonly customer: Slip['customer']
  /** printouts, the first one included, 1 to 5; all but the first are marked COPY; the number in the settings unless given */
  readonly copies?: number
  /** of the bill, when the form was filled by a link */
  readonly reference?: string
  /** by the shop's rules; none: the points were typed, or are by another rule */
  readonly calculation?: Calculation
}

/** The maximum number of concurrent requests of a batch. */
export const MAX_BATCH_REQUESTS = 4

export type BatchState =
  /** issues and prints */
  | 'running'
  /** paused by the cashier; no request is pending */
  | 'paused'
  /** stopped because of `Batch.reason`; the cashier decides how to continue */
  | 'stopped'
  /** cancelled by the cashier */
  | 'cancelled'
  /** every slip was requested, and its print ended */
  | 'finished'

/**
 * A batch of slips with the same points. `count` = `waiting` + `unknown` + `issued`; `printed`, `failed` and `ended` are
 * parts of `issued`, and the rest of it is being printed or waits for it.
 */
export interface Batch {
  readonly batchId: string
  /** points on each slip */
  readonly points: number
  /** requested number of slips */
  readonly count: number
  /** true: one print job for all slips, sent when the last one is issued; false: one job per slip */
  readonly oneJob: boolean
  readonly state: BatchState
  /** why it stopped; null in other states */
  readonly reason: Failure | null
  /** slips with a code */
  readonly issued: number
  /** were printed, saved to the folder, or handed over */
  readonly printed: number
  /** of `printed`: were saved to the folder, and not printed */
  readonly saved: number
  /** of `printed`: were handed over to a raw queue or a printer that does not report whether it printed them */
  readonly handedOver: number
  /** of `handedOver`: were sent to a printer without a queue */
  readonly sent: number
  /** issued, and could not be printed */
  readonly failed: number
  /** issued, and marked as given or discarded */
  readonly ended: number
  /** unknown outcome, of which the service tells no more; one that is asked for again is `waiting` */
  readonly unknown: number
  /** without a code: not requested, pending, or refused */
  readonly waiting: number
  /** ISO 8601, UTC */
  readonly startedAt: string
  /** when it was cancelled or finished */
  readonly endedAt: string | null
  readonly training: boolean
}

/** The notes on slips that a batch discards; the page translates them. */
export const BATCH_NOTES = { again: 'Issued again', cancelled: 'Batch cancelled' } as const

/** Returns whether a batch can still be paused, resumed or cancelled. */
export const isUnfinished = ({ state }: Pick<Batch, 'state'>): boolean =>
  state !== 'cancelled' && state !== 'finished'
