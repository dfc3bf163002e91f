/** What the page reads of the journal: lists, searches and counts of the current business. */
import type { Result } from '../../contract/failure.ts'
import type { CustomerReference } from '../../contract/privacy.ts'
import { attentionAction, type AttentionSlip, type Batch, type Slip } from '../../contract/slips.ts'
import { type Journal, readJournal } from '../journal/journal.ts'
import { canAskAgain } from '../journal/rows.ts'
import { criteriaOf, type JournalSearch } from '../reports/slip-search.ts'
import { scopeOf, type SlipBusiness, snapshotOf } from '../session/current-business.ts'
import type { SlipContext } from './slip-context.ts'

const PAGE_SIZE = 50
/** Enough to include the URL patterns of a service that changed its addresses lately. */
const NEWEST_CODES = 20

interface SlipPage<Item> {
  readonly slips: readonly Item[]
  readonly hasMore: boolean
}

const EMPTY_PAGE: SlipPage<never> = { slips: [], hasMore: false }

const pageOf = <Item>(items: readonly Item[]): SlipPage<Item> => ({
  slips: items.slice(0, PAGE_SIZE),
  hasMore: items.length > PAGE_SIZE
})

type SlipQueriesDependencies = Pick<SlipContext, 'journal' | 'business' | 'now' | 'log'>

/** Each method fails with `internal` when the journal cannot be read. */
export class SlipQueries {
  readonly #dependencies: SlipQueriesDependencies

  constructor(dependencies: SlipQueriesDependencies) {
    this.#dependencies = dependencies
  }

  /** Returns a page of the slips that match, newest first. */
  list({
    offset,
    search = {}
  }: {
    readonly offset: number
    readonly search?: JournalSearch
  }): Result<SlipPage<Slip>> {
    return this.#read(EMPTY_PAGE, (journal, business) => {
      const criteria = criteriaOf(search, snapshotOf(business).timeZone)
      const rows = journal.history.find(scopeOf(business), criteria, { offset, limit: PAGE_SIZE + 1 })
      return pageOf(rows.map(({ slip }) => slip))
    })
  }

  /** Returns the number of slips that need attention. */
  attention(): Result<number> {
    return this.#read(0, (journal, business) => journal.statistics.countAttention(scopeOf(business)))
  }

  /** Returns a page of the slips that need attention, newest first, each with its action. */
  attentionList({ offset }: { readonly offset: number }): Result<SlipPage<AttentionSlip>> {
    const { now } = this.#dependencies
    return this.#read(EMPTY_PAGE, (journal, business) => {
      const page = { offset, limit: PAGE_SIZE + 1 }
      const rows = journal.history.find(scopeOf(business), { needsAttention: true }, page)
      return pageOf(
        rows.flatMap((row) => {
          const { slip } = row
          const action = canAskAgain(row, now()) ? 'ask' : attentionAction(slip)
          return action === null ? [] : [{ slip, action }]
        })
      )
    })
  }

  /** Returns the newest slip with the reference of a bill, whichever program or person requested it; null if there is none. */
  newestByReference(reference: string): Result<Slip | null> {
    return this.#read(null, (journal, business) => {
      const [row] = journal.history.find(scopeOf(business), { reference }, { limit: 1 })
      return row?.slip ?? null
    })
  }

  /** Returns the customers of the newest slips, the last one first; none while the journal cannot be read. */
  served(limit: number): readonly CustomerReference[] {
    const found = this.#read([], (journal, business) => journal.history.served(scopeOf(business), limit))
    return found.ok ? found.value : []
  }

  /** Returns the slip with this code, if this till issued it. */
  byCode(code: string): Slip | null {
    const found = this.#read(null, (journal, business) => journal.slips.byCode(scopeOf(business), code))
    return found.ok ? found.value : null
  }

  /** Returns the slip with this URL, if this till issued it. */
  byUrl(url: string): Slip | null {
    const found = this.#read(null, (journal, business) => journal.slips.byUrl(scopeOf(business), url))
    return found.ok ? found.value : null
  }

  /** Returns the newest slips with a code, newest first: their URLs show where a code is in a URL of the service. */
  newestCodes(): readonly Slip[] {
    const found = this.#read([], (journal, business) =>
      journal.slips.newestCodes(scopeOf(business), NEWEST_CODES)
    )
    return found.ok ? found.value : []
  }

  unfinishedBatches(): Result<readonly Batch[]> {
    return this.#read([], (journal, business) => journal.batches.unfinished(scopeOf(business)))
  }

  /** Returns `empty` without a business. */
  #read<Value>(empty: Value, query: (journal: Journal, business: SlipBusiness) => Value): Result<Value> {
    const { journal, log } = this.#dependencies
    const business = this.#dependencies.business.current()
    return readJournal(journal, log, () => (business === null ? empty : query(journal, business)))
  }
}
