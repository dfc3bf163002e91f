/** Codes with a key, and who issued them. `docs/service-extension.md` describes it. */
import { Hono } from 'hono'
import * as v from 'valibot'
import { MAX_CASHIER_NUMBER } from '../../contract/staff.ts'
import { CashierStore } from '../store/cashiers.ts'
import { CodeIssuer } from '../store/code-issuer.ts'
import { respondCode, unused } from './code-body.ts'
import {
  calculationEntries,
  identifier,
  keyedRequestOf,
  points,
  refused,
  saleEntries,
  saleOf
} from './keyed-requests.ts'
import { readJson } from './requests.ts'
import { HttpError, respondJson } from './responses.ts'
import type { ApiDependencies, ApiEnvironment } from './routes.ts'

/** The body that issues a code. */
export const issueSchema = v.object({ points, ...saleEntries, ...calculationEntries }, 'body-malformed')

/** The body that forgets a cashier: each till has its own numbers. */
export const erasureSchema = v.object({ name: identifier }, 'body-malformed')

/** Creates the routes, for requests that are authenticated. */
export const createCodeRoutes = (dependencies: ApiDependencies): Hono<ApiEnvironment> => {
  const { database, links } = dependencies
  const routes = new Hono<ApiEnvironment>()
  const codes = new CodeIssuer(dependencies)
  const cashiers = new CashierStore(database)

  routes.post('/codes', async (c) => {
    const request = keyedRequestOf(c)
    const { codeValidityDays } = c.get('caller')
    const { points: asked, ...details } = await readJson(c.req.raw, issueSchema)
    const sale = saleOf(details)
    const code = await refused(codes.issueOnce({ ...request, points: asked, sale, codeValidityDays }), {})
    // The first answer, whatever has happened since.
    return respondCode(c, unused(code), { links, now: new Date(code.createdAt) })
  })

  routes.post('/cashiers/:number/erasure', async (c) => {
    const number = Number(c.req.param('number'))
    if (!Number.isInteger(number) || number < 1 || number > MAX_CASHIER_NUMBER) {
      throw new HttpError(400, 'body-malformed')
    }
    const { name } = await readJson(c.req.raw, erasureSchema)
    await cashiers.forget(c.get('caller').business, { number, name })
    return respondJson(c, { number })
  })

  return routes
}
