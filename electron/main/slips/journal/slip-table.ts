/** The slips of the journal: a row per intent, and the steps of its life. */
import type { DatabaseSync } from 'node:sqlite'
import type { Failure } from '../../../contract/failure.ts'
import type { PaperSize, PrintDestination, PrinterSettings } from '../../../contract/printing.ts'
import type { Slip, SlipState } from '../../../contract/slips.ts'
import { transaction } from './group-commit.ts'
import { searchTokens } from './history.ts'
import { prepareSlips, scopeValues, type BusinessSnapshot, type JournalRow, type Scope } from './rows.ts'

/** A slip that is asked for, before the service knows of it. */
export interface Request extends Scope {
  readonly intentId: string
  readonly points: number
  readonly customer: Slip['customer']
  readonly cashier: Slip['cashier']
  /** ISO 8601, UTC */
  readonly requestedAt: string
  readonly snapshot: BusinessSnapshot
  /** papers of it, from 1 on */
  readonly papers: number
  /** its place in a batch, and how often that place was asked for; null outside of one */
  readonly batch: { readonly batchId: string; readonly position: number; readonly attempt: number } | null
}

/** What a step adds to the row; what it does not name stays as it is, save `failure`, which each step sets anew. */
export interface StepDetails {
  readonly code?: string
  readonly url?: string
  readonly issuedAt?: string
  readonly printedAt?: string
  readonly shownAt?: string
  readonly file?: string
  readonly destination?: PrintDestination
  readonly paper?: PaperSize
  readonly failure?: Failure
  readonly endedAt?: string
  readonly note?: string
}

/** Raised by a step that the table of states does not have: a fault of the till, never of a cashier. */
export class InvalidTransitionError extends Error {}

/** Every method throws as SQLite does when the disk fails; what a method returned is on disk. */
export interface SlipRows {
  /** Writes the row of a new intent, in state `requested`. Throws when the intent id is there already. */
  request(request: Request): JournalRow
  /** Takes one step of the slip's life. Throws `InvalidTransitionError` when its state has no such step. */
  step(intentId: string, event: SlipEvent, details?: StepDetails): JournalRow
  /** Notes that a slip whose paper is asked for, too, came on the customer display. Its state follows the paper. */
  noteShown(intentId: string, shownAt: string): JournalRow
  byIntent(intentId: string): JournalRow | null
  /** The newest slip with this code within the scope. */
  byCode(scope: Scope, code: string): Slip | null
  /** The newest slip that has a code and was not discarded. */
  last(scope: Scope): JournalRow | null
}

const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value))

/** Prepares the statements of the slips. */
export function createSlipRows(database: DatabaseSync): SlipRows {
  const insert = database.prepare(`
    INSERT INTO slips (intent_id, business_id, training, state, points, papers, customer_id, customer_name,
                       cashier_id, cashier_name, requested_at, snapshot, batch_id, position, attempt)
    VALUES (:intentId, :businessId, :training, 'requested', :points, :papers, :customerId, :customerName,
            :cashierId, :cashierName, :requestedAt, :snapshot, :batchId, :position, :attempt)
  `)
  const insertWords = database.prepare('INSERT INTO slip_words (rowid, name) VALUES (?, ?)')
  const update = database.prepare(`
    UPDATE slips SET state = :next, revision = revision + 1,
      code = coalesce(:code, code), url = coalesce(:url, url),
      issued_at = coalesce(:issuedAt, issued_at), printed_at = coalesce(:printedAt, printed_at),
      shown_at = coalesce(:shownAt, shown_at),
      file = coalesce(:file, file), destination = coalesce(:destination, destination),
      paper = coalesce(:paper, paper),
      ended_at = coalesce(:endedAt, ended_at), note = coalesce(:note, note),
      -- what went wrong stays to be read when a person ends it
      failure = CASE WHEN :endedAt IS NULL THEN :failure ELSE failure END
    WHERE intent_id = :intentId AND state = :state
  `)
  const updateShown = database.prepare(
    'UPDATE slips SET shown_at = ?, revision = revision + 1 WHERE intent_id = ?'
  )
  const selectIntent = prepareSlips(database, 'WHERE intent_id = ?')
  const selectCode = prepareSlips(
    database,
    `WHERE training = ? AND business_id = ? AND code = ? COLLATE NOCASE AND code = ?
     ORDER BY slips.number DESC LIMIT 1`
  )
  const selectLast = prepareSlips(
    database,
    `WHERE training = ? AND business_id = ? AND code IS NOT NULL AND slips.state <> 'discarded'
     ORDER BY slips.number DESC LIMIT 1`
  )

  const byIntent = (intentId: string): JournalRow | null => selectIntent.first(intentId)
  const existing = (intentId: string): JournalRow => {
    const row = byIntent(intentId)
    if (row === null) throw new InvalidTransitionError(`No slip has the intent ${intentId}`)
    return row
  }

  return {
    request(request) {
      const { intentId, customer, cashier, batch } = request
      transaction(database, () => {
        const { lastInsertRowid } = insert.run({
          intentId,
          businessId: request.businessId,
          training: Number(request.training),
          points: request.points,
          papers: request.papers,
          customerId: customer?.id ?? null,
          customerName: customer?.name ?? null,
          cashierId: cashier?.id ?? null,
          cashierName: cashier?.name ?? null,
          requestedAt: request.requestedAt,
          snapshot: JSON.stringify(request.snapshot),
          batchId: batch?.batchId ?? null,
          position: batch?.position ?? null,
          attempt: batch?.attempt ?? null
        })
        const words = searchTokens(customer?.name ?? '')
        if (words.length > 0) insertWords.run(lastInsertRowid, words.join(' '))
      })
      return existing(intentId)
    },
    step(intentId, event, details = {}) {
      const { state } = existing(intentId).slip
      const next = nextState(state, event)
      if (next === null)
        throw new InvalidTransitionError(`A slip that is ${state} cannot take the step ${event}`)
      const { changes } = update.run({
        intentId,
        state,
        next,
        code: details.code ?? null,
        url: details.url ?? null,
        issuedAt: details.issuedAt ?? null,
        printedAt: details.printedAt ?? null,
        shownAt: details.shownAt ?? null,
        file: details.file ?? null,
        destination: json(details.destination),
        paper: details.paper ?? null,
        endedAt: details.endedAt ?? null,
        note: details.note ?? null,
        failure: json(details.failure)
      })
      if (changes !== 1) throw new InvalidTransitionError(`Another till changed the slip ${intentId}`)
      return existing(intentId)
    },
    noteShown(intentId, shownAt) {
      updateShown.run(shownAt, intentId)
      return existing(intentId)
    },
    byIntent,
    byCode: (scope, code) => selectCode.first(...scopeValues(scope), code, code)?.slip ?? null,
    last: (scope) => selectLast.first(...scopeValues(scope))
  }
}

