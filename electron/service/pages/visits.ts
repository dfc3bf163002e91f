/** What the pages need to know of a request: whose page it is, which device asks, and whether it asks too often. */
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { StoredBusiness } from '../domain/businesses.ts'
import type { RandomBytes } from '../domain/identifiers.ts'
import { AttemptStore, type AttemptLimit } from '../store/attempts.ts'
import { BusinessStore } from '../store/businesses.ts'
import type { Database } from '../store/database.ts'
import { DeviceStore, type StoredDevice } from '../store/devices.ts'
import { readForm } from './form.ts'
import { localeOfRequest, type PageLocale } from './locale.ts'
import { messagePage, respondPage, type CustomerPage } from './page.ts'

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
  readonly locale: PageLocale
  readonly device: StoredDevice | null
}

/** A device that was just added, or the one that asks. */
export type VisitingDevice = Pick<StoredDevice, 'id' | 'business' | 'customer'>

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
    if (business === null) return null
    const cookie = getCookie(c, cookieName(business))
    const device = cookie === undefined ? null : await this.#devices.find(business.key, cookie)
    return { business, locale: localeOfRequest(c, business), device }
  }

  /** Returns the visit of the business that issued something, by its key. */
  async openByKey(c: Context, key: StoredBusiness['key']): Promise<Visit> {
    const { id } = await this.#businesses.get(key)
    const visit = await this.open(c, id)
    if (visit === null) throw new Error(`business ${id} is gone`)
    return visit
  }

  /** Returns the device that asks, or adds one and gives it its cookie. */
  async deviceOf(c: Context, { business, device }: Visit): Promise<VisitingDevice> {
    if (device !== null) return device
    const { id, cookie } = await this.#devices.add(business.key)
    setCookie(c, cookieName(business), cookie, {
      httpOnly: true,
      secure: true,
      sameSite: 'Lax',
      path: '/',
      maxAge: COOKIE_SECONDS
    })
    return { id, business: business.key, customer: null }
  }

  /** Returns whether an address has found nothing too often. */
  async isGuessing(c: Context): Promise<boolean> {
    return this.#attempts.isExceeded(['miss', this.#dependencies.addressOf(c)], MISSES)
  }

  /** Counts that an address found nothing. */
  async countMiss(c: Context): Promise<void> {
    await this.#attempts.isAllowed(['miss', this.#dependencies.addressOf(c)], MISSES)
  }

  /**
   * Returns the form of a POST, or the page that refuses it: sent by another site's page, or too many from this address.
   * Nothing is changed then.
   */
  async readForm(c: Context, { business, locale }: Visit): Promise<URLSearchParams | CustomerPage> {
    const form = await readForm(c, this.#dependencies.publicUrl)
    const { m } = locale
    if (form === null) {
      const text = { title: m.forgedTitle(), text: m.forgedText(), status: 403 } as const
      return messagePage({ business, locale }, text)
    }
    const address = this.#dependencies.addressOf(c)
    const isAllowed = await this.#attempts.isAllowed(['form', address], FORMS_OF_ADDRESS)
    return isAllowed ? form : waitPage({ business, locale }, FORMS_OF_ADDRESS)
  }

  /** Counts a form for a code or a phone. Returns the page that refuses it when there were too many. */
  async limitSubject(
    { business, locale }: Visit,
    kind: 'code' | 'phone',
    subject: string
  ): Promise<CustomerPage | null> {
    const isAllowed = await this.#attempts.isAllowed([kind, business.id, subject], FORMS_OF_SUBJECT)
    return isAllowed ? null : waitPage({ business, locale }, FORMS_OF_SUBJECT)
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
    text: m.waitText({ minutes: String(minutes) }),
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
