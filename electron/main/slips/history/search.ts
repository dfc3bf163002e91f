/** From what a cashier types and picks to what the journal is asked. */
import type { SlipSearch } from '../../../contract/history.ts'
import type { Search } from '../journal/journal.ts'
import { wordsOf } from '../journal/words.ts'
import { dayStart } from './days.ts'

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
    ...(text === '' ? {} : { code: text, words: wordsOf(text) }),
    ...(search.from === undefined ? {} : { from: dayStart(search.from, timeZone) }),
    ...(search.to === undefined ? {} : { until: dayStart(search.to, timeZone, 1) })
  }
}
