/** The copies of a slip: papers beside the first one, each counted before it moves. */
import type { DatabaseSync } from 'node:sqlite'
import type { Failure } from '../../../contract/failure.ts'
import type { PrinterSettings } from '../../../contract/printing.ts'
import { IllegalStep, type SlipRows } from './slips.ts'
import type { JournalRow } from './row.ts'
import { transaction } from './transaction.ts'

/** How a copy ended. */
export interface CopyEnd {
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
    if (row === null) throw new IllegalStep(`No slip has the intent ${intentId}`)
    return row
  }

  return {
    startCopy(intentId, startedAt, { destination, paper }) {
      transaction(database, () => {
        const counted = count.get(intentId)
        if (counted === undefined) throw new IllegalStep(`No slip has the intent ${intentId}`)
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
        if (changes !== 1) throw new IllegalStep(`Copy ${String(number)} of ${intentId} is not on its way`)
        touch.run(slip)
      })
      return existing(intentId)
    }
  }
}
