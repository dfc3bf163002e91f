/** Pages, as they are asked for and as they come back. */
import { ok, type Result } from '../../contract/failure.ts'
import type { Page, SentPage } from '../../contract/loyalty.ts'

/** Items on a page unless told (interface document, part 8). */
const DEFAULT_PAGE_SIZE = 20

export interface PageAsked {
  /** from 1 */
  readonly page: number
  /** items; the service's default of 20 when left out */
  readonly pageSize?: number
}

/** Numbers that travel as texts (interface document, part 4). The size goes only when it was asked for. */
export const pageQuery = ({ page, pageSize }: PageAsked): Record<string, string> => ({
  pageNumber: String(page),
  ...(pageSize !== undefined && { pageSize: String(pageSize) })
})

/** Fills in what the service did not say about its page with what was asked for. */
export const pageAnswer = <Item>(asked: PageAsked, answer: Result<SentPage<Item>>): Result<Page<Item>> => {
  if (!answer.ok) return answer
  const { hasMore, currentPage, pageSize, data } = answer.value
  return ok({
    hasMore,
    currentPage: currentPage ?? asked.page,
    pageSize: pageSize ?? asked.pageSize ?? DEFAULT_PAGE_SIZE,
    data
  })
}
