/** The progress of batches, at a limited rate. */
import type { JournalListener } from '../journal/journal-listener.ts'
import type { JournalRow, RowChange, Scope } from '../journal/rows.ts'

/** Minimum time between two reports of a batch's progress. */
export const PROGRESS_INTERVAL_MS = 100

/**
 * Reports the progress of a batch while its slips change: at once, then at most every `PROGRESS_INTERVAL_MS`. Counting
 * a batch reads all its slips, so a count for each change would cost the square of its length.
 */
export class BatchProgressThrottle implements JournalListener {
  readonly #report: (scope: Scope, batchId: string) => void
  readonly #changed = new Map<string, Scope>()
  #timer: NodeJS.Timeout | null = null

  /** `report` must not throw. */
  constructor(report: (scope: Scope, batchId: string) => void) {
    this.#report = report
  }

  rowChanged(
    {
      slip,
      businessId
    }: Pick<JournalRow, 'businessId'> & { slip: Pick<JournalRow['slip'], 'batch' | 'training'> },
    change: RowChange
  ): void {
    if (slip.batch === null || change === 'collected') return
    this.#changed.set(slip.batch.batchId, { training: slip.training, businessId })
    if (this.#timer === null) this.#reportAndWait()
  }

  /** Reports the pending changes, and nothing later. */
  closing(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#reportAll()
  }

  #reportAndWait(): void {
    this.#timer =
      this.#changed.size === 0 ? null : setTimeout(() => this.#reportAndWait(), PROGRESS_INTERVAL_MS)
    this.#reportAll()
  }

  #reportAll(): void {
    for (const [batchId, scope] of this.#changed) this.#report(scope, batchId)
    this.#changed.clear()
  }
}
