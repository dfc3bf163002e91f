/** Puts the routes together, with what holds for all of them: language, credentials, limits and refusals. */
import { Hono, type Context } from 'hono'
import { errorBody, headersFor, languageFor, Refusal } from './responses.ts'
import {
  accountRoutes,
  codeRoutes,
  customerRoutes,
  rewardRoutes,
  type App,
  type Parts,
  type RequestVariables
} from './routes/api.ts'
import { publicRoutes } from './routes/public.ts'
import type { BusinessNumber } from './store.ts'

/** The path prefix of the interface (interface document, part 9). */
export const API_PREFIX = '/api'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

export interface AppOptions {
  /** gives the caller's business, or throws a `Refusal` */
  readonly authenticate: (authorization: string | undefined) => BusinessNumber
  /** hears of faults of the service itself, which the caller is told nothing about */
  readonly onFault: (fault: unknown) => void
}

/** The whole service as one Hono app. */
export const createApp = (parts: Parts, { authenticate, onFault }: AppOptions): App => {
  const app: App = new Hono<{ Variables: RequestVariables }>()

  const refuse = (c: Context, refusal: Refusal): Response => {
    const headers = { ...headersFor(c), ...refusal.headers }
    return c.json(errorBody(refusal, languageFor(c)), refusal.status, headers)
  }

  const api = new Hono<{ Variables: RequestVariables }>()
  api.use(async (c, next) => {
    c.set('business', authenticate(c.req.header('authorization')))
    await next()
  })
  customerRoutes(api, parts)
  rewardRoutes(api, parts)
  codeRoutes(api, parts)
  accountRoutes(api, parts)
  app.route(API_PREFIX, api)
  publicRoutes(app, parts.links)

  /** Methods that have a route of their own at `path`; middleware answers to ALL and does not count. */
  const methodsAt = (path: string): readonly string[] =>
    methods.filter((method) => {
      // Hono answers HEAD wherever it answers GET.
      const routed = method === 'HEAD' ? 'GET' : method
      return app.router.match(routed, path)[0].some(([[, route]]) => route.method === routed)
    })

  app.notFound((c) => {
    const allowed = methodsAt(c.req.path).join(', ')
    if (allowed === '') return refuse(c, new Refusal(404, 'path-unknown'))
    return refuse(c, new Refusal(405, 'method-unknown', { allowed }, { Allow: allowed }))
  })

  app.onError((fault, c) => {
    if (fault instanceof Refusal) return refuse(c, fault)
    onFault(fault)
    return refuse(c, new Refusal(500, 'internal'))
  })

  return app
}
