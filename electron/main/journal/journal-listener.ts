/** Hears of the changes of a journal. */
import type { Failure } from '../../contract/failure.ts'
import type { Batch, BatchState } from '../../contract/slips.ts'
import type { OperationRow, OperationState } from './operation-row.ts'
import type { JournalRow, RowChange } from './rows.ts'

/** Receives each change of the journal once it is on disk. Must not throw. */
export interface JournalListener {
  rowChanged?(row: JournalRow, change: RowChange): void
  batchStarted?(batch: Batch): void
  /** @param before null: it was requested, or requested again */
  operationChanged?(row: OperationRow, before: OperationState | null): void
  batchStateChanged?(batchId: string, state: BatchState, reason: Failure | null): void
  /** The journal is about to close; it can still be read. */
  closing?(): void
}
