/** The client of the Loyalty Points Service: one method for each of its nine operations, and for those of the extension. */
import * as v from 'valibot'
import { err, type InputFault, mapResult, ok, type Result } from '../../contract/failure.ts'
import {
  type Account,
  accountSchema,
  type CollectionPage,
  collectionPageSchema,
  type CreditedAnswer,
  creditedAnswerSchema,
  type Customer,
  customerPageSchema,
  customerSchema,
  type NewQrCode,
  newQrCodeSchema,
  type Page,
  type QrCode,
  qrCodeSchema,
  type RedeemedAnswer,
  redeemedAnswerSchema,
  type ReversedAnswer,
  type ReversedCredit,
  reversedCreditSchema,
  reversedAnswerSchema,
  type ReturnedAnswer,
  returnedAnswerSchema,
  type Reward,
  type RewardDetail,
  rewardDetailSchema,
  rewardPageSchema,
  type SentPage
} from '../../contract/loyalty.ts'
import {
  type OfflineKeyAnswer,
  offlineKeyAnswerSchema,
  type OfflineReportAnswer,
  offlineReportAnswerSchema
} from '../../contract/offline.ts'
import {
  type RulesAnswer,
  rulesAnswerSchema,
  type Standing,
  standingSchema
} from '../../contract/earning-rules.ts'
import { pointsFailure, type Calculation } from '../../contract/points-calculation.ts'
import { createLazy } from '../lazy.ts'
import { isCodeUsed } from './code-status.ts'
import { parseBaseUrl } from './credentials.ts'
import type { LoyaltyClientOptions, Operation, RequestObserver, SendRequest } from './http-client.ts'
import { type ListPageOptions, pageSearchParams, withPageDefaults } from './list-pages.ts'
import type { ReportedOfflineCode, SentCashier } from './sent-cashier.ts'

/**
 * Encodes a value as one path segment: `+` as `%2B`, `@` as `%40`, `/` as `%2F`. Null for values that no segment can
 * contain: an empty text, which would address the list, and `.` and `..`, which URL parsers resolve.
 */
const encodePathSegment = (value: string): string | null =>
  value === '' || value === '.' || value === '..' ? null : encodeURIComponent(value.toWellFormed())

/** The end of a code, which the interface document lacks, is told in a header (docs/service-extension.md). */
const COLLECT_UNTIL = { name: 'collect-until', field: 'expiresAt' }

/** The shop's time by its service, which `ServiceClock` compares. */
const LOCAL_TIME = { name: 'local-time', field: null }

/** Why something is undone, and by whom. */
interface ReversalBody {
  readonly reason: string
  readonly cashier?: SentCashier
}

/** What a till says of a sale. */
type SentSale = Partial<Calculation> & {
  readonly reference: string | null
  readonly cashier: SentCashier | null
}

const forgottenCashierSchema = v.object({ number: v.number() })

const linkedDeviceSchema = v.object({ device: v.string() })

/** The type of the value in `GET /customers/{id}`. */
export type CustomerKeyType = 'id' | 'phone' | 'email'

/** The failure of a response to a write that is not its answer. */
const NO_ANSWER = err({ kind: 'unknown-outcome', cause: 'bad-response' })
const notFound = err({ kind: 'not-found' })

const invalidCode = (fault: InputFault) => err({ kind: 'invalid-input', field: 'code', fault })

/**
 * Client of one service with one token, both of which are checked at the first request. No method rejects: failures are
 * those of contract/failure.ts. Reads are sent up to three times, writes once. An aborted call resolves as well; the
 * caller ignores the result.
 */
export class LoyaltyClient {
  readonly #options: LoyaltyClientOptions
  /** Loaded at the first request: importing ky initializes Node's fetch, which would delay the window. */
  readonly #http = createLazy(async () => (await import('./http-client.ts')).createHttpClient(this.#options))

  /** Whatever is at the address of the extension, the nine operations go on: it is not reported to the observer. */
  readonly #extension = createLazy(() => this.#createExtension(undefined))

  /** Codes are issued all day, as by `POST /qr`: a lost one tells that the service is silent. */
  readonly #codes = createLazy(() => this.#createExtension(this.#options.observer))

  constructor(options: LoyaltyClientOptions) {
    this.#options = options
  }

