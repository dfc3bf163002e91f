/**
 * `POST /pair`: a till trades a pairing code for its token. `POST /pair/confirm`: a till that has its token uses a code up as
 * the owner's word, for a forgotten PIN. Beside the interface document, and without a token.
 */
import { Hono, type Context } from 'hono'
import * as v from 'valibot'
import { AttemptStore, type AttemptLimit } from '../store/attempts.ts'
import { BusinessStore } from '../store/businesses.ts'
import { PairingStore, type PairingDependencies } from '../store/pairings.ts'
import { readJson } from './requests.ts'
import { HttpError, respondJson } from './responses.ts'

const code = v.pipe(v.string('pairing-code-missing'), v.maxLength(64, 'pairing-code-unknown'))

const tradeSchema = v.object({ code }, (issue) =>
  issue.path?.[0]?.key === 'code' ? 'pairing-code-missing' : 'body-not-object'
)
/** `business`: the id of the account that the till is connected to */
const confirmSchema = v.object({ code, business: v.string('body-malformed') }, 'body-malformed')

/** Codes that one address may try: a code itself is valid for five tries. */
const TRIES_OF_ADDRESS: AttemptLimit = { count: 20, minutes: 10 }

export interface PairingRoutesDependencies extends PairingDependencies {
  /** base URL of the API, which the till is told; null: no till is paired, as phones would not reach the service */
  readonly baseUrl: string | null
  /** Returns the IP address of who asks. */
  readonly addressOf: (c: Context) => string
}

export const createPairingRoutes = (dependencies: PairingRoutesDependencies): Hono => {
  const { baseUrl, addressOf } = dependencies
  const attempts = new AttemptStore(dependencies.database, dependencies.now)
  const pairings = new PairingStore(dependencies)
  const businesses = new BusinessStore(dependencies.database)
  const routes = new Hono()
  const countAttempt = async (c: Context): Promise<void> => {
    if (!(await attempts.isAllowed(['pairing', addressOf(c)], TRIES_OF_ADDRESS))) {
      const minutes = TRIES_OF_ADDRESS.minutes
      throw new HttpError(429, 'attempts-too-many', { minutes }, { 'Retry-After': String(minutes * 60) })
    }
  }
  routes.post('/pair', async (c) => {
    await countAttempt(c)
    const { code } = await readJson(c.req.raw, tradeSchema)
    if (baseUrl === null) throw new HttpError(409, 'public-url-missing')
    const paired = await pairings.trade(code)
    if (paired === null) throw new HttpError(404, 'pairing-code-unknown')
    const business = await businesses.get(paired.business)
    return respondJson(c, { token: paired.token, baseUrl, till: paired.name, business: business.name })
  })
  routes.post('/pair/confirm', async (c) => {
    await countAttempt(c)
    const { code, business } = await readJson(c.req.raw, confirmSchema)
    const outcome = await pairings.confirm(code, business)
    if (outcome === 'unknown') throw new HttpError(404, 'pairing-code-unknown')
    if (outcome === 'other-business') throw new HttpError(409, 'pairing-code-elsewhere')
    return respondJson(c, {})
  })
  return routes
}
