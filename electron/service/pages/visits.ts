/** What the pages need to know of a request: whose page it is, which device asks, and whether it asks too often. */
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { html } from 'hono/html'
import type { StoredBusiness } from '../domain/businesses.ts'
import type { RandomBytes } from '../domain/identifiers.ts'
import { AttemptStore, type AttemptLimit } from '../store/attempts.ts'
import { BusinessStore } from '../store/businesses.ts'
import type { Database } from '../store/database.ts'
import { DeviceStore, type NewDevice, type StoredDevice } from '../store/devices.ts'
import { countOf } from '../html/locale.ts'
import { readForm, type SentForm } from '../html/sent-form.ts'
import { localeOfRequest, type CustomerLocale } from './customer-locale.ts'
import { accountLink, messagePage, pathWithLanguage, respondPage, type CustomerPage } from './page.ts'

export interface PagesDependencies {
  readonly database: Database
  /** origin of the service as customers reach it */
  readonly publicUrl: string
  /** Returns the IP address of who asks. */
  readonly addressOf: (c: Context) => string
  readonly now: () => Date
  readonly random: RandomBytes
  /** called when a customer has got the points of a code */
  readonly onCollected: () => void
  /** called with internal errors, whose details are not shown, and with the request that failed if there is one */
  readonly onInternalError: (error: unknown, request?: Request) => void
}

/** The business that a page is of, and the device that asks. */
export interface Visit {
  readonly business: StoredBusiness
  readonly locale: CustomerLocale
  readonly device: StoredDevice | null
}

/** Attempts of an address at codes that do not exist. */
const MISSES: AttemptLimit = { count: 30, minutes: 10 }
/** Other forms of an address, which the guests of a shop share, or of a device. */
const FORMS_OF_SENDER: AttemptLimit = { count: 120, minutes: 10 }
/** Forms for one code: a code that exists was not guessed, so that strangers at the same address do not count. */
const FORMS_OF_CODE: AttemptLimit = { count: 20, minutes: 60 }

/** Longer than any limit. */
export const LONGEST_LIMIT_MINUTES = 60

/** Browsers keep a cookie for 400 days at most (RFC 6265bis, 5.5). */
const COOKIE_SECONDS = 400 * 24 * 60 * 60

const cookieName = ({ id }: StoredBusiness): string => `device-${id}`

/** Opens the requests of the customers' pages. */
export class Visits {
  readonly #dependencies: PagesDependencies
  readonly #businesses: BusinessStore
  readonly #devices: DeviceStore
  readonly #attempts: AttemptStore

  constructor(dependencies: PagesDependencies) {
    const { database, now, random } = dependencies
    this.#dependencies = dependencies
    this.#businesses = new BusinessStore(database)
    this.#devices = new DeviceStore({ database, now, random })
    this.#attempts = new AttemptStore(database, now)
  }

  /** Returns the visit of a business's page; null if there is no such business. */
  async open(c: Context, businessId: string): Promise<Visit | null> {
    const business = await this.#businesses.find(businessId)
    return business === null ? null : this.visitOf(c, business)
  }

  /** Returns the visit of a business's page. */
  async visitOf(c: Context, business: StoredBusiness): Promise<Visit> {
    const cookie = getCookie(c, cookieName(business))
    const device = cookie === undefined ? null : await this.#devices.find(business.key, cookie)
    return { business, locale: localeOfRequest(c, business), device }
  }

  /** Returns the device that asks, or adds one and gives it its cookie. */
  async deviceOf(c: Context, { business, device }: Visit): Promise<StoredDevice> {
    if (device !== null) return device
    const added = this.#devices.create(business.key)
    await this.#devices.add(added)
    this.giveCookie(c, business, added)
    return { id: added.id, business: business.key, customer: null }
  }

  /** Gives a device that was added its cookie. */
  giveCookie(c: Context, business: StoredBusiness, { cookie }: NewDevice): void {
    setCookie(c, cookieName(business), cookie, {
      httpOnly: true,
      secure: true,
      sameSite: 'Lax',
      path: '/',
      maxAge: COOKIE_SECONDS
    })
  }

  /** Counts that an address asked for a code that does not exist. Returns the page that refuses it after too many. */
  async missed(c: Context, page: Pick<CustomerPage, 'business' | 'locale'>): Promise<CustomerPage | null> {
    const address = this.#dependencies.addressOf(c)
    const wait = await this.#attempts.firstExceeded([{ subject: ['miss', address], limit: MISSES }])
    return wait === null ? null : waitPage(page, wait)
  }

  /** Returns the form of a POST, or the page that refuses one that another site's page sent. */
  async readForm(c: Context, { business, locale }: Visit): Promise<SentForm | CustomerPage> {
    const form = await readForm(c, this.#dependencies.publicUrl)
    if (form !== null) return form
    const { m } = locale
    return {
      business,
      locale,
      title: m.forgedTitle(),
      status: 403,
      // Reloading would send the form of the other site again.
      body: html`<p>${m.forgedText()}</p>
        <a class="button" href="${pathWithLanguage(c.req.path, locale)}">${m.openAgain()}</a>
        ${accountLink(business, locale)}`
    }
  }

  /** Counts a form, for the code or else the address that sends it. Returns the page that refuses it after too many. */
  async limit(c: Context, visit: Visit, code?: string): Promise<CustomerPage | null> {
    const { business } = visit
    const known = await this.#knownDevice(visit)
    const wait = await this.#attempts.firstExceeded([
      code === undefined
        ? { subject: ['form', known ?? this.#dependencies.addressOf(c)], limit: FORMS_OF_SENDER }
        : { subject: ['code', business.id, code, known ?? ''], limit: FORMS_OF_CODE }
    ])
    return wait === null ? null : waitPage(visit, wait)
  }

  /** A device with which a customer has collected, or that staff have linked, is not counted with strangers. */
  async #knownDevice({ device }: Visit): Promise<string | null> {
    if (device === null) return null
    if (device.customer !== null) return device.id
    return (await this.#devices.collected(device)).length > 0 ? device.id : null
  }
}

/** The page for too many attempts. */
const waitPage = (page: Pick<CustomerPage, 'business' | 'locale'>, minutes: number): CustomerPage => {
  const { m } = page.locale
  return messagePage(page, {
    title: m.waitTitle(),
    text: m.waitText(countOf(minutes, page.locale)),
    status: 429
  })
}

/** Responds that there is no such page. */
export const respondNotFound = (c: Context): Promise<Response> => {
  const locale = localeOfRequest(c, null)
  const { m } = locale
  const text = { title: m.notFoundTitle(), text: m.notFoundText(), status: 404 } as const
  return respondPage(c, messagePage({ business: null, locale }, text))
}
