/** A shop with its pages, and the browsers of its customers, without a network. */
import type { ScryptOptions } from 'node:crypto'
import { createServiceApp } from '../../../../electron/service/api/app.ts'
import { createDeviceExtension } from '../../../../electron/service/api/device-extension.ts'
import { systemRandomBytes } from '../../../../electron/service/domain/identifiers.ts'
import type { BackupFolder } from '../../../../electron/service/manage/backups.ts'
import { createManagePages } from '../../../../electron/service/manage/index.ts'
import { createPages, respondNotFound } from '../../../../electron/service/pages/index.ts'
import { BusinessStore } from '../../../../electron/service/store/businesses.ts'
import { openShop, Shop } from '../store/shop.ts'

export const ORIGIN = 'https://points.example.com'

/** Of hashing passwords: the usual cost takes a third of a second. */
export const CHEAP: ScryptOptions = { N: 2 }

type ServiceApp = ReturnType<typeof createServiceApp>

/** A browser: keeps cookies, and sends forms as its own page does. */
export class Visitor {
  readonly #app: ServiceApp
  readonly #cookies = new Map<string, string>()
  readonly #keepsCookies: boolean
  /** every Set-Cookie header */
  readonly received: string[] = []

  constructor(app: ServiceApp, { keepsCookies = true } = {}) {
    this.#app = app
    this.#keepsCookies = keepsCookies
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.#send(path, { headers })
  }

  head(path: string): Promise<Response> {
    return this.#send(path, { method: 'HEAD' })
  }

  post(
    path: string,
    form: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = { 'sec-fetch-site': 'same-origin' }
  ): Promise<Response> {
    return this.#send(path, { method: 'POST', body: new URLSearchParams(form), headers })
  }

  /** Sends a form and follows where it leads, as a browser does. */
  async submit(path: string, form: Readonly<Record<string, string>> = {}): Promise<Response> {
    const answer = await this.post(path, form)
    return this.follow(answer)
  }

  /** Follows where an answer leads. */
  async follow(answer: Response): Promise<Response> {
    const location = answer.headers.get('location')
    return location === null ? answer : this.follow(await this.get(location))
  }

  /** Returns a browser with the same cookies, which gets none of those that come to this one. */
  copy(): Visitor {
    const copy = new Visitor(this.#app, { keepsCookies: this.#keepsCookies })
    for (const [name, value] of this.#cookies) copy.setCookie(name, value)
    return copy
  }

  /** Sets a cookie, as one that was stolen or kept. */
  setCookie(name: string, value: string): void {
    this.#cookies.set(name, value)
  }

  /** Returns the value of a cookie. */
  cookie(name: string): string | undefined {
    return this.#cookies.get(name)
  }

  /** Sends a form with a file. */
  async upload(path: string, form: FormData): Promise<Response> {
    const encoded = new Response(form)
    const headers = {
      'sec-fetch-site': 'same-origin',
      'content-type': encoded.headers.get('content-type') ?? ''
    }
    return this.#send(path, { method: 'POST', body: await encoded.arrayBuffer(), headers })
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...(init.headers as Record<string, string>), ...(cookie === '' ? {} : { cookie }) }
    const response = await this.#app.fetch(new Request(ORIGIN + path, { ...init, headers }))
    for (const set of response.headers.getSetCookie()) {
      this.received.push(set)
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (this.#keepsCookies) this.#cookies.set(name, value)
    }
    return response
  }
}

/** Opens a shop in Greece with its pages; one in an empty database unless given. */
export const openPages = async (
  opened?: Shop,
  onCollected: () => void = () => undefined,
  backups?: BackupFolder,
  passwordCost: ScryptOptions = CHEAP
) => {
  const shop = opened ?? (await openShop())
  const { database } = shop
  const businesses = new BusinessStore(database)
  const business = await businesses.get(shop.business)
  await businesses.update({ ...business, address: { ...business.address, country: 'GR' } })
  const shared = { database, publicUrl: ORIGIN, now: () => shop.now, random: systemRandomBytes }
  const faults: unknown[] = []
  const onInternalError = (error: unknown): number => faults.push(error)
  const dependencies = { ...shared, addressOf: () => shop.address, onCollected, onInternalError }
  const shopRoutes = createPages(dependencies)
  shopRoutes.route('/', createManagePages({ ...dependencies, backups, passwordCost }))
  const app = createServiceApp({
    ...shared,
    isSample: false,
    shopRoutes,
    shopExtension: createDeviceExtension(shared),
    respondNotFound,
    isExpired: () => false,
    onInternalError
  })
  return {
    shop,
    business: business.id,
    /** internal errors of the service */
    faults,
    visitor: (options?: { readonly keepsCookies: boolean }) => new Visitor(app, options),
    /** sends a request to the service, as a till does */
    fetch: (path: string, init: RequestInit) => Promise.resolve(app.fetch(new Request(ORIGIN + path, init))),
    /** name of the router that Hono has chosen, after the first request */
    routerName: () => app.router.name,
    /** every route of the service, as patterns */
    routes: () => app.routes.filter(({ method }) => method !== 'ALL'),
    /** adds another business to the same service */
    addShop: () => Shop.addTo(database)
  }
}

/** The text of a page, without tags and line breaks. */
export const textOf = async (response: Response): Promise<string> =>
  (await response.text())
    .replace(/<style>.*?<\/style>/s, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/[\u2068\u2069]/g, '')
    .replaceAll(/\s+/g, ' ')

/** Where the languages of a page lead, as a browser reads them. */
export const languagesOf = (page: string): readonly string[] =>
  [...page.matchAll(/href="([^"]*[?;&]lang=[^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))
