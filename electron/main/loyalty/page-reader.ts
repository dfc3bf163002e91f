/** Reads the lists of the service in large pages. */
import type { Result } from '../../contract/failure.ts'
import type { Page } from '../../contract/loyalty.ts'
import type { ListPageOptions } from './list-pages.ts'

/** Page size for reading a whole list. The interface has no maximum, so a service may return less or refuse. */
const LARGE_PAGE_SIZE = 100

/** Reads one page, from 1. */
type ReadPage<Item> = (page: number, signal?: AbortSignal) => Promise<Result<Page<Item>>>

/**
 * Returns a function that reads a list in pages of LARGE_PAGE_SIZE. If the service rejects the first page, it uses the
 * service's default page size from then on.
 */
export function createPageReader<Item>(
  list: (options: ListPageOptions, signal?: AbortSignal) => Promise<Result<Page<Item>>>
): ReadPage<Item> {
  let isRejected = false
  return async (page, signal) => {
    if (!isRejected) {
      const result = await list({ page, pageSize: LARGE_PAGE_SIZE }, signal)
      if (result.ok || result.failure.kind !== 'rejected' || page !== 1) return result
      isRejected = true
    }
    return list({ page }, signal)
  }
}
