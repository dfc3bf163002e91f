/** Pages, as they are asked for and as they come back. */
import { err, MAX_POINTS, ok, type Failure, type InputFault, type Result } from '../../contract/failure.ts'
import {
  accountSchema,
  customerPageSchema,
  customerSchema,
  qrCodeSchema,
  rewardDetailSchema,
  rewardPageSchema,
  type Account,
  type Customer,
  type Page,
  type QrCode,
  type Reward,
  type RewardDetail,
  type SentPage
} from '../../contract/loyalty.ts'
import { createLazy } from '../lazy.ts'
import type { SendRequest, LoyaltyClientOptions } from './http-client.ts'

/** Items on a page unless told (interface document, part 8). */
const DEFAULT_PAGE_SIZE = 20

interface PageOptions {
  /** from 1 */
  readonly page: number
  /** items; the service's default of 20 when left out */
  readonly pageSize?: number
}

/** Numbers that travel as texts (interface document, part 4). The size goes only when it was asked for. */
const pageSearchParams = ({ page, pageSize }: PageOptions): Record<string, string> => ({
  pageNumber: String(page),
  ...(pageSize !== undefined && { pageSize: String(pageSize) })
})

/** Fills in what the service did not say about its page with what was asked for. */
const withPageDefaults = <Item>(asked: PageOptions, answer: Result<SentPage<Item>>): Result<Page<Item>> => {
  if (!answer.ok) return answer
  const { hasMore, currentPage, pageSize, data } = answer.value
  return ok({
    hasMore,
    currentPage: currentPage ?? asked.page,
    pageSize: pageSize ?? asked.pageSize ?? DEFAULT_PAGE_SIZE,
    data
  })
}

/* from service.ts: The nine operations of the Loyalty Points Service (interface document, part 4), one function each. */

/** What the value in `/customers/{id}` is (4.4). */
export type CustomerKeyType = 'id' | 'phone' | 'email'

/**
 * The service as the till calls it. Nothing throws or rejects: each call resolves to a value or a failure of the
 * closed union. Reads are tried three times in all, writes once. A call that its signal aborts resolves as well;
 * who aborted it drops that answer.
 */
export interface LoyaltyClient {
  /** 4.1: the customers, page by page. */
  listCustomers(asked: PageOptions, signal?: AbortSignal): Promise<Result<Page<Customer>>>
  /** 4.2: the customers whose attributes match a text, in whatever way the service matches. */
  searchCustomers(
    asked: PageOptions & { readonly text: string },
    signal?: AbortSignal
  ): Promise<Result<Page<Customer>>>
  /** 4.3, a write: `phone` in international format with its plus sign. `already-exists` when it is registered. */
  addCustomer(
    customer: { readonly name: string; readonly phone: string },
    signal?: AbortSignal
  ): Promise<Result<Customer>>
  /** 4.4: one customer. `not-found` also for a value that no path can carry. */
  customerBy(type: CustomerKeyType, value: string, signal?: AbortSignal): Promise<Result<Customer>>
  /** 4.5: the catalogue, page by page. */
  listRewards(asked: PageOptions, signal?: AbortSignal): Promise<Result<Page<Reward>>>
  /** 4.6: one reward with its dates and whether it is enabled. */
  reward(id: string, signal?: AbortSignal): Promise<Result<RewardDetail>>
  /** 4.7: the business whose token this is. */
  account(signal?: AbortSignal): Promise<Result<Account>>
  /** 4.8, a write: a new code that carries `points`, a whole number from 1 to 9,999,999. */
  createQr(points: number, signal?: AbortSignal): Promise<Result<QrCode>>
  /** 4.9: a code's points and status. */
  qr(code: string, signal?: AbortSignal): Promise<Result<QrCode>>
}

/**
 * A value as one segment of a path: `+` becomes `%2B`, `@` `%40`, `/` `%2F`. Null for what no segment can carry:
 * nothing at all (it would turn a customer into a search), and `.` and `..`, which every URL parser resolves away.
 */
const encodePathSegment = (value: string): string | null =>
  value === '' || value === '.' || value === '..' ? null : encodeURIComponent(value.toWellFormed())

