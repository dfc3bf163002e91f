/** What the parts of the slip service share. */
import type { Batch } from '../../contract/slips.ts'
import type { Logger } from '../log/log.ts'
import type { Settings } from '../settings/index.ts'
import type { Journal, UnwrittenChanges } from './journal/journal.ts'
import type { JournalListener } from './journal/rows.ts'
import type { BusinessSource } from './served-business.ts'

/** Hears what happens to slips: every changed row, after the change is on disk. Implemented by `SlipServices`. */
export interface SlipListener extends Pick<JournalListener, 'rowChanged' | 'redemptionChanged'> {
  /** Receives every changed batch, after the change is on disk; its progress at most every 100 ms. */
  batchChanged(batch: Batch): void
  /** Receives how far the till's clock is ahead of the service with each code, as `clockDifference` returns it. */
  clockCompared(differenceMs: number): void
  /** Every code that was collected is in the journal now. */
  collectionsRead(): void
  /** The journal turned out to be damaged while it is open; the next start replaces it. */
  journalDamaged(): void
}

/** Each part takes it, with what it needs besides. */
export interface SlipContext {
  readonly journal: Journal
  /** keeps the outcomes that the disk did not take: the next call with their intent calls no service */
  readonly unwritten: UnwrittenChanges
  readonly business: BusinessSource
  readonly settings: Pick<Settings, 'values'>
  readonly listener: SlipListener
  readonly now: () => Date
  readonly log: Logger
}
