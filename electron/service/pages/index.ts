/** The pages of a shop's own service for its customers: rendered here, complete without script. */
import { Hono } from 'hono'
import { HttpError, httpErrorOf } from '../api/responses.ts'
import { LOGO_TYPES } from '../domain/logos.ts'
import { LogoStore } from '../store/logos.ts'
import { AccountPages } from './account.ts'
import { addCodeField } from './code-field.ts'
import { CollectPages } from './collecting.ts'
import { HomeScreen } from './home-screen.ts'
import { JoinPages } from './joining.ts'
import { localeOfRequest } from './customer-locale.ts'
import { messagePage, respondPage } from './page.ts'
import { respondNotFound, CustomerRequests, type PagesDependencies } from './customer-requests.ts'

export { LONGEST_LIMIT_MINUTES, respondNotFound, type PagesDependencies } from './customer-requests.ts'

/** A name stands for its bytes, so a browser asks for a logo once. */
const respondLogo = (name: string, bytes: Uint8Array<ArrayBuffer>): Response =>
  new Response(bytes, {
    headers: {
      'Content-Type': name.endsWith('.png') ? LOGO_TYPES.png : LOGO_TYPES.jpg,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'public, max-age=31536000, immutable'
    }
  })

/** Creates the routes `/`, `/q/{code}`, `/me/{business}`, `/join/{business}` and those of the businesses' own logos. */
export const createPages = (dependencies: PagesDependencies): Hono => {
  const routes = new Hono()
  const requests = new CustomerRequests(dependencies)
  new CollectPages(dependencies, requests).addRoutes(routes)
  new AccountPages(dependencies, requests).addRoutes(routes)
  new JoinPages(dependencies, requests).addRoutes(routes)
  addCodeField(routes)
  new HomeScreen(dependencies, requests).addRoutes(routes)
  routes.get('/images/logos/:name{[0-9a-f]{32}\\.(?:png|jpg)}', async (c) => {
    const name = c.req.param('name')
    const bytes = await new LogoStore(dependencies.database).find(name)
    return bytes === null ? respondNotFound(c) : respondLogo(name, bytes)
  })
  for (const path of ['/me', '/join']) routes.get(path, respondNotFound)
  routes.onError((error, c) => {
    if (!(error instanceof HttpError)) dependencies.onInternalError(error, c.req.raw)
    const locale = localeOfRequest(c, null)
    const { m } = locale
    const { status, headers } = httpErrorOf(error)
    for (const [name, value] of Object.entries(headers)) c.header(name, value)
    const text =
      status === 503
        ? { title: m.unavailableTitle(), text: m.unavailableText(), status }
        : { title: m.errorTitle(), text: m.errorText(), status: 500 as const }
    return respondPage(c, messagePage({ business: null, locale }, text))
  })
  return routes
}
