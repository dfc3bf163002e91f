/** The table of slips: one row per intent, its state machine, and its copies. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Failure } from '../../contract/failure.ts'
import type { OfflineReport } from '../../contract/offline.ts'
import type { Calculation } from '../../contract/points-calculation.ts'
import type { PaperSize } from '../../contract/paper.ts'
import type { PrintDestination, PrinterSettings } from '../../contract/printing.ts'
import { isWorthless, type Slip, type SlipState } from '../../contract/slips.ts'
import { searchTokens } from './history.ts'
import type { JournalListener } from './journal-listener.ts'
import {
  peopleValues,
  scopeValues,
  SlipQuery,
  type BusinessSnapshot,
  type JournalRow,
  type Requester,
  type RowChange,
  type Scope
} from './rows.ts'
import { SLIP_UNANSWERED, SLIP_UNREPORTED } from './schema.ts'
import { transaction } from './sqlite.ts'

/** What can happen to a slip. */
export type SlipEvent =
  /** the service answered with a code */
  | 'issued'
  /** the service or the network refused; no code exists */
  | 'refused'
  /** no usable answer: a code may exist */
  | 'answer-lost'
  | 'print-started'
  /** it was printed, or saved to the folder */
  | 'printed'
  | 'print-failed'
  /** its code is on the customer display, and no printout was requested */
  | 'shown'
  /** a cashier confirmed that the customer has it */
  | 'given'
  /** a cashier discarded it, with a reason */
  | 'discarded'
  /** its program cancelled it, with a reason, and had its code for the own receipt */
  | 'withdrawn'
  /** a cashier discarded it, with a reason, because the service does not take its code */
  | 'not-taken'

/** The state machine of a slip; the diagram in ../README.md shows the same. */
const TRANSITIONS: Readonly<Record<SlipState, Partial<Readonly<Record<SlipEvent, SlipState>>>>> = {
  requested: { issued: 'issued', refused: 'refused', 'answer-lost': 'unknown' },
  issued: { 'print-started': 'printing', shown: 'shown', given: 'given', discarded: 'discarded' },
  printing: { printed: 'printed', 'print-failed': 'print-failed' },
  'print-failed': { 'print-started': 'printing', given: 'given', discarded: 'discarded' },
  // Issued only when it is asked for with a key.
  unknown: { issued: 'issued', discarded: 'discarded' },
  shown: { 'print-started': 'printing', 'not-taken': 'discarded' },
  printed: { 'not-taken': 'discarded' },
  refused: {},
  given: { withdrawn: 'discarded', 'not-taken': 'discarded' },
  discarded: {}
}

/** Returns the state that `event` leads to from `state`, or null when there is no such transition. */
export const nextState = (state: SlipState, event: SlipEvent): SlipState | null =>
  TRANSITIONS[state][event] ?? null

/** Thrown for a transition that the state machine does not have: a programming error. */
export class InvalidTransitionError extends Error {
  override readonly name = 'InvalidTransitionError'
}

/** The request of a program over the local interface. */
export interface ProgramRequest extends NonNullable<Requester['program']> {
  /** counts the slips of the reference, from 1 */
  readonly attempt: number
}

/** A new slip, before the service is called. */
export interface SlipRequest extends Scope, Requester {
  readonly intentId: string
  readonly points: number
  /** ISO 8601, UTC */
  readonly requestedAt: string
  readonly snapshot: BusinessSnapshot
  /** printouts, the first one included; at least 1 */
  readonly requestedCopies: number
  /** its position in a batch, and the attempt for that position; null outside of a batch */
  readonly batch: { readonly batchId: string; readonly position: number; readonly attempt: number } | null
  /** of the bill; null: none */
  readonly reference: Slip['reference']
  /** see `JournalRow.calculation` */
  readonly calculation?: Calculation | null
  readonly program: ProgramRequest | null
  /** whether its code is asked for with its intent id as key */
  readonly keyed: boolean
}

/** Columns that a transition sets. Others keep their values, except `failure`: every transition sets or clears it. */
export interface TransitionDetails {
  readonly code?: string
  readonly url?: string
  readonly issuedAt?: string
  readonly expiresAt?: string
  readonly printedAt?: string
  readonly shownAt?: string
  readonly file?: string
  readonly destination?: PrintDestination
  readonly paperSize?: PaperSize
  readonly failure?: Failure
  readonly endedAt?: string
  readonly note?: string
  readonly returned?: true
  /** the shop's day in a code that the till made */
  readonly offlineDay?: string
}

