/** What was under way when the till stopped is found at the next start: nobody knows how it ended. */
import type { DatabaseSync } from 'node:sqlite'
import type { Failure } from '../../../contract/failure.ts'
import { BATCH_UNFINISHED } from './schema.ts'
import { nextState, type SlipEvent } from './states.ts'
import { transaction } from './transaction.ts'

const stopped: Failure = { kind: 'unknown-outcome', cause: 'till-stopped' }

/**
 * Ends what a stopped till left under way: slips, copies, batches. Runs in a write transaction even when there is
 * nothing to end, so that a disk that takes no rows is found before the first customer.
 */
export function recover(database: DatabaseSync): void {
  const reason = JSON.stringify(stopped)
  const end = (from: 'requested' | 'printing', event: SlipEvent): void => {
    database
      .prepare('UPDATE slips SET state = ?, failure = ?, revision = revision + 1 WHERE state = ?')
      .run(nextState(from, event), reason, from)
  }
  transaction(database, () => {
    end('requested', 'answer-lost')
    end('printing', 'print-failed')
    database
      .prepare(`UPDATE copies SET state = 'print-failed', failure = ? WHERE state = 'printing'`)
      .run(reason)
    database
      .prepare(
        `UPDATE batches SET state = 'stopped', reason = ? WHERE state = 'running' AND ${BATCH_UNFINISHED}`
      )
      .run(reason)
  })
}
