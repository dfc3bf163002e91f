/** The Hono app: all routes, with authentication and the error responses that they share. */
import { Hono, type Context } from 'hono'
import { HttpError, errorBody, languageOfRequest, responseHeaders } from './responses.ts'
import { createApiRoutes, type ApiDependencies, type ApiEnvironment } from './routes/api.ts'
import { createPublicRoutes } from './routes/public.ts'
import type { BusinessId } from './store.ts'

/** Path prefix of the API (interface document, part 9). */
export const API_PREFIX = '/api'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

export type ServiceApp = Hono<ApiEnvironment>

export interface ServiceAppDependencies extends ApiDependencies {
  /** returns the caller's business, or throws an `HttpError` */
  readonly authenticate: (authorization: string | undefined) => BusinessId
  /** called with internal errors, whose details are not sent to the caller */
  readonly onInternalError: (error: unknown) => void
}

/** Creates the app that serves the API below `API_PREFIX` and the public links beside it. */
export const createServiceApp = (dependencies: ServiceAppDependencies): ServiceApp => {
  const { authenticate, onInternalError, links } = dependencies
  const app: ServiceApp = new Hono<ApiEnvironment>()

  const respondWithError = (c: Context, error: HttpError): Response => {
    const headers = { ...responseHeaders(c), ...error.headers }
    return c.json(errorBody(error, languageOfRequest(c)), error.status, headers)
  }

  const api = new Hono<ApiEnvironment>()
  api.use(async (c, next) => {
    c.set('business', authenticate(c.req.header('authorization')))
    await next()
  })
  api.route('/', createApiRoutes(dependencies))
  app.route(API_PREFIX, api)
  app.route('/', createPublicRoutes(links))

  /** Methods with a route at `path`. Middleware is registered for ALL methods and does not count. */
  const methodsAt = (path: string): readonly string[] =>
    METHODS.filter((method) => {
      // Hono responds to HEAD wherever it responds to GET.
      const routed = method === 'HEAD' ? 'GET' : method
      return app.router.match(routed, path)[0].some(([[, route]]) => route.method === routed)
    })

  app.notFound((c) => {
    const allowed = methodsAt(c.req.path).join(', ')
    if (allowed === '') return respondWithError(c, new HttpError(404, 'path-unknown'))
    return respondWithError(c, new HttpError(405, 'method-not-allowed', { allowed }, { Allow: allowed }))
  })

  app.onError((error, c) => {
    if (error instanceof HttpError) return respondWithError(c, error)
    onInternalError(error)
    return respondWithError(c, new HttpError(500, 'internal'))
  })

  return app
}
