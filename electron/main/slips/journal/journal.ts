/** The journal: every slip this till was asked for, each step on disk before the next one is taken. */
import type { DatabaseSync } from 'node:sqlite'
import type { Failure } from '../../../contract/failure.ts'
import type { Slip } from '../../../contract/till.ts'
import { UNFINISHED } from './schema.ts'
import { readRow, type Face, type JournalRow } from './row.ts'
import { ATTENTION, nextState, type SlipEvent } from './states.ts'

/** Whose slips: practice and each business are kept apart. */
export interface Scope {
  readonly practice: boolean
  readonly businessId: string
}

/** A slip that is asked for, before the service knows of it. */
export interface Request extends Scope {
  readonly intentId: string
  readonly points: number
  readonly customer: Slip['customer']
  /** ISO 8601, UTC */
  readonly requestedAt: string
  readonly face: Face
}

/** What a step adds to the row; what it does not name stays as it is, save `failure`, which each step sets anew. */
export interface StepDetails {
  readonly code?: string
  readonly url?: string
  readonly issuedAt?: string
  readonly printedAt?: string
  readonly file?: string
  readonly failure?: Failure
}

/** Raised by a step that the table of states does not have: a fault of the till, never of a cashier. */
export class IllegalStep extends Error {}

/** Every method throws as SQLite does when the disk fails; what a method returned is on disk. */
export interface Journal {
  /** Writes the row of a new intent, in state `requested`. Throws when the intent id is there already. */
  request(request: Request): JournalRow
  /** Takes one step of the slip's life. Throws `IllegalStep` when its state has no such step. */
  step(intentId: string, event: SlipEvent, details?: StepDetails): JournalRow
  byIntent(intentId: string): JournalRow | null
  /** The newest slip with this code within the scope. */
  byCode(scope: Scope, code: string): Slip | null
  /** Newest first: at most `limit` slips, after the first `offset`. */
  list(scope: Scope, offset: number, limit: number): Slip[]
  /** How many slips wait for a person. */
  attention(scope: Scope): number
  /** Closing twice is harmless. */
  close(): void
}

const quoted = (states: readonly string[]): string => states.map((state) => `'${state}'`).join(', ')

/**
 * What was under way when the till stopped is found at the next start: nobody knows how it ended. Runs in a write
 * transaction even when there is nothing to end, so that a disk that takes no rows is found before the first customer.
 */
function recover(database: DatabaseSync): void {
  const stopped: Failure = { kind: 'unknown-outcome', cause: 'till-stopped' }
  const end = (from: 'requested' | 'printing', event: SlipEvent): void => {
    database
      .prepare(`UPDATE slips SET state = ?, failure = ? WHERE state = ? AND ${UNFINISHED}`)
      .run(nextState(from, event), JSON.stringify(stopped), from)
  }
  database.exec('BEGIN IMMEDIATE')
  try {
    end('requested', 'answer-lost')
    end('printing', 'print-failed')
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

/** Takes over an opened database: ends what a stopped till left under way, and prepares the statements. */
export function createJournal(database: DatabaseSync): Journal {
  recover(database)

  const insert = database.prepare(`
    INSERT INTO slips (intent_id, business_id, practice, state, points, customer_id, customer_name, requested_at, face)
    VALUES (:intentId, :businessId, :practice, 'requested', :points, :customerId, :customerName, :requestedAt, :face)
  `)
  // The old state in WHERE makes a step that raced another one change nothing, instead of overwriting it.
  const update = database.prepare(`
    UPDATE slips SET state = :next, failure = :failure, code = coalesce(:code, code), url = coalesce(:url, url),
      issued_at = coalesce(:issuedAt, issued_at), printed_at = coalesce(:printedAt, printed_at),
      file = coalesce(:file, file)
    WHERE intent_id = :intentId AND state = :state
  `)
  const selectIntent = database.prepare('SELECT * FROM slips WHERE intent_id = ?')
  const selectCode = database.prepare(`
    SELECT * FROM slips WHERE code = ? AND practice = ? AND business_id = ? ORDER BY number DESC LIMIT 1
  `)
  // The inner query walks the index alone, so a far offset reads no rows that it then drops.
  const selectPage = database.prepare(`
    SELECT * FROM slips WHERE number IN (
      SELECT number FROM slips WHERE practice = ? AND business_id = ? ORDER BY number DESC LIMIT ? OFFSET ?
    ) ORDER BY number DESC
  `)
  const countAttention = database.prepare(`
    SELECT count(*) AS count FROM slips
    WHERE practice = ? AND business_id = ? AND ${UNFINISHED} AND state IN (${quoted(ATTENTION)})
  `)

  const byIntent = (intentId: string): JournalRow | null => {
    const columns = selectIntent.get(intentId)
    return columns === undefined ? null : readRow(columns)
  }
  const existing = (intentId: string): JournalRow => {
    const row = byIntent(intentId)
    if (row === null) throw new IllegalStep(`No slip has the intent ${intentId}`)
    return row
  }

  return {
    request({ intentId, businessId, practice, points, customer, requestedAt, face }) {
      insert.run({
        intentId,
        businessId,
        practice: Number(practice),
        points,
        customerId: customer?.id ?? null,
        customerName: customer?.name ?? null,
        requestedAt,
        face: JSON.stringify(face)
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
        file: details.file ?? null,
        failure: details.failure === undefined ? null : JSON.stringify(details.failure)
      })
      if (changes !== 1) throw new IllegalStep(`Another till changed the slip ${intentId}`)
      return existing(intentId)
    },
    byIntent,
    byCode({ practice, businessId }, code) {
      const columns = selectCode.get(code, Number(practice), businessId)
      return columns === undefined ? null : readRow(columns).slip
    },
    list({ practice, businessId }, offset, limit) {
      return selectPage
        .all(Number(practice), businessId, limit, offset)
        .map((columns) => readRow(columns).slip)
    },
    attention({ practice, businessId }) {
      return Number(countAttention.get(Number(practice), businessId)?.['count'])
    },
    close() {
      if (database.isOpen) database.close()
    }
  }
}
