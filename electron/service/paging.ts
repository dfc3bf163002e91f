/** Pages: the query parameters that ask for one, and the body that answers (interface document, parts 2, 4, 8). */
import { Refusal } from './errors.ts'

/** Interface document, part 8. */
const defaultPageNumber = 1
/** Interface document, part 8. */
const defaultPageSize = 20
/** The document does not show a maximum; a larger request is answered with this many, and says so. */
export const MAXIMUM_PAGE_SIZE = 100

export interface PageRequest {
  /** from 1 */
  readonly pageNumber: number
  readonly pageSize: number
}

/** Nine digits: no page is that far, and the offset stays an exact number. */
const wholeNumber = /^\d{1,9}$/

const read = (parameter: 'pageNumber' | 'pageSize', text: string | undefined, missing: number): number => {
  if (text === undefined) return missing
  const value = wholeNumber.test(text) ? Number(text) : 0
  if (value < 1) throw new Refusal(400, 'page-malformed', { parameter })
  return value
}

/** Reads `pageNumber` and `pageSize`: texts that carry whole numbers from 1. Refuses anything else with 400. */
export const pageRequestOf = (query: (name: string) => string | undefined): PageRequest => ({
  pageNumber: read('pageNumber', query('pageNumber'), defaultPageNumber),
  pageSize: Math.min(read('pageSize', query('pageSize'), defaultPageSize), MAXIMUM_PAGE_SIZE)
})

/** Rows to ask the database for: one more than the page holds tells whether there is another page. */
export const rowsToRead = (page: PageRequest): { limit: number; offset: number } => ({
  limit: page.pageSize + 1,
  offset: (page.pageNumber - 1) * page.pageSize
})

/** The body of a page, from rows read as `rowsToRead` says. The field that counts `data` is each list's own. */
export const pageBody = <Item>(page: PageRequest, rows: readonly Item[]) => ({
  hasMore: rows.length > page.pageSize,
  currentPage: page.pageNumber,
  pageSize: page.pageSize,
  data: rows.slice(0, page.pageSize)
})
