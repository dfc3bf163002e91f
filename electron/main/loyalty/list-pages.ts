/** A page of a list, as the client asks for it and completes it. */
import type { Page, SentPage } from '../../contract/loyalty.ts'

/** The service's default page size (`GET /customers`, `GET /rewards`). */
const DEFAULT_PAGE_SIZE = 20

/** Which page of a list is asked for. */
export interface ListPageOptions {
  /** from 1 */
  readonly page: number
  /** default: DEFAULT_PAGE_SIZE */
  readonly pageSize?: number
}

/** Formats numbers as texts, as query parameters are. */
export const pageSearchParams = ({ page, pageSize }: ListPageOptions): Record<string, string> => ({
  pageNumber: String(page),
  ...(pageSize !== undefined && { pageSize: String(pageSize) })
})

/**
 * Completes a page from the request. Without `hasMore` a full page may be followed by another one. A service may limit the
 * page size without sending it, so a page of the default size counts as full.
 */
export const withPageDefaults = <Item>(requested: ListPageOptions, sent: SentPage<Item>): Page<Item> => {
  const { hasMore, currentPage, data, leftOut } = sent
  const pageSize = sent.pageSize ?? requested.pageSize ?? DEFAULT_PAGE_SIZE
  return {
    hasMore: hasMore ?? data.length + leftOut >= Math.min(pageSize, DEFAULT_PAGE_SIZE),
    currentPage: currentPage ?? requested.page,
    pageSize,
    data
  }
}
