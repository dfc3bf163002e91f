/** What a phone needs to put the page of a business on its home screen: the web app manifest, and its icons. */
import type { Hono } from 'hono'
import type { StoredBusiness } from '../domain/businesses.ts'
import { ICON_SIZES } from '../domain/logos.ts'
import { LogoStore } from '../store/logos.ts'
import { markPath } from '../api/public.ts'
import { accountPath, iconPath } from './page.ts'
import { respondNotFound, type PagesDependencies, type CustomerRequests } from './customer-requests.ts'

/** The manifest of a business (W3C Web Application Manifest). Its colours are those of the page's paper. */
const respondManifest = (business: StoredBusiness): Response =>
  Response.json(
    {
      id: accountPath(business),
      name: business.name,
      short_name: business.name,
      start_url: accountPath(business),
      scope: '/',
      display: 'standalone',
      background_color: '#fbfaf7',
      theme_color: '#fbfaf7',
      icons:
        business.logo === null
          ? [{ src: markPath(business), sizes: 'any', type: 'image/svg+xml' }]
          : ICON_SIZES.map((size) => ({
              src: iconPath(business, size),
              sizes: `${String(size)}x${String(size)}`,
              type: 'image/png'
            }))
    },
    { headers: { 'Content-Type': 'application/manifest+json', 'Cache-Control': 'no-store' } }
  )

/** The routes `/me/{business}/app.webmanifest` and `/me/{business}/icons/`. */
export class HomeScreen {
  readonly #requests: CustomerRequests
  readonly #logos: LogoStore

  constructor({ database }: PagesDependencies, requests: CustomerRequests) {
    this.#requests = requests
    this.#logos = new LogoStore(database)
  }

  addRoutes(routes: Hono): void {
    const get = (path: string, answer: (business: StoredBusiness) => Promise<Response | null>): void => {
      routes.get(`/me/:business/${path}`, async (c) => {
        const request = await this.#requests.open(c, c.req.param('business'))
        return (request && (await answer(request.business))) ?? respondNotFound(c)
      })
    }
    get('app.webmanifest', (business) => Promise.resolve(respondManifest(business)))
    for (const size of ICON_SIZES) {
      get(`icons/${String(size)}.png`, async ({ logo }) => {
        const icon = logo === null ? null : await this.#logos.icon(logo, size)
        if (icon === null) return null
        return new Response(icon, {
          headers: {
            'Content-Type': 'image/png',
            'X-Content-Type-Options': 'nosniff',
            'Cache-Control': 'public, max-age=86400'
          }
        })
      })
    }
  }
}
