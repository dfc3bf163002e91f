/** Log entries for each change of the journal. */
import type { Failure } from '../../contract/failure.ts'
import type { OperationRow } from './operation-row.ts'
import type { Batch, BatchState } from '../../contract/slips.ts'
import { codePrefix, failureDetails, type LogDetails, type Logger, type LogLevel } from '../log/log.ts'
import type { JournalListener } from './journal-listener.ts'
import type { JournalRow, RowChange } from './rows.ts'

const WARNING_STATES: readonly string[] = ['unknown', 'refused', 'print-failed', 'stopped']

const levelOf = (state: string): LogLevel => (WARNING_STATES.includes(state) ? 'warn' : 'info')

/** The ids that connect the entries of one slip; of its code only the beginning. A bill's reference may name a customer. */
const idsOf = ({ slip }: JournalRow): LogDetails => ({
  intentId: slip.intentId,
  codeBegins: codePrefix(slip.code),
  ...(slip.batch ?? {}),
  ...(slip.caller === null ? {} : { caller: slip.caller.name })
})

/** Logs each change of a slip, a copy or a batch. */
export class JournalLogger implements JournalListener {
  readonly #log: Logger

  constructor(log: Logger) {
    this.#log = log
  }

  rowChanged(row: JournalRow, change: RowChange): void {
    if (change === 'state') this.#logSlip(row)
    else if (change === 'copy') this.#logCopy(row)
  }

  operationChanged({ key, kind, undoes, state, training, failure }: OperationRow): void {
    this.#log[levelOf(state)](`${kind}-${state}`, {
      intentId: undoes ?? key,
      ...(state === 'requested' ? { training } : {}),
      ...(failure === null ? {} : failureDetails(failure))
    })
  }

  batchStarted({ batchId, points, count, oneJob, state }: Batch): void {
    this.#log.info(`batch-${state}`, { batchId, points, count, oneJob })
  }

  batchStateChanged(batchId: string, state: BatchState, reason: Failure | null): void {
    this.#log[levelOf(state)](`batch-${state}`, {
      batchId,
      ...(reason === null ? {} : failureDetails(reason))
    })
  }

  #logSlip(row: JournalRow): void {
    const { state, points, training, destination, failure } = row.slip
    this.#log[levelOf(state)](`slip-${state}`, {
      ...idsOf(row),
      ...(state === 'requested' ? { points, copies: row.requestedCopies, training } : {}),
      ...(state === 'printing' ? { destination: destination?.kind } : {}),
      ...(failure === null ? {} : failureDetails(failure))
    })
  }

  #logCopy(row: JournalRow): void {
    const { lastCopy } = row.slip
    if (lastCopy === null) return
    this.#log[levelOf(lastCopy.state)](`copy-${lastCopy.state}`, {
      ...idsOf(row),
      copy: lastCopy.number,
      ...(lastCopy.failure === null ? {} : failureDetails(lastCopy.failure))
    })
  }
}
