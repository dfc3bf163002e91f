/** The life of each slip and batch in the log: one line for each change, told once it is on disk. */
import { codePrefix, failureDetails, type LogDetails, type LogLevel, type Logger } from '../log/log.ts'
import type { Journal } from './journal/journal.ts'
import type { JournalRow, Scope } from './journal/rows.ts'

const CALLS_FOR_A_PERSON: readonly string[] = ['unknown', 'refused', 'print-failed', 'stopped']

const levelOf = (state: string): LogLevel => (CALLS_FOR_A_PERSON.includes(state) ? 'warn' : 'info')

/** What ties the lines of one slip together; of its code only the beginning. */
const idsOf = ({ slip }: JournalRow): LogDetails => ({
  intentId: slip.intentId,
  codeBegins: codePrefix(slip.code),
  ...(slip.batch ?? {})
})

const ofSlip = (log: Logger, row: JournalRow): void => {
  const { state, points, training, destination, failure } = row.slip
  log[levelOf(state)](`slip-${state}`, {
    ...idsOf(row),
    ...(state === 'requested' ? { points, papers: row.papers, training } : {}),
    ...(state === 'printing' ? { destination: destination?.kind } : {}),
    ...(failure === null ? {} : failureDetails(failure))
  })
}

const ofCopy = (log: Logger, row: JournalRow): void => {
  const { lastCopy } = row.slip
  if (lastCopy === null) return
  log[levelOf(lastCopy.state)](`copy-${lastCopy.state}`, {
    ...idsOf(row),
    copy: lastCopy.number,
    ...(lastCopy.failure === null ? {} : failureDetails(lastCopy.failure))
  })
}

/** The same journal, writing a line for each change of a slip, a copy or a batch. */
export function logged(journal: Journal, log: Logger): Journal {
  const after = (row: JournalRow, tell: (log: Logger, row: JournalRow) => void): JournalRow => {
    tell(log, row)
    return row
  }
  return {
    ...journal,
    request: (request) => after(journal.request(request), ofSlip),
    step: (intentId, event, details) => after(journal.step(intentId, event, details), ofSlip),
    together: async (write) => after(await journal.together(write), ofSlip),
    startCopy: (intentId, startedAt, printer) =>
      after(journal.startCopy(intentId, startedAt, printer), ofCopy),
    endCopy: (intentId, number, end) => after(journal.endCopy(intentId, number, end), ofCopy),
    startBatch(start) {
      const batch = journal.startBatch(start)
      const { batchId, points, count, oneJob, state } = batch
      log.info(`batch-${state}`, { batchId, points, count, oneJob })
      return batch
    },
    setBatch(batchId, state, reason, endedAt) {
      journal.setBatch(batchId, state, reason, endedAt)
      log[levelOf(state)](`batch-${state}`, { batchId, ...(reason === null ? {} : failureDetails(reason)) })
    }
  }
}

/* from telling.ts:
 * Tells how far a batch came while its slips come one upon the other: at once, and then not more often than the page
 * can show. To count a batch is to walk all its slips; counted at each step, it would cost the square of its length.
 */

/** Milliseconds from one telling to the next. */
export const BETWEEN_TELLINGS = 100

export interface Telling {
  /** A slip of this batch came a step further. */
  changed(scope: Scope, batchId: string): void
  /** Tells what was not told yet, and nothing more. */
  close(): void
}

/** Makes the telling; `tell` must not throw. */
export function createTelling(tell: (scope: Scope, batchId: string) => void): Telling {
  const changes = new Map<string, Scope>()
  let timer: NodeJS.Timeout | null = null

  const tellAll = (): void => {
    for (const [batchId, scope] of changes) tell(scope, batchId)
    changes.clear()
  }
  const tellOrRest = (): void => {
    timer = changes.size === 0 ? null : setTimeout(tellOrRest, BETWEEN_TELLINGS)
    tellAll()
  }
  return {
    changed(scope, batchId) {
      changes.set(batchId, scope)
      if (timer === null) tellOrRest()
    },
    close() {
      if (timer !== null) clearTimeout(timer)
      timer = null
      tellAll()
    }
  }
}
