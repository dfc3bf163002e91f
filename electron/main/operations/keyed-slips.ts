/** What is asked of slips whose answer was lost. */
import type { Result } from '../../contract/failure.ts'
import type { JournalRow } from '../journal/rows.ts'

/** The slips whose codes are asked for with a key. Implemented by `PointsIssuer`. */
export interface KeyedSlips {
  /** Returns those whose answer was lost, newest first. */
  unanswered(): Result<readonly Pick<JournalRow, 'slip' | 'cashierNumber'>[]>
  /** Asks for one lost answer with its key; fails as the asking does. */
  askFor(intentId: string): Promise<Result<unknown>>
}
