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
  /** called with internal errors, whose details are not shown */
  readonly onInternalError: (error: unknown) => void
}

/** The business that a page is of, and the device that asks. */
export interface Visit {
  readonly business: StoredBusiness
  readonly locale: CustomerLocale
  readonly device: StoredDevice | null
}

/** Attempts of an address that found nothing, such as guessed codes. */
const MISSES: AttemptLimit = { count: 30, minutes: 10 }
/** Forms of an address: the guests of a shop share one. */
const FORMS_OF_ADDRESS: AttemptLimit = { count: 120, minutes: 10 }
/** Forms that name one code, or one phone. */
const FORMS_OF_SUBJECT: AttemptLimit = { count: 20, minutes: 60 }

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

  /** Returns whether an address has found nothing too often. */
  async isGuessing(c: Context): Promise<boolean> {
    return this.#attempts.isExceeded(['miss', this.#dependencies.addressOf(c)], MISSES)
  }

  /** Counts that an address found nothing. */
  async countMiss(c: Context): Promise<void> {
    await this.#attempts.isAllowed(['miss', this.#dependencies.addressOf(c)], MISSES)
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

  /**
   * Counts a form: for its address, and for the code and the phone that it names. Returns the page that refuses it when
   * there were too many.
   */
  async limit(
    c: Context,
    { business, locale }: Visit,
    { code, phone }: { readonly code?: string; readonly phone?: string | null } = {}
  ): Promise<CustomerPage | null> {
    const subjects = Object.entries({ code, phone })
    const exceeded = await this.#attempts.firstExceeded([
      { subject: ['form', this.#dependencies.addressOf(c)], limit: FORMS_OF_ADDRESS },
      ...subjects.flatMap(([kind, subject]) =>
        typeof subject === 'string'
          ? [{ subject: [kind, business.id, subject], limit: FORMS_OF_SUBJECT }]
          : []
      )
    ])
    return exceeded === null ? null : waitPage({ business, locale }, exceeded)
  }
}

/** The page for too many attempts. */
export const waitPage = (
  page: Pick<CustomerPage, 'business' | 'locale'>,
  { minutes }: AttemptLimit = MISSES
): CustomerPage => {
  const { m } = page.locale
  return messagePage(page, {
    title: m.waitTitle(),
    text: m.waitText({ count: minutes, number: String(minutes) }),
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
