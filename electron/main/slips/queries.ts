/** What the page reads of the journal: lists, searches, counts, reports and the export, of the current business. */
import type { JournalStatistics } from '../../contract/diagnostics.ts'
import { err, ok, type Result } from '../../contract/failure.ts'
import { outputOf } from '../../contract/printing.ts'
import type { CustomerReference } from '../../contract/privacy.ts'
import type { CollectionGrouping, ReportRange, SlipsReport } from '../../contract/slip-report.ts'
import {
  ATTENTION_STATES,
  attentionAction,
  type AttentionSlip,
  type Batch,
  type Slip,
  type SlipSearch
} from '../../contract/slips.ts'
import { exportCollections, exportSlips } from './csv-export.ts'
import { searchTokens, type SlipCriteria } from './journal/history.ts'
import { journalFailed, type Journal } from './journal/journal.ts'
import { createSlipsReport, dayStart } from './report.ts'
import { scopeOf, type SlipBusiness, type SlipContext, snapshotOf } from './served-business.ts'

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

/** A search, with the customer whose phone its text is, if it is one. */
export interface JournalSearch extends SlipSearch {
  readonly phoneOwnerId?: string
}

/** Translates a search; days are of `timeZone`. Blank text is no condition. */
function criteriaOf(search: JournalSearch, timeZone: string): SlipCriteria {
  const { customerId, cashierId, states, batchId, from, to, phoneOwnerId } = search
  const text = search.text?.trim() ?? ''
  return {
    ...(customerId === undefined ? {} : { customerId }),
    ...(cashierId === undefined ? {} : { cashierId }),
    ...(states === undefined ? {} : { states }),
    ...(batchId === undefined ? {} : { batchId }),
    ...(text === '' ? {} : { code: text, referenceStart: text, tokens: searchTokens(text) }),
    ...(phoneOwnerId === undefined ? {} : { phoneOwnerId }),
    ...(from === undefined ? {} : { from: dayStart(from, timeZone) }),
    ...(to === undefined ? {} : { until: dayStart(to, timeZone, 1) })
  }
}

/** Each method fails with `internal` when the journal cannot be read. */
export class SlipQueries {
  readonly #dependencies: SlipContext

  constructor(dependencies: SlipContext) {
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
    return this.#read(EMPTY_PAGE, (journal, business) => {
      const page = { offset, limit: PAGE_SIZE + 1 }
      const rows = journal.history.find(
        scopeOf(business),
        { states: ATTENTION_STATES, needsAttention: true },
        page
      )
      return pageOf(
        rows.flatMap(({ slip }) => {
          const action = attentionAction(slip)
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

  /** Returns the report of a range of days; `not-connected` without a business. */
  async report(range: ReportRange): Promise<Result<SlipsReport>> {
    const { journal, business: source, log } = this.#dependencies
    const business = source.current()
    if (business === null) return err({ kind: 'not-connected' })
    try {
      const { timeZone } = snapshotOf(business)
      return ok(
        await createSlipsReport(journal, scopeOf(business), range, timeZone, source.tellsCollections())
      )
    } catch (error) {
      journalFailed(journal, log, error)
      return err({ kind: 'internal' })
    }
  }

  /** Exports the slips that match as CSV. Resolves with their number; `not-saved` when `file` cannot be written. */
  async exportTo(file: string, search: JournalSearch): Promise<Result<number>> {
    const { journal, business: source, log } = this.#dependencies
    const business = source.current()
    if (business === null) return err({ kind: 'not-connected' })
    const { timeZone } = snapshotOf(business)
    const criteria = criteriaOf(search, timeZone)
    const output = outputOf(this.#dependencies.settings.values.printer.destination)
    const options = {
      timeZone,
      locale: source.language(),
      tellsCollections: source.tellsCollections(),
      output
    }
    try {
      const count = await exportSlips(file, options, (after, limit) =>
        journal.history.find(scopeOf(business), criteria, after === undefined ? { limit } : { limit, after })
      )
      return ok(count)
    } catch (error) {
      log.error('slips-not-exported', { error })
      return err({ kind: 'not-saved', what: 'export' })
    }
  }

  /**
   * Exports which slips of a range were collected as CSV. `not-found` when that is not known; `not-saved` when `file` cannot
   * be written.
   */
  async exportCollectionsTo(file: string, range: ReportRange, by: CollectionGrouping): Promise<Result<null>> {
    const report = await this.report(range)
    if (!report.ok) return report
    if (report.value.collections === null) return err({ kind: 'not-found' })
    try {
      await exportCollections(file, report.value, by, this.#dependencies.business.language())
      return ok(null)
    } catch (error) {
      this.#dependencies.log.error('slips-not-exported', { error })
      return err({ kind: 'not-saved', what: 'export' })
    }
  }

  /** Resolves with the totals of the journal for diagnostics, or null when it cannot be read. */
  async statistics(): Promise<JournalStatistics | null> {
    const { journal, log } = this.#dependencies
    try {
      return await journal.statistics.totals()
    } catch (error) {
      journalFailed(journal, log, error)
      return null
    }
  }

  /** Returns `empty` without a business. */
  #read<Value>(empty: Value, query: (journal: Journal, business: SlipBusiness) => Value): Result<Value> {
    const { journal, log } = this.#dependencies
    const business = this.#dependencies.business.current()
    if (business === null) return ok(empty)
    try {
      return ok(query(journal, business))
    } catch (error) {
      journalFailed(journal, log, error)
      return err({ kind: 'internal' })
    }
  }
}
