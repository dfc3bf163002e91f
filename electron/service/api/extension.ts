/**
 * What the service offers tills beside the nine operations: redeeming a reward, and which codes were collected.
 * `docs/service-extension.md` describes it. `GET /account` lists it by name and version.
 */
import { Hono } from 'hono'
import * as v from 'valibot'
import { MAX_COST } from '../domain/rewards.ts'
import { CollectionStore, type Position } from '../store/collections.ts'
import { RedemptionStore } from '../store/redemptions.ts'
import { createCodeRoutes } from './codes.ts'
import { createCreditRoutes } from './credits.ts'
import {
  identifier,
  keyedRequestOf,
  refused,
  reversalSchema,
  saleEntries,
  whole,
  type RefusalAnswers
} from './keyed-requests.ts'
import { createReturnRoutes } from './returns.ts'
import { readJson } from './requests.ts'
import { HttpError, respondJson } from './responses.ts'
import type { ApiDependencies, ApiEnvironment } from './routes.ts'

/** Path prefix of the extension, beside that of the API. */
export const EXTENSION_PREFIX = '/ext'

/** The body of a redemption. `cost` is what the customer was told. */
export const redemptionSchema = v.object(
  { customer: identifier, reward: identifier, cost: whole(MAX_COST), ...saleEntries },
  'body-malformed'
)

const REFUSALS: RefusalAnswers = {
  'reward-unknown': [404, 'reward-unknown'],
  'reward-disabled': [409, 'reward-disabled'],
  'price-changed': [409, 'price-changed'],
  'entry-unknown': [404, 'redemption-unknown'],
  'entry-reversed': [409, 'redemption-reversed']
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
export const createExtensionRoutes = (dependencies: ApiDependencies): Hono<ApiEnvironment> => {
  const { database, now } = dependencies
  const routes = new Hono<ApiEnvironment>()
  const redemptions = new RedemptionStore(dependencies)
  const collections = new CollectionStore(database, now)

  routes.post('/redemptions', async (c) => {
    const request = keyedRequestOf(c)
    const { reference, cashier, ...asked } = await readJson(c.req.raw, redemptionSchema)
    const sale = { reference, cashier }
    return respondJson(c, await refused(redemptions.redeem({ ...request, ...asked, sale }), REFUSALS))
  })

  routes.post('/redemptions/:id/reversal', async (c) => {
    const request = keyedRequestOf(c)
    const asked = await readJson(c.req.raw, reversalSchema)
    const redemption = c.req.param('id')
    return respondJson(c, await refused(redemptions.reverse({ ...request, ...asked, redemption }), REFUSALS))
  })

  routes.get('/collections', async (c) => {
    const since = parseCursor(c.req.query('since'))
    const { events, next, hasMore } = await collections.since(c.get('caller').business, since, PAGE_SIZE)
    return respondJson(c, { hasMore, next: `${next.at}~${String(next.entry)}`, data: events })
  })

  routes.route('/', createCodeRoutes(dependencies))
  routes.route('/', createCreditRoutes(dependencies))
  routes.route('/', createReturnRoutes(dependencies))
  return routes
}