  /** `GET /customers`: the customers, page by page. */
  async listCustomers(options: ListPageOptions, signal?: AbortSignal): Promise<Result<Page<Customer>>> {
    const operation = { method: 'GET', path: 'customers', query: pageSearchParams(options) } as const
    return this.#page(options, operation, await this.#send(operation, customerPageSchema, signal))
  }

  /** `GET /customers/`: the customers that match a text. The service decides how it matches. */
  async searchCustomers(
    options: ListPageOptions & { readonly text: string },
    signal?: AbortSignal
  ): Promise<Result<Page<Customer>>> {
    const query = { name: options.text.toWellFormed(), ...pageSearchParams(options) }
    // The trailing slash distinguishes the search from the list.
    const operation = { method: 'GET', path: 'customers/', query } as const
    return this.#page(options, operation, await this.#send(operation, customerPageSchema, signal))
  }

  /**
   * `POST /customers`, a write: `phone` in E.164 format. Fails with `rejected` and status 406 if the phone is
   * registered.
   */
  async addCustomer(
    { name, phone }: { readonly name: string; readonly phone: string },
    signal?: AbortSignal
  ): Promise<Result<Customer>> {
    return this.#send({ method: 'POST', path: 'customers', body: { name, phone } }, customerSchema, signal)
  }

