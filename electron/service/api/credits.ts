/** Credits of tills: points straight to a known customer. `docs/service-extension.md` describes them. */
import { Hono } from 'hono'
import * as v from 'valibot'
import { CreditStore } from '../store/credits.ts'
import {
  calculationEntries,
  identifier,
  keyedRequestOf,
  points,
  refused,
  reversalSchema,
  saleEntries,
  saleOf,
  type RefusalAnswers
} from './keyed-requests.ts'
import { readJson } from './requests.ts'
import { respondJson } from './responses.ts'
import type { ApiDependencies, ApiEnvironment } from './routes.ts'

/** The body of a credit. */
export const creditSchema = v.object(
  {
    ...{ customer: identifier, points, ...saleEntries, ...calculationEntries },
    /** whether a manager approved it at the till */
    approved: v.optional(v.boolean('body-malformed'), false)
  },
  'body-malformed'
)

const REFUSALS: RefusalAnswers = {
  'credit-limit-reached': [409, 'credit-limit-reached'],
  'credit-needs-approval': [409, 'credit-needs-approval'],
  'entry-unknown': [404, 'credit-unknown'],
  'entry-reversed': [409, 'credit-reversed']
}

/** Creates the routes, for requests that are authenticated. */
export const createCreditRoutes = (dependencies: ApiDependencies): Hono<ApiEnvironment> => {
  const routes = new Hono<ApiEnvironment>()
  const credits = new CreditStore(dependencies)

  routes.post('/credits', async (c) => {
    const request = keyedRequestOf(c)
    const { customer, points: asked, approved, ...details } = await readJson(c.req.raw, creditSchema)
    const credit = { customer, points: asked, isApproved: approved, sale: saleOf(details) }
    const credited = credits.credit({ ...request, ...credit })
    return respondJson(c, await refused(credited, REFUSALS))
  })

  routes.post('/credits/:id/reversal', async (c) => {
    const request = keyedRequestOf(c)
    const asked = await readJson(c.req.raw, reversalSchema)
    const credit = c.req.param('id')
    return respondJson(c, await refused(credits.reverse({ ...request, ...asked, credit }), REFUSALS))
  })

  return routes
}
