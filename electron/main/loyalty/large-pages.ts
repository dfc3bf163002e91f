/** Reading a long list with few requests. */
import type { Result } from '../../contract/failure.ts'
import type { Page } from '../../contract/loyalty.ts'
import type { PageAsked } from './paging.ts'

/** Items asked for at once. The document names no maximum (part 8), so a service may give fewer, or refuse. */
export const LARGE_PAGE = 100

/** Reads one page, from 1. */
export type ReadPage<Item> = (page: number, signal?: AbortSignal) => Promise<Result<Page<Item>>>

/** Asks for large pages; of a service that refuses the first one, for pages of its own size from then on. */
export function inLargePages<Item>(
  list: (asked: PageAsked, signal?: AbortSignal) => Promise<Result<Page<Item>>>
): ReadPage<Item> {
  let refused = false
  return async (page, signal) => {
    if (!refused) {
      const answer = await list({ page, pageSize: LARGE_PAGE }, signal)
      if (answer.ok || answer.failure.kind !== 'rejected' || page !== 1) return answer
      refused = true
    }
    return list({ page }, signal)
  }
}