/* from states.ts: The life of a slip as one table; the diagram in ../README.md shows the same. */

/** What can happen to a slip. */
export type SlipEvent =
  /** the service answered with a code */
  | 'issued'
  /** the service, or the way to it, refused: surely no code was made */
  | 'refused'
  /** no answer that tells whether a code was made */
  | 'answer-lost'
  /** the paper is on its way */
  | 'print-started'
  | 'printed'
  | 'print-failed'
  /** its code is on the customer display, and nobody asked for paper */
  | 'shown'
  /** a person says that the customer has it */
  | 'given'
  /** a person put it away */
  | 'discarded'

const TRANSITIONS: Readonly<Record<SlipState, Partial<Readonly<Record<SlipEvent, SlipState>>>>> = {
  requested: { issued: 'issued', refused: 'refused', 'answer-lost': 'unknown' },
  issued: { 'print-started': 'printing', shown: 'shown', given: 'given', discarded: 'discarded' },
  printing: { printed: 'printed', 'print-failed': 'print-failed' },
  'print-failed': { 'print-started': 'printing', given: 'given', discarded: 'discarded' },
  unknown: { discarded: 'discarded' },
  shown: { 'print-started': 'printing' },
  printed: {},
  refused: {},
  given: {},
  discarded: {}
}

/** The state that `event` leads to from `state`, or null when the slip's life has no such step. */
export const nextState = (state: SlipState, event: SlipEvent): SlipState | null =>
  TRANSITIONS[state][event] ?? null

/* from copies.ts: The copies of a slip: papers beside the first one, each counted before it moves. */

/** How a copy ended. */
interface CopyEnd {
  /** ISO 8601, UTC */
  readonly endedAt: string
  /** null: it is on paper */
  readonly failure: Failure | null
}

/** Every method throws as SQLite does when the disk fails; what a method returned is on disk. */
export interface CopyRows {
  /** Counts the next copy of a slip, on its way to paper: its number is `slip.copies` of what comes back. */
  startCopy(intentId: string, startedAt: string, printer: PrinterSettings): JournalRow
  /** Ends a copy that is on its way. */
  endCopy(intentId: string, number: number, end: CopyEnd): JournalRow
}

/** Prepares the statements of the copies. */
export function createCopyRows(database: DatabaseSync, slips: SlipRows): CopyRows {
  const count = database.prepare(
    'UPDATE slips SET copies = copies + 1, revision = revision + 1 WHERE intent_id = ? RETURNING number, copies'
  )
  const insert = database.prepare(
    `INSERT INTO copies (slip, number, state, started_at, destination, paper) VALUES (?, ?, 'printing', ?, ?, ?)`
  )
  const update = database.prepare(`
    UPDATE copies SET state = ?, ended_at = ?, failure = ?
    WHERE slip = ? AND number = ? AND state = 'printing'
  `)
  const touch = database.prepare('UPDATE slips SET revision = revision + 1 WHERE number = ?')
  const existing = (intentId: string): JournalRow => {
    const row = slips.byIntent(intentId)
    if (row === null) throw new InvalidTransitionError(`No slip has the intent ${intentId}`)
    return row
  }

  return {
    startCopy(intentId, startedAt, { destination, paper }) {
      transaction(database, () => {
        const counted = count.get(intentId)
        if (counted === undefined) throw new InvalidTransitionError(`No slip has the intent ${intentId}`)
        insert.run(
          Number(counted['number']),
          Number(counted['copies']),
          startedAt,
          JSON.stringify(destination),
          paper
        )
      })
      return existing(intentId)
    },
    endCopy(intentId, number, { endedAt, failure }) {
      const { number: slip } = existing(intentId)
      transaction(database, () => {
        const { changes } = update.run(
          failure === null ? 'printed' : 'print-failed',
          endedAt,
          failure === null ? null : JSON.stringify(failure),
          slip,
          number
        )
        if (changes !== 1)
          throw new InvalidTransitionError(`Copy ${String(number)} of ${intentId} is not on its way`)
        touch.run(slip)
      })
      return existing(intentId)
    }
  }
}