const alreadyExists: Failure = { kind: 'already-exists' }
const tooMany: Failure = { kind: 'points-too-many', maximum: MAX_POINTS }
const notFound = err({ kind: 'not-found' })

const badPoints = (fault: InputFault) => err({ kind: 'invalid-input', field: 'points', fault })
const badCode = (fault: InputFault) => err({ kind: 'invalid-input', field: 'code', fault })

/** Makes the client of one service for one token; both are checked at the first call, see `createHttpClient`. */
export const createLoyaltyClient = (options: LoyaltyClientOptions): LoyaltyClient => {
  // ky, and with it Node's own fetch, is loaded for the first request: the window does not wait for it.
  const sender = createLazy(async () => (await import('./http-client.ts')).createHttpClient(options))
  const send: SendRequest = async (operation, schema, signal) =>
    (await sender.use())(operation, schema, signal)

  return {
    async listCustomers(asked, signal) {
      const operation = { method: 'GET', path: 'customers', query: pageSearchParams(asked) } as const
      return withPageDefaults(asked, await send(operation, customerPageSchema, signal))
    },

    async searchCustomers(asked, signal) {
      // The slash at the end makes this another operation than the list.
      const query = { name: asked.text.toWellFormed(), ...pageSearchParams(asked) }
      const operation = { method: 'GET', path: 'customers/', query } as const
      return withPageDefaults(asked, await send(operation, customerPageSchema, signal))
    },

    async addCustomer({ name, phone }, signal) {
      // 409 is what other services say where this one says 406; both can mean only this here.
      const refusals = { 406: alreadyExists, 409: alreadyExists }
      const operation = { method: 'POST', path: 'customers', body: { name, phone }, refusals } as const
      return send(operation, customerSchema, signal)
    },

    async customerBy(type, value, signal) {
      const segment = encodePathSegment(value)
      if (segment === null) return notFound
      return send({ method: 'GET', path: `customers/${segment}`, query: { type } }, customerSchema, signal)
    },

    async listRewards(asked, signal) {
      const operation = { method: 'GET', path: 'rewards', query: pageSearchParams(asked) } as const
      return withPageDefaults(asked, await send(operation, rewardPageSchema, signal))
    },

    async reward(id, signal) {
      const segment = encodePathSegment(id)
      if (segment === null) return notFound
      return send({ method: 'GET', path: `rewards/${segment}` }, rewardDetailSchema, signal)
    },

    async account(signal) {
      return send({ method: 'GET', path: 'account' }, accountSchema, signal)
    },

    async createQr(points, signal) {
      if (!Number.isInteger(points)) return badPoints('not-a-whole-number')
      if (points < 1) return badPoints('below-one')
      if (points > MAX_POINTS) return err(tooMany)
      const image = options.qrImageParameter()
      const query = image === null || image === '' ? {} : { [image]: '1' }
      const operation = {
        method: 'POST',
        path: 'qr',
        query,
        body: { points },
        refusals: { 406: tooMany }
      } as const
      return send(operation, qrCodeSchema, signal)
    },

    async qr(code, signal) {
      const segment = encodePathSegment(code)
      if (segment === null) return badCode(code === '' ? 'missing' : 'malformed')
      return send({ method: 'GET', path: `qr/${segment}` }, qrCodeSchema, signal)
    }
  }
}

/* from large-pages.ts: Reading a long list with few requests. */

/** Items asked for at once. The document names no maximum (part 8), so a service may give fewer, or refuse. */
const LARGE_PAGE_SIZE = 100

/** Reads one page, from 1. */
type ReadPage<Item> = (page: number, signal?: AbortSignal) => Promise<Result<Page<Item>>>

/** Asks for large pages; of a service that refuses the first one, for pages of its own size from then on. */
export function createPageReader<Item>(
  list: (asked: PageOptions, signal?: AbortSignal) => Promise<Result<Page<Item>>>
): ReadPage<Item> {
  let refused = false
  return async (page, signal) => {
    if (!refused) {
      const answer = await list({ page, pageSize: LARGE_PAGE_SIZE }, signal)
      if (answer.ok || answer.failure.kind !== 'rejected' || page !== 1) return answer
      refused = true
    }
    return list({ page }, signal)
  }
}
