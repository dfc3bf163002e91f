/** What the pages need to know of a request: whose page it is, which device asks, and whether it asks too often. */
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { StoredBusiness } from '../domain/businesses.ts'
import type { RandomBytes } from '../domain/identifiers.ts'
import { AttemptStore, type Attempt, type AttemptLimit, type CountedAttempts } from '../store/attempts.ts'
import { BusinessStore } from '../store/businesses.ts'
import type { Database } from '../store/database.ts'
import { DeviceStore, type CollectedCode, type NewDevice, type StoredDevice } from '../store/devices.ts'
import { countOf } from '../html/locale.ts'
import { LANGUAGE_FIELD, withParameter } from '../html/document.ts'
import { KeptForms, TYPED, withNotice, type FoundForm, type LeftForm } from '../html/kept-forms.ts'
import type { SentForm } from '../html/sent-form.ts'
import { languageOf } from '../../contract/language.ts'
import { localeOfRequest, type CustomerLocale } from './customer-locale.ts'
import { messagePage, pathWithLanguage, respondPage, type CustomerPage } from './page.ts'

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

/** A request for a page of customers: the business that the page is of, and the device that asks. */
export interface CustomerRequest {
  readonly business: StoredBusiness
  readonly locale: CustomerLocale
  readonly device: StoredDevice | null
  /** what a form has left for this page */
  readonly left: FoundForm | null
}

/** A form that is this service's own, with what it counts for. */
export interface ReceivedForm {
  readonly form: SentForm
  readonly attempt: Attempt
  /** what was counted for it, where that was read with the code; null: nothing */
  readonly counted?: CountedAttempts | null | undefined
}

/** The code whose form is sent, and what was collected with the device before. */
interface FormOfCode {
  readonly code: string
  readonly collected: readonly CollectedCode[]
  /** forms of strangers; null: none */
  readonly attempts: CountedAttempts | null
}

/** Forms for a code are counted for it: those of strangers together, those of a known device by its id. */
export const formsOfCode = (code: string, device = ''): readonly string[] => ['code', code, device]

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
export class CustomerRequests {
  readonly #dependencies: PagesDependencies
  readonly #businesses: BusinessStore
  readonly #devices: DeviceStore
  readonly #attempts: AttemptStore
  readonly #forms: KeptForms

  constructor(dependencies: PagesDependencies) {
    const { database, now, random } = dependencies
    this.#dependencies = dependencies
    this.#businesses = new BusinessStore(database)
    this.#devices = new DeviceStore({ database, now, random })
    this.#attempts = new AttemptStore(database, now)
    this.#forms = new KeptForms(dependencies)
  }

  /** Returns what a page of a business needs to know of its request; null if there is no such business. */
  async open(c: Context, businessId: string): Promise<CustomerRequest | null> {
    const business = await this.#businesses.find(businessId)
    return business === null ? null : this.requestOf(c, business)
  }

