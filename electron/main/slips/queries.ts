/** What the page reads of the journal: lists, searches, counts, and the export. For the current business only. */
import { ATTENTION_STATES, attentionAction, type SlipSearch } from '../../contract/slips.ts'
import { err, ok, type Result } from '../../contract/failure.ts'
import { exportSlips } from './csv-export.ts'
import { searchTokens } from './journal/history.ts'
import type { Journal, Search } from './journal/journal.ts'
import { reportOf } from './report.ts'
import { journalFailed } from './single-flight.ts'
import { scopeOf, snapshotOf, type SlipBusiness } from './slip-document.ts'
import type { Slips, SlipServiceDependencies } from './slip-service.ts'
import { dayStart } from './time-buckets.ts'

const PAGE_SIZE = 50

const pageOf = <Item>(items: readonly Item[]): { slips: readonly Item[]; hasMore: boolean } => ({
  slips: items.slice(0, PAGE_SIZE),
  hasMore: items.length > PAGE_SIZE
})

type Reading = Pick<
  Slips,
  'list' | 'exportTo' | 'report' | 'attention' | 'attentionList' | 'byCode' | 'numbers' | 'unfinishedBatches'
>

/** Makes the reading of an open journal. */
export function createReading(
  { currentBusiness, exportLocale, log }: SlipServiceDependencies,
  journal: Journal
): Reading {
  /** Without a business there is nothing to read. */
  const read = <Value>(nothing: Value, query: (business: SlipBusiness) => Value): Result<Value> => {
    const business = currentBusiness()
    if (business === null) return ok(nothing)
    try {
      return ok(query(business))
    } catch (error) {
      journalFailed(journal, log, error)
      return err({ kind: 'internal' })
    }
  }

  return {
    list: ({ offset, search = {} }) =>
      read({ slips: [], hasMore: false }, (business) => {
        const wanted = searchFor(search, snapshotOf(business).timeZone)
        const rows = journal.find(scopeOf(business), wanted, { offset, limit: PAGE_SIZE + 1 })
        return pageOf(rows.map(({ slip }) => slip))
      }),
    async exportTo(file, search) {
      const business = currentBusiness()
      if (business === null) return err({ kind: 'not-connected' })
      const { timeZone } = snapshotOf(business)
      const wanted = searchFor(search, timeZone)
      try {
        return ok(
          await exportSlips(file, { timeZone, locale: exportLocale?.() ?? business.locale }, (after, limit) =>
            journal.find(scopeOf(business), wanted, after === undefined ? { limit } : { limit, after })
          )
        )
      } catch (error) {
        log.error('slips-not-exported', { error })
        return err({ kind: 'not-saved', what: 'export' })
      }
    },
    report(range) {
      const business = currentBusiness()
      if (business === null) return err({ kind: 'not-connected' })
      try {
        return ok(reportOf(journal, scopeOf(business), range, snapshotOf(business).timeZone))
      } catch (error) {
        journalFailed(journal, log, error)
        return err({ kind: 'internal' })
      }
    },
    attention: () => read(0, (business) => journal.attention(scopeOf(business))),
    attentionList: ({ offset }) =>
      read({ slips: [], hasMore: false }, (business) => {
        const rows = journal.find(
          scopeOf(business),
          { states: ATTENTION_STATES },
          { offset, limit: PAGE_SIZE + 1 }
        )
        return pageOf(
          rows.flatMap(({ slip }) => {
            const action = attentionAction(slip)
            return action === null ? [] : [{ slip, action }]
          })
        )
      }),
    byCode(code) {
      const answer = read(null, (business) => journal.byCode(scopeOf(business), code))
      return answer.ok ? answer.value : null
    },
    numbers() {
      try {
        return journal.numbers()
      } catch (error) {
        journalFailed(journal, log, error)
        return null
      }
    },
    unfinishedBatches: () => read([], (business) => journal.unfinishedBatches(scopeOf(business)))
  }
}

/* from search.ts: From what a cashier types and picks to what the journal is asked. */

/** What of `search` the journal takes as it is. */
const same = ({ customerId, cashierId, states, batchId }: SlipSearch): Search => ({
  ...(customerId === undefined ? {} : { customerId }),
  ...(cashierId === undefined ? {} : { cashierId }),
  ...(states === undefined ? {} : { states }),
  ...(batchId === undefined ? {} : { batchId })
})

/** `timeZone`: the business's, for its days. Blank text asks for nothing. */
export function searchFor(search: SlipSearch, timeZone: string): Search {
  const text = search.text?.trim() ?? ''
  return {
    ...same(search),
    ...(text === '' ? {} : { code: text, words: searchTokens(text) }),
    ...(search.from === undefined ? {} : { from: dayStart(search.from, timeZone) }),
    ...(search.to === undefined ? {} : { until: dayStart(search.to, timeZone, 1) })
  }
}
