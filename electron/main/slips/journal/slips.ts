/** The slips of the journal: a row per intent, and the steps of its life. */
import type { DatabaseSync } from 'node:sqlite'
import type { Failure } from '../../../contract/failure.ts'
import type { PaperName, PrintDestination } from '../../../contract/printing.ts'
import type { Slip } from '../../../contract/till.ts'
import { prepareSlips, type Face, type JournalRow } from './row.ts'
import { scopeValues, type Scope } from './scope.ts'
import { nextState, type SlipEvent } from './states.ts'
import { transaction } from './transaction.ts'
import { wordsOf } from './words.ts'

/** A slip that is asked for, before the service knows of it. */
export interface Request extends Scope {
  readonly intentId: string
  readonly points: number
  readonly customer: Slip['customer']
  readonly cashier: Slip['cashier']
  /** ISO 8601, UTC */
  readonly requestedAt: string
  readonly face: Face
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
  readonly paper?: PaperName
  readonly failure?: Failure
  readonly endedAt?: string
  readonly note?: string
}

/** Raised by a step that the table of states does not have: a fault of the till, never of a cashier. */
export class IllegalStep extends Error {}

/** Every method throws as SQLite does when the disk fails; what a method returned is on disk. */
export interface SlipRows {
  /** Writes the row of a new intent, in state `requested`. Throws when the intent id is there already. */
  request(request: Request): JournalRow
  /** Takes one step of the slip's life. Throws `IllegalStep` when its state has no such step. */
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
                       cashier_id, cashier_name, requested_at, face, batch_id, position, attempt)
    VALUES (:intentId, :businessId, :training, 'requested', :points, :papers, :customerId, :customerName,
            :cashierId, :cashierName, :requestedAt, :face, :batchId, :position, :attempt)
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
    if (row === null) throw new IllegalStep(`No slip has the intent ${intentId}`)
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
          face: JSON.stringify(request.face),
          batchId: batch?.batchId ?? null,
          position: batch?.position ?? null,
          attempt: batch?.attempt ?? null
        })
        const words = wordsOf(customer?.name ?? '')
        if (words.length > 0) insertWords.run(lastInsertRowid, words.join(' '))
      })
      return existing(intentId)
    },
    step(intentId, event, details = {}) {
      const { state } = existing(intentId).slip
      const next = nextState(state, event)
      if (next === null) throw new IllegalStep(`A slip that is ${state} cannot take the step ${event}`)
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
      if (changes !== 1) throw new IllegalStep(`Another till changed the slip ${intentId}`)
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
