/** What a phone needs to put the page of a business on its home screen: the web app manifest, and its icons. */
import type { Hono } from 'hono'
import { encodePng } from '../api/images.ts'
import type { StoredBusiness } from '../domain/businesses.ts'
import { decodeLogo, type Pixels } from '../domain/logos.ts'
import { LogoStore } from '../store/logos.ts'
import { markPath } from '../api/public.ts'
import { accountPath, ICON_SIZES, iconPath } from './page.ts'
import { respondNotFound, type PagesDependencies, type Visits } from './visits.ts'

/** Points along each side of a pixel, for smooth edges. */
const SAMPLES = 4

/** An image in the middle of a white square, as large as it fits. */
const fitInto = (size: number, { width, height, data }: Pixels): Uint8Array<ArrayBuffer> => {
  const scale = Math.max(width, height) / size
  const [left, top] = [(width - size * scale) / 2, (height - size * scale) / 2]
  return encodePng(size, (x, y) => {
    const sum: [number, number, number] = [0, 0, 0]
    for (let sample = 0; sample < SAMPLES ** 2; sample += 1) {
      const column = Math.floor(left + (x + ((sample % SAMPLES) + 0.5) / SAMPLES) * scale)
      const row = Math.floor(top + (y + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES) * scale)
      const isInside = column >= 0 && column < width && row >= 0 && row < height
      const at = (row * width + column) * 4
      const alpha = isInside ? (data[at + 3] ?? 0) / 255 : 0
      for (const channel of [0, 1, 2] as const)
        sum[channel] += 255 + ((data[at + channel] ?? 0) - 255) * alpha
    }
    const average = (channel: 0 | 1 | 2): number => Math.round(sum[channel] / SAMPLES ** 2)
    return [average(0), average(1), average(2)]
  })
}

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

/** Icons that are kept: a logo of 4 megapixels takes a tenth of a second to decode. */
const MAX_KEPT = 100

/** The routes `/me/{business}/app.webmanifest` and `/me/{business}/icons/`. */
export class HomeScreen {
  readonly #visits: Visits
  readonly #logos: LogoStore
  readonly #kept = new Map<string, Uint8Array<ArrayBuffer>>()

  constructor({ database }: PagesDependencies, visits: Visits) {
    this.#visits = visits
    this.#logos = new LogoStore(database)
  }

  addRoutes(routes: Hono): void {
    const get = (path: string, answer: (business: StoredBusiness) => Promise<Response | null>): void => {
      routes.get(`/me/:business/${path}`, async (c) => {
        const visit = await this.#visits.open(c, c.req.param('business'))
        return (visit && (await answer(visit.business))) ?? respondNotFound(c)
      })
    }
    get('app.webmanifest', (business) => Promise.resolve(respondManifest(business)))
    for (const size of ICON_SIZES) {
      get(`icons/${String(size)}.png`, async ({ logo }) => {
        const icon = logo === null ? null : await this.#iconOf(logo, size)
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

  /** Returns the icon of a logo; null if it was replaced meanwhile. */
  async #iconOf(name: string, size: number): Promise<Uint8Array<ArrayBuffer> | null> {
    const key = `${String(size)} ${name}`
    const known = this.#kept.get(key)
    if (known !== undefined) return known
    const bytes = await this.#logos.find(name)
    if (bytes === null) return null
    const icon = fitInto(size, decodeLogo({ name, bytes }))
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear()
    this.#kept.set(key, icon)
    return icon
  }
}
