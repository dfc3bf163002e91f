/** What the parts of the slips share. */
import type { Credit } from '../../contract/credits.ts'
import type { Redemption } from '../../contract/redemptions.ts'
import type { Return } from '../../contract/returns.ts'
import type { Batch } from '../../contract/slips.ts'
import type { Journal, UnwrittenChanges } from '../journal/journal.ts'
import type { JournalListener } from '../journal/journal-listener.ts'
import type { Logger } from '../log/log.ts'
import type { RewardCatalogue } from '../rewards/reward-catalogue.ts'
import type { CurrentBusiness } from '../session/current-business.ts'
import type { RecentCustomers } from '../session/recent-customers.ts'
import type { Standings } from '../session/standings.ts'
import type { Languages, Settings } from '../settings/index.ts'
import type { Staff } from '../staff/staff.ts'

/** Hears what happens to slips: every changed row, after the change is on disk. Implemented by `SlipServices`. */
export interface SlipListener extends Pick<JournalListener, 'rowChanged' | 'operationChanged'> {
  /** Receives every changed redemption of the served business, after the change is on disk. */
  redemptionChanged(redemption: Redemption): void
  /** The same for credits. */
  creditChanged(credit: Credit): void
  /** The same for returns. */
  returnChanged(returned: Return): void
  /** Receives every changed batch of the served business, after the change is on disk; its progress at most every 100 ms. */
  batchChanged(batch: Batch): void
  /** What delays the running print job has changed; see `PrintJobs.hindered`. */
  printHindered(): void
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
  readonly business: Pick<
    CurrentBusiness,
    'current' | 'connectedId' | 'isServed' | 'isReachable' | 'ask' | 'askExtension'
  >
  readonly staff: Pick<Staff, 'state' | 'erasures' | 'endErasure'>
  readonly catalogue: Pick<RewardCatalogue, 'affordable'>
  readonly recent: Pick<RecentCustomers, 'balanceOf' | 'setBalance'>
  readonly standings: Pick<Standings, 'read'>
  readonly languages: Pick<Languages, 'screen'>
  readonly settings: Pick<Settings, 'values'>
  readonly listener: SlipListener
  readonly now: () => Date
  readonly log: Logger
}