  /** `GET /customers/{id}`: one customer. Fails with `not-found` also for a value that no path can contain. */
  async customerBy(type: CustomerKeyType, value: string, signal?: AbortSignal): Promise<Result<Customer>> {
    const segment = encodePathSegment(value)
    if (segment === null) return notFound
    return this.#send(
      { method: 'GET', path: `customers/${segment}`, query: { type } },
      customerSchema,
      signal
    )
  }

  /** `GET /rewards`: the rewards, page by page. */
  async listRewards(options: ListPageOptions, signal?: AbortSignal): Promise<Result<Page<Reward>>> {
    const operation = { method: 'GET', path: 'rewards', query: pageSearchParams(options) } as const
    return this.#page(options, operation, await this.#send(operation, rewardPageSchema, signal))
  }

  /** `GET /rewards/{id}`: one reward with its dates and whether it is enabled. */
  async reward(id: string, signal?: AbortSignal): Promise<Result<RewardDetail>> {
    const segment = encodePathSegment(id)
    if (segment === null) return notFound
    return this.#send({ method: 'GET', path: `rewards/${segment}` }, rewardDetailSchema, signal)
  }

  /** `GET /account`: the business of this token. */
  async account(signal?: AbortSignal): Promise<Result<Account>> {
    const operation = { method: 'GET', path: 'account', answerHeader: LOCAL_TIME } as const
    return this.#send(operation, accountSchema, signal)
  }

  /**
   * `POST /qr`, a write: creates a code with `points`, a whole number from 1 to MAX_POINTS. Requests no image: the till
   * draws the code itself, on the dots of the printer. Fails with `rejected` if the service refuses so many points for
   * another reason.
   */
  async createQr(points: number, signal?: AbortSignal): Promise<Result<NewQrCode>> {
    const failure = pointsFailure(points)
    if (failure !== null) return err(failure)
    const operation = { method: 'POST', path: 'qr', body: { points }, answerHeader: COLLECT_UNTIL } as const
    const created = await this.#send(operation, newQrCodeSchema, signal)
    return created.ok && isCodeUsed(created.value) === true ? NO_ANSWER : created
  }

  /** `POST /ext/codes`, a write with a key: as `createQr`; asked again with its key it gives the first code. */
  async issueCode(
    idempotencyKey: string,
    asked: { readonly points: number } & SentSale
  ): Promise<Result<NewQrCode>> {
    const failure = pointsFailure(asked.points)
    if (failure !== null) return err(failure)
    const post = { method: 'POST', path: 'codes', answerHeader: COLLECT_UNTIL } as const
    const operation = { ...post, body: asked, idempotencyKey }
    const issued = await (await this.#codes.get())(operation, newQrCodeSchema)
    return issued.ok && isCodeUsed(issued.value) === true ? NO_ANSWER : issued
  }

  /** `GET /qr/{id}`: the points and the status of a code. */
  async qr(code: string, signal?: AbortSignal): Promise<Result<QrCode>> {
    const segment = encodePathSegment(code)
    if (segment === null) return invalidCode(code === '' ? 'missing' : 'malformed')
    const operation = { method: 'GET', path: `qr/${segment}`, answerHeader: COLLECT_UNTIL } as const
    return this.#send(operation, qrCodeSchema, signal)
  }

  /**
   * `GET /ext/collections`, one request: the codes of the business that were collected, or whose points were taken back,
   * since a moment (ISO 8601, UTC) or the `next` of the page before.
   */
  async collections(since: string, signal?: AbortSignal): Promise<Result<CollectionPage>> {
    const operation = { method: 'GET', path: 'collections', query: { since } } as const
    const read = await this.#ask(operation, collectionPageSchema, signal)
    if (read.ok && read.value.leftOut > 0) {
      this.#options.log?.warn('collections-left-out', { items: read.value.leftOut })
    }
    return read
  }

  /**
   * `POST /ext/redemptions`, a write with a key, which makes it safe to send again: takes the cost of a reward from a customer.
   * An answer that names another reward or cost is none: `unknown-outcome`. Fails with `operation-refused` or `not-offered`.
   */
  async redeem(
    idempotencyKey: string,
    asked: {
      readonly customer: string
      readonly reward: string
      readonly cost: number
      readonly cashier?: SentCashier
    }
  ): Promise<Result<RedeemedAnswer>> {
    const operation = { method: 'POST', path: 'redemptions', body: asked, idempotencyKey } as const
    const answer = await this.#ask(operation, redeemedAnswerSchema)
    if (!answer.ok) return answer
    const { reward, cost } = answer.value
    return reward === asked.reward && cost === asked.cost ? answer : NO_ANSWER
  }

  /** `POST /ext/redemptions/{id}/reversal`, a write with a key of its own: gives the points back. Fails as `redeem`. */
  async reverseRedemption(
    idempotencyKey: string,
    { redemption, ...body }: { readonly redemption: string } & ReversalBody
  ): Promise<Result<ReversedAnswer>> {
    const answer = await this.#reverse(idempotencyKey, 'redemptions', redemption, body, reversedAnswerSchema)
    return !answer.ok || answer.value.redemption === redemption ? answer : NO_ANSWER
  }

  /** `POST /ext/credits`, a write with a key: gives points to a customer. An answer for another one or other points is none. */
  async credit(
    idempotencyKey: string,
    asked: {
      readonly customer: string
      readonly points: number
      readonly approved?: boolean
    } & SentSale
  ): Promise<Result<CreditedAnswer>> {
    const operation = { method: 'POST', path: 'credits', body: asked, idempotencyKey } as const
    const answer = await this.#ask(operation, creditedAnswerSchema)
    if (!answer.ok) return answer
    const { customer, points } = answer.value
    return customer === asked.customer && points === asked.points ? answer : NO_ANSWER
  }

  /** `POST /ext/credits/{id}/reversal`, a write with a key of its own: takes the points back. Fails as `redeem`. */
  async reverseCredit(
    idempotencyKey: string,
    { credit, ...body }: { readonly credit: string } & ReversalBody
  ): Promise<Result<ReversedCredit>> {
    const answer = await this.#reverse(idempotencyKey, 'credits', credit, body, reversedCreditSchema)
    return !answer.ok || answer.value.credit === credit ? answer : NO_ANSWER
  }

  /** `POST /ext/returns`, a write with a key: takes points of a purchase back. Fails as `redeem`. */
  async takeBack(
    idempotencyKey: string,
    asked: {
      readonly code?: string
      readonly credit?: string
      readonly reference?: string
      readonly points?: number
      readonly amount?: { readonly returned: string; readonly total: string }
      readonly rest?: true
      readonly reason: string | null
      readonly cashier: SentCashier | null
    }
  ): Promise<Result<ReturnedAnswer>> {
    const operation = { method: 'POST', path: 'returns', body: asked, idempotencyKey } as const
    const answer = await this.#ask(operation, returnedAnswerSchema)
    return !answer.ok || asked.points === undefined || answer.value.points === asked.points
      ? answer
      : NO_ANSWER
  }

  /** @param id of what is reversed, in `list` */
  async #reverse<Answer>(
    idempotencyKey: string,
    list: string,
    id: string,
    body: ReversalBody,
    schema: v.GenericSchema<unknown, Answer>
  ): Promise<Result<Answer>> {
    const segment = encodePathSegment(id)
    if (segment === null) return notFound
    const path = `${list}/${segment}/reversal`
    return this.#ask({ method: 'POST', path, body: { ...body }, idempotencyKey }, schema)
  }

  /**
   * `POST /ext/customer-codes`: uses up the code that a phone shows, as scanned. Fails with `invalid-input` for one that gives no
   * customer. A lost answer is a `timeout`: the phone shows another code.
   */
  async customerOfCode(code: string, signal?: AbortSignal): Promise<Result<Customer>> {
    const operation = { method: 'POST', path: 'customer-codes', body: { code } } as const
    const answer = await this.#ask(operation, customerSchema, signal)
    return answer.ok || answer.failure.kind !== 'unknown-outcome' ? answer : err({ kind: 'timeout' })
  }

  /** `POST /ext/cashiers/{number}/erasure`: forgets the name of a cashier; again without effect. */
  async forgetCashier({ number, name }: SentCashier): Promise<Result<null>> {
    const operation = { method: 'POST', path: `cashiers/${String(number)}/erasure`, body: { name } } as const
    return mapResult(await this.#ask(operation, forgottenCashierSchema), () => null)
  }

  /** `POST /ext/offline-keys`: gives a key for codes without a connection, or renews it. @param asked what the till has */
  async offlineKey(asked: {
    readonly key?: string
    readonly ticket?: string
  }): Promise<Result<OfflineKeyAnswer>> {
    const operation = { method: 'POST', path: 'offline-keys', body: asked } as const
    return this.#ask(operation, offlineKeyAnswerSchema)
  }

  /** `POST /ext/offline-codes`: reports at most 500 codes that the till made; again without effect. */
  async reportOfflineCodes(
    codes: readonly ReportedOfflineCode[]
  ): Promise<Result<OfflineReportAnswer['data']>> {
    const operation = { method: 'POST', path: 'offline-codes', body: { codes } } as const
    return mapResult(await this.#ask(operation, offlineReportAnswerSchema), ({ data }) => data)
  }

  /** `GET /ext/rules`: the shop's rules of what earns points. */
  async earningRules(): Promise<Result<RulesAnswer>> {
    return this.#ask({ method: 'GET', path: 'rules' }, rulesAnswerSchema)
  }

  /** `GET /ext/customers/{id}/standing`: what a customer has by the shop's rules. */
  async standing(id: string, signal?: AbortSignal): Promise<Result<Standing>> {
    const segment = encodePathSegment(id)
    if (segment === null) return notFound
    return this.#ask({ method: 'GET', path: `customers/${segment}/standing` }, standingSchema, signal)
  }

  /** `POST /ext/devices`: links the phone that shows six digits to a customer; again without effect. */
  async linkDevice(asked: { readonly customer: string; readonly digits: string }): Promise<Result<null>> {
    const operation = { method: 'POST', path: 'devices', body: asked } as const
    const answer = await this.#ask(operation, linkedDeviceSchema)
    if (!answer.ok) return answer.failure.kind === 'unknown-outcome' ? err({ kind: 'timeout' }) : answer
    return ok(null)
  }

  async #createExtension(observer: RequestObserver | undefined): Promise<SendRequest> {
    const { createHttpClient } = await import('./http-client.ts')
    const { baseUrl: base } = this.#options
    const parsed = parseBaseUrl(base)
    const baseUrl = parsed.ok ? new URL('/ext', parsed.value).href : base
    return createHttpClient({ ...this.#options, baseUrl, observer, readRetries: 0 })
  }

  #page<Item>(
    options: ListPageOptions,
    { path }: Operation,
    sent: Result<SentPage<Item>>
  ): Result<Page<Item>> {
    if (!sent.ok) return sent
    const { leftOut } = sent.value
    if (leftOut > 0) this.#options.log?.warn('rows-left-out', { path, page: options.page, rows: leftOut })
    return ok(withPageDefaults(options, sent.value))
  }

  readonly #ask: SendRequest = async (operation, schema, signal) =>
    (await this.#extension.get())(operation, schema, signal)

  readonly #send: SendRequest = async (operation, schema, signal) =>
    (await this.#http.get())(operation, schema, signal)
}
