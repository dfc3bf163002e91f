/** Returns of tills: points that go back with the goods. `docs/service-extension.md` describes them. */
import { Hono } from 'hono'
import * as v from 'valibot'
import { ReturnStore, type PurchaseBy, type ReturnRequest } from '../store/returns.ts'
import {
  cashier,
  identifier,
  keyedRequestOf,
  points,
  reason,
  refused,
  type RefusalAnswers
} from './keyed-requests.ts'
import { readJson } from './requests.ts'
import { HttpError, respondJson } from './responses.ts'
import type { ApiDependencies, ApiEnvironment } from './routes.ts'

/** An amount above zero in the currency of the bill. */
const amount = v.pipe(
  v.string('body-malformed'),
  v.regex(/^\d{1,12}(?:\.\d{1,6})?$/, 'body-malformed'),
  v.regex(/[1-9]/, 'body-malformed')
)

/** The body of a return: one of code, credit and reference, and one of points, amount and rest. */
export const returnSchema = v.object(
  {
    code: v.optional(identifier),
    credit: v.optional(identifier),
    reference: v.optional(identifier),
    points: v.optional(points),
    amount: v.optional(v.object({ returned: amount, total: amount }, 'body-malformed')),
    rest: v.optional(v.literal(true, 'body-malformed')),
    reason,
    cashier
  },
  'body-malformed'
)

/** What a body names, and what of it goes back. Throws 400 unless it is one of each. */
const askedOf = (body: v.InferOutput<typeof returnSchema>): Pick<ReturnRequest, 'purchase' | 'part'> => {
  const names = (['code', 'credit', 'reference'] as const).flatMap(
    (by: PurchaseBy): readonly ReturnRequest['purchase'][] => {
      const name = body[by]
      return name === undefined ? [] : [{ by, name }]
    }
  )
  const parts: readonly ReturnRequest['part'][] = [
    ...(body.points === undefined ? [] : [{ points: body.points }]),
    ...(body.amount === undefined ? [] : [{ amount: body.amount }]),
    ...(body.rest === undefined ? [] : [{ rest: body.rest }])
  ]
  const [[purchase], [part]] = [names, parts]
  if (purchase === undefined || part === undefined || names.length + parts.length > 2) {
    throw new HttpError(400, 'body-malformed')
  }
  return { purchase, part }
}

const REFUSALS: RefusalAnswers = {
  'purchase-unknown': [404, 'purchase-unknown'],
  'offline-code-refused': [404, 'purchase-unknown'],
  'purchase-ambiguous': [409, 'purchase-ambiguous'],
  'return-too-much': [409, 'return-too-much'],
  'code-expired': [409, 'code-expired'],
  'code-cancelled': [409, 'code-cancelled']
}

/** Creates the route, for requests that are authenticated. */
export const createReturnRoutes = (dependencies: ApiDependencies): Hono<ApiEnvironment> => {
  const routes = new Hono<ApiEnvironment>()
  const returns = new ReturnStore(dependencies)

  routes.post('/returns', async (c) => {
    const request = keyedRequestOf(c)
    const body = await readJson(c.req.raw, returnSchema)
    const asked = { ...askedOf(body), reason: body.reason, cashier: body.cashier }
    return respondJson(c, await refused(returns.take({ ...request, ...asked }), REFUSALS))
  })

  return routes
}