/** The outcome of printing a copy. */
interface CopyOutcome {
  /** ISO 8601, UTC */
  readonly endedAt: string
  /** null: it was printed, or saved to the folder */
  readonly failure: Failure | null
}

const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value))

/** Every method throws as SQLite does when the disk fails; a returned row is on disk. */
export class SlipTable {
  readonly #database: DatabaseSync
  readonly #listeners: readonly JournalListener[]
  readonly #insert: StatementSync
  readonly #insertTokens: StatementSync
  readonly #transition: StatementSync
  readonly #recordShown: StatementSync
  readonly #countCopy: StatementSync
  readonly #insertCopy: StatementSync
  readonly #endCopy: StatementSync
  readonly #countPrintedCopies: StatementSync
  readonly #incrementRevision: StatementSync
  readonly #byIntent: SlipQuery
  readonly #byCode: SlipQuery
  readonly #byUrl: SlipQuery
  readonly #newestCodes: SlipQuery
  readonly #last: SlipQuery
  readonly #unanswered: SlipQuery
  readonly #unreported: SlipQuery
  readonly #offlinePoints: StatementSync
  readonly #recordReport: StatementSync

  constructor(database: DatabaseSync, listeners: readonly JournalListener[]) {
    this.#database = database
    this.#listeners = listeners
    this.#insert = database.prepare(`
      INSERT INTO slips (intent_id, business_id, training, state, points, requested_copies, customer_id,
                         customer_name, cashier_id, cashier_name, cashier_number, caller_id, caller_name, reference, content_hash,
                         requested_at, snapshot, batch_id, position, attempt, keyed, calculation)
      VALUES (:intentId, :businessId, :training, 'requested', :points, :requestedCopies, :customerId,
              :customerName, :cashierId, :cashierName, :cashierNumber, :callerId, :callerName, :reference, :contentHash,
              :requestedAt, :snapshot, :batchId, :position, :attempt, :keyed, :calculation)
    `)
    this.#insertTokens = database.prepare('INSERT INTO slip_search (rowid, name) VALUES (?, ?)')
    this.#transition = database.prepare(`
      UPDATE slips SET state = :next, revision = revision + 1,
        code = coalesce(:code, code), url = coalesce(:url, url),
        issued_at = coalesce(:issuedAt, issued_at), expires_at = coalesce(:expiresAt, expires_at),
        printed_at = coalesce(:printedAt, printed_at),
        shown_at = coalesce(:shownAt, shown_at), returned = max(:returned, returned),
        file = coalesce(:file, file), destination = coalesce(:destination, destination),
        media = coalesce(:media, media), offline_day = coalesce(:offlineDay, offline_day),
        ended_at = coalesce(:endedAt, ended_at), note = coalesce(:note, note),
        -- the failure stays readable after a cashier ends the slip
        failure = CASE WHEN :endedAt IS NULL THEN :failure ELSE failure END
      WHERE intent_id = :intentId AND state = :state
    `)
    this.#recordShown = database.prepare(
      'UPDATE slips SET shown_at = ?, revision = revision + 1 WHERE intent_id = ?'
    )
    this.#countCopy = database.prepare(
      'UPDATE slips SET copies = copies + 1, revision = revision + 1 WHERE intent_id = ? RETURNING number, copies'
    )
    this.#insertCopy = database.prepare(
      `INSERT INTO copies (slip, number, state, started_at, destination, media) VALUES (?, ?, 'printing', ?, ?, ?)`
    )
    this.#endCopy = database.prepare(`
      UPDATE copies SET state = ?, ended_at = ?, failure = ?
      WHERE slip = ? AND number = ? AND state = 'printing'
    `)
    this.#countPrintedCopies = database.prepare(
      `SELECT count(*) AS count FROM copies WHERE slip = ? AND state = 'printed'`
    )
    this.#incrementRevision = database.prepare('UPDATE slips SET revision = revision + 1 WHERE number = ?')
    this.#byIntent = new SlipQuery(database, 'WHERE intent_id = ?')
    this.#byCode = new SlipQuery(
      database,
      `WHERE training = ? AND business_id = ? AND code = ? COLLATE NOCASE AND code = ?
       ORDER BY slips.number DESC LIMIT 1`
    )
    this.#byUrl = new SlipQuery(
      database,
      'WHERE training = ? AND business_id = ? AND url = ? ORDER BY slips.number DESC LIMIT 1'
    )
    this.#newestCodes = new SlipQuery(
      database,
      'WHERE training = ? AND business_id = ? AND code IS NOT NULL ORDER BY slips.number DESC LIMIT ?'
    )
    this.#unanswered = new SlipQuery(
      database,
      `WHERE slips.training = ? AND slips.business_id = ? AND slips.${SLIP_UNANSWERED} ORDER BY slips.number DESC LIMIT ?`
    )
    this.#unreported = new SlipQuery(
      database,
      `WHERE slips.training = ? AND slips.business_id = ? AND slips.${SLIP_UNREPORTED}
         AND (refusal IS NULL OR slips.state <> 'discarded') AND slips.number > ? ORDER BY slips.number LIMIT ?`
    )
    this.#offlinePoints = database.prepare(
      `SELECT coalesce(sum(points), 0) AS points FROM slips WHERE training = ? AND business_id = ? AND offline_day = ?`
    )
    this.#recordReport = database.prepare(
      'UPDATE slips SET reported_at = ?, refusal = ?, revision = revision + 1 WHERE intent_id = ?'
    )
    this.#last = new SlipQuery(
      database,
      `WHERE training = ? AND business_id = ? AND code IS NOT NULL AND slips.state <> 'discarded'
       ORDER BY slips.number DESC LIMIT 1`
    )
  }

  /** Returns the newest slips whose answer was lost and is asked for with a key, newest first. */
  unanswered(scope: Scope, limit: number): readonly JournalRow[] {
    return this.#unanswered.all(...scopeValues(scope), limit)
  }

  /** Returns slips after a row, in order, whose codes the till made and the service has not taken. */
  unreported(scope: Scope, after: number, limit: number): readonly JournalRow[] {
    return this.#unreported.all(...scopeValues(scope), after, limit)
  }

  /** Returns the points of the codes that the till made on a day. */
  offlinePoints(scope: Scope, day: string): number {
    return Number(this.#offlinePoints.get(...scopeValues(scope), day)?.['points'])
  }

  /** Records what the service said of a code that the till made. */
  recordReport(intentId: string, { reportedAt, refusal }: OfflineReport): JournalRow {
    this.#recordReport.run(reportedAt, refusal, intentId)
    return this.#rowChanged(intentId, 'reported')
  }

  byIntent(intentId: string): JournalRow | null {
    return this.#byIntent.first(intentId)
  }

  /** Returns the newest slip with this code within the scope. */
  byCode(scope: Scope, code: string): Slip | null {
    return this.#byCode.first(...scopeValues(scope), code, code)?.slip ?? null
  }

  /** Returns the newest slip with this URL within the scope. */
  byUrl(scope: Scope, url: string): Slip | null {
    return this.#byUrl.first(...scopeValues(scope), url)?.slip ?? null
  }

  /** Returns the newest slips with a code within the scope, newest first. */
  newestCodes(scope: Scope, limit: number): readonly Slip[] {
    return this.#newestCodes.all(...scopeValues(scope), limit).map(({ slip }) => slip)
  }

  /** Returns the newest slip that has a code and was not discarded. */
  last(scope: Scope): JournalRow | null {
    return this.#last.first(...scopeValues(scope))
  }

  /** Adds a slip in state `requested`. Throws when the intent id exists already. */
  request(request: SlipRequest): JournalRow {
    const { intentId, customer, batch, program } = request
    transaction(this.#database, () => {
      const { lastInsertRowid } = this.#insert.run({
        intentId,
        businessId: request.businessId,
        training: Number(request.training),
        points: request.points,
        requestedCopies: request.requestedCopies,
        ...peopleValues(request),
        reference: request.reference,
        requestedAt: request.requestedAt,
        snapshot: JSON.stringify(request.snapshot),
        batchId: batch?.batchId ?? null,
        position: batch?.position ?? null,
        attempt: batch?.attempt ?? program?.attempt ?? null,
        keyed: Number(request.keyed),
        calculation: request.calculation ? JSON.stringify(request.calculation) : null
      })
      const tokens = searchTokens(customer?.name ?? '')
      if (tokens.length > 0) this.#insertTokens.run(lastInsertRowid, tokens.join(' '))
    })
    return this.#rowChanged(intentId, 'state')
  }

  /** Moves a slip to its next state. Throws `InvalidTransitionError` when its state has no such transition. */
  transition(intentId: string, event: SlipEvent, details: TransitionDetails = {}): JournalRow {
    const { slip, keyed } = this.#existing(intentId)
    const { state } = slip
    const next = nextState(state, event)
    const isUnasked = state === 'unknown' && event === 'issued' && !keyed
    if (next === null || isUnasked || (event === 'not-taken' && !isWorthless(slip)))
      throw new InvalidTransitionError(`No transition ${event} from state ${state}`)
    const { changes } = this.#transition.run({
      intentId,
      state,
      next,
      code: details.code ?? null,
      url: details.url ?? null,
      issuedAt: details.issuedAt ?? null,
      expiresAt: details.expiresAt ?? null,
      printedAt: details.printedAt ?? null,
      shownAt: details.shownAt ?? null,
      file: details.file ?? null,
      destination: json(details.destination),
      media: details.paperSize ?? null,
      endedAt: details.endedAt ?? null,
      note: details.note ?? null,
      returned: Number(details.returned ?? false),
      offlineDay: details.offlineDay ?? null,
      failure: json(details.failure)
    })
    if (changes !== 1) throw new InvalidTransitionError(`Another process changed the slip ${intentId}`)
    return this.#rowChanged(intentId, 'state')
  }

  /** Records the time at which a slip that is printed as well was on the customer display. Its state stays. */
  recordShown(intentId: string, shownAt: string): JournalRow {
    this.#recordShown.run(shownAt, intentId)
    return this.#rowChanged(intentId, 'shown')
  }

  /** Tells of the newest slip with this code, if there is one, that points of it went back; `Slip.remaining` is read from the operations. */
  recordReturn(scope: Scope, code: string): void {
    const row = this.#byCode.first(...scopeValues(scope), code, code)
    if (row === null) return
    this.#incrementRevision.run(row.number)
    this.#rowChanged(row.slip.intentId, 'collected')
  }

  /** Returns the number of copies that were printed or saved; `slip.copies` also counts those that failed. */
  countPrintedCopies({ number }: JournalRow): number {
    return Number(this.#countPrintedCopies.get(number)?.['count'])
  }

  /** Counts the next copy of a slip as printing: its number is `slip.copies` of the returned row. */
  startCopy(intentId: string, startedAt: string, { destination, paperSize }: PrinterSettings): JournalRow {
    transaction(this.#database, () => {
      const counted = this.#countCopy.get(intentId)
      if (counted === undefined) throw new InvalidTransitionError(`No slip has the intent id ${intentId}`)
      this.#insertCopy.run(
        Number(counted['number']),
        Number(counted['copies']),
        startedAt,
        JSON.stringify(destination),
        paperSize
      )
    })
    return this.#rowChanged(intentId, 'copy')
  }

  /** Ends a copy that is printing. Throws `InvalidTransitionError` when it is not. */
  endCopy(intentId: string, copyNumber: number, { endedAt, failure }: CopyOutcome): JournalRow {
    const { number: slip } = this.#existing(intentId)
    transaction(this.#database, () => {
      const { changes } = this.#endCopy.run(
        failure === null ? 'printed' : 'print-failed',
        endedAt,
        failure === null ? null : JSON.stringify(failure),
        slip,
        copyNumber
      )
      if (changes !== 1) {
        throw new InvalidTransitionError(`Copy ${String(copyNumber)} of ${intentId} is not printing`)
      }
      this.#incrementRevision.run(slip)
    })
    return this.#rowChanged(intentId, 'copy')
  }

  #existing(intentId: string): JournalRow {
    const row = this.byIntent(intentId)
    if (row === null) throw new InvalidTransitionError(`No slip has the intent id ${intentId}`)
    return row
  }

  #rowChanged(intentId: string, change: RowChange): JournalRow {
    const row = this.#existing(intentId)
    for (const listener of this.#listeners) listener.rowChanged?.(row, change)
    return row
  }
}