  /** Returns what a page of a business needs to know of its request. */
  async requestOf(c: Context, business: StoredBusiness): Promise<CustomerRequest> {
    const cookie = getCookie(c, cookieName(business))
    const device = cookie === undefined ? null : await this.#devices.find(business.key, cookie)
    return { business, locale: localeOfRequest(c, business), device, left: await this.#forms.find(c) }
  }

  /** Returns the device that asks, or adds one and gives it its cookie. */
  async deviceOf(c: Context, { business, device }: CustomerRequest): Promise<StoredDevice> {
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
    if (wait === null) return null
    const { m } = page.locale
    const text = m.waitText(countOf(wait, page.locale))
    return messagePage(page, { title: m.waitTitle(), text, status: 429 })
  }

  /** Answers a POST of the form at `path`, where it is given back if `answer` fails. */
  post(c: Context, path: string, answer: () => Promise<Response>): Promise<Response> {
    return this.#forms.answer(c, () => pathWithLanguage(path, localeOfRequest(c, null)), answer)
  }

  /** Answers a form: sends the browser to the page at `path`, which finds there what became of the form. */
  answer(
    c: Context,
    { locale }: CustomerRequest,
    path: string,
    outcome: string,
    texts = {}
  ): Promise<Response> {
    return this.#forms.redirect(c, pathWithLanguage(path, locale), { outcome, texts })
  }

  /** Returns what `answer` keeps, for changes that are committed with it, and the answer. */
  leave(c: Context, { locale }: CustomerRequest, path: string, outcome: string, texts = {}): LeftForm {
    return this.#forms.prepare(c, pathWithLanguage(path, locale), { outcome, texts })
  }

  /** Returns the form of a POST as `receive` does, counted. */
  async readForm(c: Context, request: CustomerRequest, path: string): Promise<SentForm | Response> {
    const received = await this.receive(c, request, path)
    if (received instanceof Response) return received
    return (await this.count(c, request, path, received)) ?? received.form
  }

  /**
   * Returns the form of a POST, which is to be counted for the code or else the address that sends it. Returns the answer,
   * which leads to the page at `path`, to a form of another site, and to one that asks for its page in another language.
   */
  async receive(
    c: Context,
    request: CustomerRequest,
    path: string,
    ofCode?: FormOfCode
  ): Promise<ReceivedForm | Response> {
    const { locale } = request
    const form = await this.#forms.read(c)
    if (form === null) return c.redirect(withNotice(pathWithLanguage(path, locale), 'forged'), 303)
    const language = languageOf(form.text(LANGUAGE_FIELD))
    const known = await this.#knownDevice(request, ofCode?.collected)
    const attempt =
      ofCode === undefined || language !== undefined
        ? { subject: ['form', known ?? this.#dependencies.addressOf(c)], limit: FORMS_OF_SENDER }
        : { subject: formsOfCode(ofCode.code, known ?? ''), limit: FORMS_OF_CODE }
    if (language === undefined)
      return { form, attempt, counted: known === null ? ofCode?.attempts : undefined }
    const { texts } = form
    return (
      (await this.count(c, request, path, { form, attempt })) ??
      this.#forms.redirect(c, withParameter(path, 'lang', language), { outcome: TYPED, texts })
    )
  }

  /** Counts a form. Returns the answer to one too many, which leads to the page at `path`, or null. */
  async count(
    c: Context,
    request: CustomerRequest,
    path: string,
    received: ReceivedForm
  ): Promise<Response | null> {
    const wait = await this.#attempts.firstExceeded([received.attempt])
    return this.#tooMany(c, request, path, received, wait)
  }

  /** Returns the answer to a form that would be one too many, without counting it, or null. */
  async refused(
    c: Context,
    request: CustomerRequest,
    path: string,
    received: ReceivedForm
  ): Promise<Response | null> {
    const wait = await this.#attempts.isExceeded(received.attempt, received.counted)
    return this.#tooMany(c, request, path, received, wait)
  }

  #tooMany(
    c: Context,
    { locale }: CustomerRequest,
    path: string,
    { form }: ReceivedForm,
    wait: number | null
  ): Response | null {
    return wait === null ? null : this.#forms.giveBack(c, pathWithLanguage(path, locale), wait, form)
  }

  /** A device with which a customer has collected, or that staff have linked, is not counted with strangers. */
  async #knownDevice(
    { device }: CustomerRequest,
    collected?: readonly CollectedCode[]
  ): Promise<string | null> {
    if (device === null) return null
    if (device.customer !== null) return device.id
    return (collected ?? (await this.#devices.collected(device))).length > 0 ? device.id : null
  }
}

/** Responds that there is no such page. */
export const respondNotFound = (c: Context): Promise<Response> => {
  const locale = localeOfRequest(c, null)
  const { m } = locale
  const text = { title: m.notFoundTitle(), text: m.notFoundText(), status: 404 } as const
  return respondPage(c, messagePage({ business: null, locale }, text))
}
