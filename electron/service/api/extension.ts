/**
 * What the service offers tills beside the nine operations: redeeming a reward, and which codes were collected.
 * `docs/service-extension.md` describes it. `GET /account` lists it by name and version.
 */
import { Hono } from 'hono'
import * as v from 'valibot'
import { MAX_COST } from '../domain/rewards.ts'
import { Refusal, type RefusalReason } from '../domain/refusal.ts'
import { CollectionStore, type Position } from '../store/collections.ts'
import { RedemptionStore, type KeyedRequest } from '../store/redemptions.ts'
import type { ServiceMessageKey } from './messages.ts'
import { readJson } from './requests.ts'
import { HttpError, respondJson } from './responses.ts'
import type { ApiDependencies, ApiEnvironment } from './routes.ts'

/** Path prefix of the extension, beside that of the API. */
export const EXTENSION_PREFIX = '/ext'

/** A text in a body. PostgreSQL holds none with a NUL character. */
const text = (maxLength: number) =>
  v.pipe(
    v.string('body-malformed'),
    v.maxLength(maxLength, 'body-malformed'),
    v.excludes('\0', 'body-malformed')
  )

/** An identifier in a body. */
export const identifier = v.pipe(text(100), v.nonEmpty('body-malformed'))

/** The body of a redemption. `cost` is what the customer was told. */
export const redemptionSchema = v.object(
  {
    customer: identifier,
    reward: identifier,
    cost: v.pipe(
      v.number('body-malformed'),
      v.integer('body-malformed'),
      v.minValue(1, 'body-malformed'),
      v.maxValue(MAX_COST, 'body-malformed')
    )
  },
  'body-malformed'
)

export const reversalSchema = v.object(
  {
    reason: v.optional(v.nullable(text(500)), null)
  },
  'body-malformed'
)

/** How a refusal of the store is answered. */
const REFUSALS: Partial<Readonly<Record<RefusalReason, readonly [404 | 409 | 422, ServiceMessageKey]>>> = {
  'customer-unknown': [404, 'customer-unknown'],
  'reward-unknown': [404, 'reward-unknown'],
  'reward-disabled': [409, 'reward-disabled'],
  'price-changed': [409, 'price-changed'],
  'points-too-few': [409, 'points-too-few'],
  'entry-unknown': [404, 'redemption-unknown'],
  'entry-reversed': [409, 'redemption-reversed'],
  'reversal-too-late': [409, 'reversal-too-late'],
  'key-reused': [422, 'idempotency-key-reused']
}

const refused = async <Value>(work: Promise<Value>): Promise<Value> => {
  try {
    return await work
  } catch (error) {
    const answer = error instanceof Refusal ? REFUSALS[error.reason] : undefined
    throw answer === undefined ? error : new HttpError(...answer)
  }
}

/** Items of a page of collected codes. */
const PAGE_SIZE = 500

const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)(?:~(\d{1,15}))?$/

/** A cursor as it was given, or a moment (ISO 8601, UTC) from which to begin. */
const parseCursor = (text: string | undefined): Position => {
  const [, at, entry] = CURSOR.exec(text ?? '') ?? []
  if (at === undefined) throw new HttpError(400, 'cursor-malformed')
  return { at, entry: Number(entry ?? 0) }
}

/** Creates the routes below `EXTENSION_PREFIX`, for requests that are authenticated. */
export const createExtensionRoutes = ({ database, now, random }: ApiDependencies): Hono<ApiEnvironment> => {
  const routes = new Hono<ApiEnvironment>()
  const redemptions = new RedemptionStore({ database, now, random })
  const collections = new CollectionStore(database, now)

  const keyedRequest = (c: {
    readonly req: { header: (name: string) => string | undefined }
    get: (name: 'caller') => ApiEnvironment['Variables']['caller']
  }): KeyedRequest => {
    const idempotencyKey = c.req.header('idempotency-key') ?? ''
    if (!/^[\x21-\x7e]{8,100}$/.test(idempotencyKey)) throw new HttpError(400, 'idempotency-key-malformed')
    const { business, till, reversalMinutes } = c.get('caller')
    return { business: { key: business, reversalMinutes }, by: `till:${till}`, idempotencyKey }
  }

  routes.post('/redemptions', async (c) => {
    const request = keyedRequest(c)
    const asked = await readJson(c.req.raw, redemptionSchema)
    return respondJson(c, await refused(redemptions.redeem({ ...request, ...asked })))
  })

  routes.post('/redemptions/:id/reversal', async (c) => {
    const request = keyedRequest(c)
    const { reason } = await readJson(c.req.raw, reversalSchema)
    const redemption = c.req.param('id')
    return respondJson(c, await refused(redemptions.reverse({ ...request, redemption, reason })))
  })

  routes.get('/collections', async (c) => {
    const since = parseCursor(c.req.query('since'))
    const { events, next, hasMore } = await collections.since(c.get('caller').business, since, PAGE_SIZE)
    return respondJson(c, { hasMore, next: `${next.at}~${String(next.entry)}`, data: events })
  })

  return routes
}
