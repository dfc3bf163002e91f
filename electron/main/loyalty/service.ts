/** The nine operations of the Loyalty Points Service (interface document, part 4), one function each. */
import { err, MAX_POINTS, type Result, type Failure, type InputFault } from '../../contract/failure.ts'
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
  type RewardDetail
} from '../../contract/loyalty.ts'
import { createLazy } from '../lazy.ts'
import { segmentOf } from './operation.ts'
import { pageAnswer, pageQuery, type PageAsked } from './paging.ts'
import type { Send, ServiceOptions } from './requests.ts'

/** What the value in `/customers/{id}` is (4.4). */
export type CustomerKey = 'id' | 'phone' | 'email'

/**
 * The service as the till calls it. Nothing throws or rejects: each call resolves to a value or a failure of the
 * closed union. Reads are tried three times in all, writes once. A call that its signal aborts resolves as well;
 * who aborted it drops that answer.
 */
export interface LoyaltyService {
  /** 4.1: the customers, page by page. */
  listCustomers(asked: PageAsked, signal?: AbortSignal): Promise<Result<Page<Customer>>>
  /** 4.2: the customers whose attributes match a text, in whatever way the service matches. */
  searchCustomers(
    asked: PageAsked & { readonly text: string },
    signal?: AbortSignal
  ): Promise<Result<Page<Customer>>>
  /** 4.3, a write: `phone` in international format with its plus sign. `already-exists` when it is registered. */
  addCustomer(
    customer: { readonly name: string; readonly phone: string },
    signal?: AbortSignal
  ): Promise<Result<Customer>>
  /** 4.4: one customer. `not-found` also for a value that no path can carry. */
  customerBy(type: CustomerKey, value: string, signal?: AbortSignal): Promise<Result<Customer>>
  /** 4.5: the catalogue, page by page. */
  listRewards(asked: PageAsked, signal?: AbortSignal): Promise<Result<Page<Reward>>>
  /** 4.6: one reward with its dates and whether it is enabled. */
  reward(id: string, signal?: AbortSignal): Promise<Result<RewardDetail>>
  /** 4.7: the business whose token this is. */
  account(signal?: AbortSignal): Promise<Result<Account>>
  /** 4.8, a write: a new code that carries `points`, a whole number from 1 to 9,999,999. */
  createQr(points: number, signal?: AbortSignal): Promise<Result<QrCode>>
  /** 4.9: a code's points and status. */
  qr(code: string, signal?: AbortSignal): Promise<Result<QrCode>>
}

const alreadyExists: Failure = { kind: 'already-exists' }
const tooMany: Failure = { kind: 'points-too-many', maximum: MAX_POINTS }
const notFound = err({ kind: 'not-found' })

const badPoints = (fault: InputFault) => err({ kind: 'invalid-input', field: 'points', fault })
const badCode = (fault: InputFault) => err({ kind: 'invalid-input', field: 'code', fault })

/** Makes the client of one service for one token; both are checked at the first call, see `createSender`. */
export const createLoyaltyService = (options: ServiceOptions): LoyaltyService => {
  // ky, and with it Node's own fetch, is loaded for the first request: the window does not wait for it.
  const sender = createLazy(async () => (await import('./requests.ts')).createSender(options))
  const send: Send = async (operation, schema, signal) => (await sender.use())(operation, schema, signal)

  return {
    async listCustomers(asked, signal) {
      const operation = { method: 'GET', path: 'customers', query: pageQuery(asked) } as const
      return pageAnswer(asked, await send(operation, customerPageSchema, signal))
    },

    async searchCustomers(asked, signal) {
      // The slash at the end makes this another operation than the list.
      const query = { name: asked.text.toWellFormed(), ...pageQuery(asked) }
      const operation = { method: 'GET', path: 'customers/', query } as const
      return pageAnswer(asked, await send(operation, customerPageSchema, signal))
    },

    async addCustomer({ name, phone }, signal) {
      // 409 is what other services say where this one says 406; both can mean only this here.
      const refusals = { 406: alreadyExists, 409: alreadyExists }
      const operation = { method: 'POST', path: 'customers', body: { name, phone }, refusals } as const
      return send(operation, customerSchema, signal)
    },

    async customerBy(type, value, signal) {
      const segment = segmentOf(value)
      if (segment === null) return notFound
      return send({ method: 'GET', path: `customers/${segment}`, query: { type } }, customerSchema, signal)
    },

    async listRewards(asked, signal) {
      const operation = { method: 'GET', path: 'rewards', query: pageQuery(asked) } as const
      return pageAnswer(asked, await send(operation, rewardPageSchema, signal))
    },

    async reward(id, signal) {
      const segment = segmentOf(id)
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
      const segment = segmentOf(code)
      if (segment === null) return badCode(code === '' ? 'missing' : 'malformed')
      return send({ method: 'GET', path: `qr/${segment}` }, qrCodeSchema, signal)
    }
  }
}
