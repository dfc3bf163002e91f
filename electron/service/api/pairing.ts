/** `POST /pair`: a till trades a pairing code for its token. Beside the interface document, and without a token. */
import { Hono } from 'hono'
import * as v from 'valibot'
import { BusinessStore } from '../store/businesses.ts'
import { PairingStore, type PairingDependencies } from '../store/pairings.ts'
import { readJson } from './requests.ts'
import { HttpError, respondJson } from './responses.ts'

const tradeSchema = v.object(
  { code: v.pipe(v.string('pairing-code-missing'), v.maxLength(64, 'pairing-code-unknown')) },
  (issue) => (issue.path?.[0]?.key === 'code' ? 'pairing-code-missing' : 'body-not-object')
)

/** @param baseUrl base URL of the API, which the till is told */
export const createPairingRoutes = (dependencies: PairingDependencies, baseUrl: string): Hono => {
  const pairings = new PairingStore(dependencies)
  const businesses = new BusinessStore(dependencies.database)
  const routes = new Hono()
  routes.post('/pair', async (c) => {
    const { code } = await readJson(c.req.raw, tradeSchema)
    const paired = await pairings.trade(code)
    if (paired === null) throw new HttpError(404, 'pairing-code-unknown')
    const business = await businesses.get(paired.business)
    return respondJson(c, { token: paired.token, baseUrl, till: paired.name, business: business.name })
  })
  return routes
}
