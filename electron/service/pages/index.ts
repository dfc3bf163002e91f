/** The pages of a shop's own service for its customers: rendered here, complete without script. */
import { Hono } from 'hono'
import { HttpError } from '../api/responses.ts'
import { AccountPages } from './account.ts'
import { CollectPages } from './collecting.ts'
import { localeOfRequest } from './locale.ts'
import { messagePage, respondPage } from './page.ts'
import { respondNotFound, Visits, type PagesDependencies } from './visits.ts'

export { LONGEST_LIMIT_MINUTES, type PagesDependencies } from './visits.ts'

/** Creates the routes `/q/{code}`, `/me/{business}` and `/join/{business}`. */
export const createPages = (dependencies: PagesDependencies): Hono => {
  const routes = new Hono()
  const visits = new Visits(dependencies)
  new CollectPages(dependencies, visits).addRoutes(routes)
  new AccountPages(dependencies, visits).addRoutes(routes)
  for (const path of ['/', '/q', '/me', '/join']) routes.get(path, respondNotFound)
  routes.onError((error, c) => {
    if (!(error instanceof HttpError)) dependencies.onInternalError(error)
    const locale = localeOfRequest(c, null)
    const { m } = locale
    const text = {
      title: m.errorTitle(),
      text: m.errorText(),
      status: error instanceof HttpError && error.status === 413 ? 413 : 500
    } as const
    return respondPage(c, messagePage({ business: null, locale }, text))
  })
  return routes
}
