/** The Hono app: all routes, with authentication and the error responses that they share. */
import { Hono, type Context } from 'hono'
import type { RandomBytes } from '../domain/identifiers.ts'
import type { Database } from '../store/database.ts'
import { Authenticator } from './authentication.ts'
import { createExtensionRoutes, EXTENSION_PREFIX } from './extension.ts'
import { createLinks, createPublicRoutes } from './public.ts'
import { HttpError, errorBody, errorHeaders, httpErrorOf, languageOfRequest } from './responses.ts'
import { createApiRoutes, type ApiEnvironment, type TillExtension } from './routes.ts'

/** Path prefix of the API. */
export const API_PREFIX = '/api'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const isBelow = (prefix: string, path: string): boolean => `${path}/`.startsWith(`${prefix}/`)

export type ServiceApp = Hono<ApiEnvironment>

export interface ServiceAppDependencies {
  readonly database: Database
  /** origin of the links in responses, such as `http://127.0.0.1:4010` */
  readonly publicUrl: string
  /** whether the businesses are sample data, as the pages then say */
  readonly isSample: boolean
  /** routes that only a shop's own service has, beside the API: the till contains none of them */
  readonly shopRoutes?: Hono
  /** what only a shop's own service offers tills */
  readonly shopExtension?: TillExtension
  /** answers a browser that asks for an unknown address beside the API; an error body unless given */
  readonly respondNotFound?: (c: Context) => Promise<Response>
  readonly now: () => Date
  readonly random: RandomBytes
  /** whether a token is refused with 401 "token expired" */
  readonly isExpired: (token: string) => boolean
  /** called with internal errors, whose details are not sent to the caller, and with the request that failed if there is one */
  readonly onInternalError: (error: unknown, request?: Request) => void
}

/** Creates the app that serves the API below `API_PREFIX` and the public links beside it. */
export const createServiceApp = (dependencies: ServiceAppDependencies): ServiceApp => {
  const { database, publicUrl, isSample, shopRoutes, shopExtension, respondNotFound } = dependencies
  const { now, random, onInternalError } = dependencies
  const authenticator = new Authenticator(dependencies)
  const links = createLinks(publicUrl, isSample)
  const app: ServiceApp = new Hono<ApiEnvironment>()

  // Hono answers HEAD with GET, and drops the body: what it reads from stays open until it is cancelled.
  app.use(async (c, next) => {
    await next()
    if (c.req.method === 'HEAD') await c.res.body?.cancel()
  })

  const respondWithError = (c: Context, error: HttpError): Response => {
    const body = errorBody(error, languageOfRequest(c))
    // The extension says in a word and numbers what a till can act on.
    return c.json(
      isBelow(EXTENSION_PREFIX, c.req.path) ? { ...body, code: error.key, ...error.values } : body,
      error.status,
      errorHeaders(c, error)
    )
  }

  /** Routes for requests that are authenticated. */
  const authenticated = (routes: Hono<ApiEnvironment>): Hono<ApiEnvironment> => {
    const api = new Hono<ApiEnvironment>()
    api.use(async (c, next) => {
      c.set('caller', await authenticator.authenticate(c.req.header('authorization')))
      await next()
    })
    api.route('/', routes)
    return api
  }
  const apiDependencies = { database, links, extensions: shopExtension?.names ?? [], now, random }
  app.route(API_PREFIX, authenticated(createApiRoutes(apiDependencies)))
  app.route(EXTENSION_PREFIX, authenticated(createExtensionRoutes(apiDependencies)))
  if (shopExtension !== undefined) app.route(EXTENSION_PREFIX, authenticated(shopExtension.routes))
  app.route('/', createPublicRoutes(links, isSample))
  if (shopRoutes !== undefined) app.route('/', shopRoutes)

  /** Methods with a route at `path`. Middleware is registered for ALL methods and does not count. */
  const methodsAt = (path: string): readonly string[] =>
    METHODS.filter((method) => {
      // Hono responds to HEAD wherever it responds to GET.
      const routed = method === 'HEAD' ? 'GET' : method
      return app.router.match(routed, path)[0].some(([[, route]]) => route.method === routed)
    })

  app.notFound((c) => {
    const allowed = methodsAt(c.req.path).join(', ')
    if (allowed === '') {
      const isPage =
        c.req.header('accept')?.includes('text/html') === true &&
        ![API_PREFIX, EXTENSION_PREFIX].some((prefix) => isBelow(prefix, c.req.path))
      if (isPage && respondNotFound !== undefined) return respondNotFound(c)
      return respondWithError(c, new HttpError(404, 'path-unknown'))
    }
    return respondWithError(c, new HttpError(405, 'method-not-allowed', { allowed }, { Allow: allowed }))
  })

  app.onError((error, c) => {
    if (!(error instanceof HttpError)) onInternalError(error, c.req.raw)
    return respondWithError(c, httpErrorOf(error))
  })

  return app
}
