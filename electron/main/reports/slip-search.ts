/** A search of the page, as the journal takes it. */
import type { SlipSearch } from '../../contract/slips.ts'
import { searchTokens, type SlipCriteria } from '../journal/history.ts'
import { dayStart } from './time-buckets.ts'

/** A search, with the customer whose phone its text is, if it is one. */
export interface JournalSearch extends SlipSearch {
  readonly phoneOwnerId?: string
}

/** Returns the criteria of a search; days are of `timeZone`. Blank text is no condition. */
export function criteriaOf(search: JournalSearch, timeZone: string): SlipCriteria {
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
