/** What the parts of the slip service share. */
import type { Batch, Slip } from '../../contract/slips.ts'
import type { Logger } from '../log/log.ts'
import type { Settings } from '../settings/index.ts'
import type { Journal } from './journal/journal.ts'
import type { BusinessSource } from './served-business.ts'
import type { UnwrittenChanges } from './unwritten-changes.ts'

/** Hears what happens to slips. Implemented by `SlipServices`. */
export interface SlipListener {
  /** Receives every changed slip, after the change is on disk. */
  slipChanged(slip: Slip): void
  /** Receives every changed batch, after the change is on disk; its progress at most every 100 ms. */
  batchChanged(batch: Batch): void
  /** Receives how far the till's clock is ahead of the service with each code, as `clockDifference` returns it. */
  clockCompared(differenceMs: number): void
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
