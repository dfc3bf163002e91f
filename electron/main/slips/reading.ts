/** What the page reads of the journal: lists, searches, counts, and the export. For the current business only. */
import { ATTENTION_STATES, attentionAction } from '../../contract/attention.ts'
import { err, ok, type Result } from '../../contract/failure.ts'
import { faceOf, scopeOf, type SlipBusiness } from './business.ts'
import { exportSlips } from './history/export.ts'
import { searchFor } from './history/search.ts'
import type { Journal } from './journal/journal.ts'
import type { Slips, SlipsOptions } from './options.ts'
import { reportOf } from './report/report.ts'
import { journalFailed } from './work.ts'

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
export function createReading({ currentBusiness, log }: SlipsOptions, journal: Journal): Reading {
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
        const wanted = searchFor(search, faceOf(business).timeZone)
        const rows = journal.find(scopeOf(business), wanted, { offset, limit: PAGE_SIZE + 1 })
        return pageOf(rows.map(({ slip }) => slip))
      }),
    async exportTo(file, search) {
      const business = currentBusiness()
      if (business === null) return err({ kind: 'not-connected' })
      const { timeZone } = faceOf(business)
      const wanted = searchFor(search, timeZone)
      try {
        return ok(
          await exportSlips(file, timeZone, (after, limit) =>
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
        return ok(reportOf(journal, scopeOf(business), range, faceOf(business).timeZone))
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
