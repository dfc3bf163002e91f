/** `/q/{code}`: a customer collects the points of a slip. A GET changes nothing, so that a preview of a link does not. */
import type { Context, Hono } from 'hono'
import { html } from 'hono/html'
import type { OfflineRefusal } from '../../contract/offline.ts'
import { codeStatus, normalizeCode, type StoredCode } from '../domain/codes.ts'
import { CollectedTooSoon, Refusal } from '../domain/refusal.ts'
import { attemptKey, type CountedAttempts } from '../store/attempts.ts'
import { CodeStore } from '../store/codes.ts'
import { CollectStore, type CollectRequest } from '../store/collects.ts'
import { CustomerStore } from '../store/customers.ts'
import { writeAll } from '../store/database.ts'
import { returnsOf } from '../store/return-rows.ts'
import { DeviceStore, type CollectedCode } from '../store/devices.ts'
import { OfflineCodeStore, type OpenedOfflineCode } from '../store/offline-codes.ts'
import { noteRefusals } from '../store/offline-refusals.ts'
import { buttonForm, TYPED_FORM } from '../html/fields.ts'
import { identityFields, maskedCustomer, newCustomer, parseIdentity, type Identity } from './form.ts'
import { textAround, withParameter, type Html } from '../html/document.ts'
import { countOf, dateTimeText, dayOnOneLine, gainOf } from '../html/locale.ts'
import { unknownCodePage } from './code-field.ts'
import { localeOfRequest } from './customer-locale.ts'
import {
  accountPath,
  accountLink,
  messagePage,
  otherBrowser,
  pathWithLanguage,
  respondPage,
  type CustomerPage
} from './page.ts'
import {
  formsOfCode,
  type PagesDependencies,
  type ReceivedForm,
  type CustomerRequest,
  type CustomerRequests
} from './customer-requests.ts'

/** Who changes points by these pages, in the ledger. */
const BY_CUSTOMER = 'customer'

/** The outcomes of a form, in which the texts are a phone and the next time. */
const COLLECTED = 'collected'
const TOO_SOON = 'too-soon'
const ASKED = 'asked'

/** The parameter of the form for another number than that of the linked customer. */
const OTHER_NUMBER = 'other'

/** A code, and the request for its page, which is of the business that issued it. */
interface OpenedCode {
  readonly request: CustomerRequest
  readonly stored: StoredCode
  /** what this device has collected */
  readonly collected: readonly CollectedCode[]
  /** null for one that is stored */
  readonly offline: OpenedOfflineCode | null
  /** forms of strangers for it; null: none */
  readonly attempts: CountedAttempts | null
}

/** The routes below `/q/`. */
export class CollectPages {
  readonly #dependencies: PagesDependencies
  readonly #requests: CustomerRequests
  readonly #codes: CodeStore
  readonly #customers: CustomerStore
  readonly #devices: DeviceStore
  readonly #collects: CollectStore
  readonly #offline: OfflineCodeStore

  constructor(dependencies: PagesDependencies, requests: CustomerRequests) {
    this.#dependencies = dependencies
    this.#requests = requests
    this.#codes = new CodeStore(dependencies.database)
    this.#customers = new CustomerStore(dependencies.database)
    this.#devices = new DeviceStore(dependencies)
    this.#collects = new CollectStore(dependencies)
    this.#offline = new OfflineCodeStore(dependencies)
  }

  addRoutes(routes: Hono): void {
    // In capitals on a slip that was made without a connection: its QR code is smaller.
    for (const path of ['/q/:code', '/Q/:code'] as const) {
      routes.get(path, async (c) => respondPage(c, await this.#show(c, c.req.param('code'))))
    }
    routes.post('/q/:code', (c) =>
      this.#requests.post(c, c.req.path, () => this.#collect(c, c.req.param('code')))
    )
  }

  async #show(c: Context, text: string): Promise<CustomerPage> {
    const opened = await this.#open(c, text)
    if (opened === null) {
      const page = { business: null, locale: localeOfRequest(c, null) }
      return (await this.#requests.missed(c, page)) ?? unknownCodePage(page, text)
    }
    const { request, stored, collected, offline } = opened
    const { left } = request
    const own = collected.find(({ code }) => code === stored.code)
    if (own?.isReversed === true) return this.#cancelledPage(request)
    if (left?.outcome === COLLECTED) return this.#leftCollectedPage(request, stored, left.texts)
    if (own !== undefined) return this.#collectedPage(request, stored)
    if (left?.outcome === TOO_SOON) return this.#tooSoonPage(request, stored, left.texts['next'])
    if (offline !== null && offline.reason !== null) {
      return this.#notAdmittedPage(request, stored, offline.reason)
    }
    return (await this.#refusal(request, stored)) ?? this.#formPage(c, request, stored)
  }

  async #collect(c: Context, text: string): Promise<Response> {
    const opened = await this.#open(c, text)
    if (opened === null) return c.redirect(c.req.path, 303)
    const { request, stored, collected, offline, attempts } = opened
    const path = `/q/${stored.code}`
    const refusal = offline?.reason ?? null
    // A till can make codes without end that are not taken: their forms are counted for who sends them.
    const ofCode = refusal === null ? { code: stored.code, collected, attempts } : undefined
    const received = await this.#requests.receive(c, request, path, ofCode)
    if (received instanceof Response) return received
    if (refusal !== null) return this.#ask(c, opened, received, refusal)
    const { form } = received
    const linked = request.device?.customer ?? null
    if (linked !== null && form.text(OTHER_NUMBER) === '') {
      return this.#collectFor(c, opened, received, linked)
    }
    const identity = parseIdentity(form, request.business)
    if (!('fault' in identity)) return this.#collectFor(c, opened, received, identity)
    return (
      (await this.#requests.count(c, request, path, received)) ??
      this.#requests.answer(c, request, path, identity.fault, form.texts)
    )
  }

  /** Returns a code and the request for its page, or null if there is no such code. */
  async #open(c: Context, text: string): Promise<OpenedCode | null> {
    const code = normalizeCode(text)
    const tried = attemptKey(formsOfCode(code))
    const made = await this.#offline.open(code, tried)
    // Of one that is not stored yet there is nothing else to read.
    const issued = made?.isStored === false ? null : await this.#codes.findIssued(code, tried)
    const offline = issued === null ? made : null
    const found = issued ?? offline
    if (found === null) return null
    const { stored, business, attempts } = found
    const request = await this.#requests.requestOf(c, business)
    const collected = request.device === null ? [] : await this.#devices.collected(request.device)
    return { request, stored, collected, offline, attempts }
  }

  /** Gives the points, and remembers with which device. @param customer id of the linked one, or who was typed in */
  async #collectFor(
    c: Context,
    opened: OpenedCode,
    received: ReceivedForm,
    customer: string | Identity
  ): Promise<Response> {
    const { request, stored, offline } = opened
    const { business } = request
    const path = `/q/${stored.code}`
    // The form that collects is not counted: of those for one code it is the only one.
    const tooMany = await this.#requests.refused(c, request, path, received)
    if (tooMany !== null) return tooMany
    try {
      const device = request.device ?? this.#devices.create(business.key)
      const { key, collectPauseMinutes: pauseMinutes, welcomePoints } = business
      const collection = {
        business: key,
        by: BY_CUSTOMER,
        code: stored.code,
        stored,
        pauseMinutes,
        welcomePoints,
        unadmitted: offline ?? undefined
      }
      const isLinked = typeof customer === 'string'
      const collector: Pick<CollectRequest, 'customer' | 'named' | 'joining'> = isLinked
        ? { customer, named: 'id' }
        : { customer: customer.phone, named: 'phone', joining: newCustomer(this.#dependencies, customer) }
      // The phone is for the page that says so.
      const texts = { phone: isLinked ? '' : customer.display }
      const left = this.#requests.leave(c, request, path, COLLECTED, texts)
      // Who is not known joins in the same transaction, so not for a code that gives nothing.
      const { isRepeated = false } = await this.#collects.collect({ ...collection, ...collector }, [
        ...this.#devices.collecting(device, stored.code),
        left.statement
      ])
      if (!isRepeated) this.#dependencies.onCollected()
      const oneTooMany = isRepeated ? await this.#requests.count(c, request, path, received) : null
      if (oneTooMany !== null) return oneTooMany
      if ('cookie' in device) this.#requests.giveCookie(c, business, device)
      return left.respond()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return (await this.#requests.count(c, request, path, received)) ?? this.#refused(c, opened, error)
    }
  }

  /** Tells the owner of a code that is not taken. */
  async #ask(
    c: Context,
    { request, stored: { code, till, points, offlineDay } }: OpenedCode,
    received: ReceivedForm,
    reason: OfflineRefusal
  ): Promise<Response> {
    const path = `/q/${code}`
    const tooMany = await this.#requests.count(c, request, path, received)
    if (tooMany !== null) return tooMany
    const { database, now } = this.#dependencies
    const by = { business: request.business.key, till: till ?? '', by: 'customer', at: now() } as const
    const left = this.#requests.leave(c, request, path, ASKED)
    await database.transaction(async (queries) => {
      await noteRefusals(queries, { ...by, codes: [{ code, points, day: offlineDay ?? '', reason }] })
      await writeAll(queries, [left.statement])
    })
    return left.respond()
  }

  /** Answers a form that collects nothing. */
  async #refused(c: Context, opened: OpenedCode, refusal: Refusal): Promise<Response> {
    const { request, stored } = opened
    const path = `/q/${stored.code}`
    if (!(refusal instanceof CollectedTooSoon)) {
      return c.redirect(pathWithLanguage(path, request.locale), 303)
    }
    const next = this.#nextTime(opened, refusal)
    return this.#requests.answer(c, request, path, TOO_SOON, next === undefined ? {} : { next })
  }

  /** Only the customer's own device is told the time: others would learn from it when the customer was here last. */
  #nextTime({ request, collected }: OpenedCode, { next, lastCode }: CollectedTooSoon): string | undefined {
    const { device } = request
    if (device === null) return undefined
    return device.customer !== null || collected.some(({ code }) => code === lastCode) ? next : undefined
  }

  /** The page after collecting, which a browser without cookies shows, too. */
  async #leftCollectedPage(
    request: CustomerRequest,
    stored: StoredCode,
    { phone = '' }: Readonly<Record<string, string>>
  ): Promise<CustomerPage> {
    const { business, device, locale } = request
    const { m } = locale
    const collection = await this.#codes.collection(business.key, stored.code)
    if ((collection?.reversal ?? null) !== null) return this.#cancelledPage(request)
    const where = phone === '' ? html`${m.collectedLinked()}` : textAround(m.collectedFor({ phone }), phone)
    const page = this.#gainedPage(request, stored, where)
    if (device !== null) return page
    const { publicUrl } = this.#dependencies
    return {
      ...page,
      body: html`<p>${where}</p>
        ${otherBrowser(m.notRemembered(), publicUrl + accountPath(business))}`
    }
  }

  #gainedPage({ business, locale }: CustomerRequest, { points }: StoredCode, where: Html): CustomerPage {
    const { m } = locale
    const gain = gainOf(points, locale)
    return {
      business,
      locale,
      title: m.collected(),
      figure: textAround(m.gained(gain), gain.number),
      isDone: true,
      body: html`<p>${where}</p>
        ${accountLink(business, locale)}`
    }
  }

  /** The page of a code that this device has collected. */
  #collectedPage(request: CustomerRequest, stored: StoredCode): CustomerPage {
    const { m } = request.locale
    const date = dayOnOneLine(stored.usedAt ?? stored.createdAt, request.locale)
    return this.#gainedPage(request, stored, html`${m.collectedOn({ date })}`)
  }

  /** The page of a code that is not active; null for an active one. */
  async #refusal(request: CustomerRequest, stored: StoredCode): Promise<CustomerPage | null> {
    const { locale } = request
    const { m } = locale
    switch (codeStatus(stored, this.#dependencies.now())) {
      case 'active':
        return null
      case 'used':
        return messagePage(request, { title: m.usedTitle(), text: m.usedText(), status: 410 })
      case 'expired':
        return messagePage(request, {
          title: m.expiredTitle(),
          text: m.expiredText({ date: dayOnOneLine(stored.expiresAt, locale) }),
          status: 410
        })
      case 'cancelled':
        return stored.points === 0 ? this.#returnedPage(request, stored) : this.#cancelledPage(request)
    }
  }

  /** What went back of a code with goods, and why. */
  async #takenBack(
    { locale }: CustomerRequest,
    { code, returnedPoints }: StoredCode
  ): Promise<readonly Html[]> {
    if (returnedPoints === 0) return []
    const { m } = locale
    const returns = await returnsOf(this.#dependencies.database, { target: 'code', name: code })
    return returns
      .filter(({ points }) => points > 0)
      .map(({ points, reason }) => {
        const text = m.takenBack({ points: m.points(countOf(points, locale)) })
        return html`<p class="muted">${text}${reason === null ? '' : html` · <bdi>${reason}</bdi>`}</p>`
      })
  }

  /** The page of a code of which all points went back with goods. */
  async #returnedPage(request: CustomerRequest, stored: StoredCode): Promise<CustomerPage> {
    const { m } = request.locale
    const page = messagePage(request, { title: m.cancelledTitle(), text: m.returnedText(), status: 410 })
    return { ...page, body: html`${page.body} ${await this.#takenBack(request, stored)}` }
  }

  /** The page of a code made without a connection that is not taken, which asks the shop. */
  #notAdmittedPage(request: CustomerRequest, { code }: StoredCode, reason: OfflineRefusal): CustomerPage {
    const { business, left, locale } = request
    const { m } = locale
    const text = {
      'key-unknown': m.unknownText,
      'key-revoked': m.offlineTillText,
      'above-code-limit': m.offlineCodeText,
      'above-day-limit': m.offlineDayLimitText,
      'day-not-allowed': m.offlineDayText
    }[reason]()
    if (left?.outcome === ASKED)
      return messagePage(request, { title: m.offlineAsked(), text: m.offlineShow() })
    const button = buttonForm(pathWithLanguage(`/q/${code}`, locale), m.offlineAsk(), { style: 'main' })
    return {
      ...{ business, locale, title: m.offlineTitle() },
      body: html`<p>${text}</p>
        ${button} ${accountLink(business, locale)}`
    }
  }

  /** The page of a code that staff have cancelled, before or after it was collected. */
  #cancelledPage(request: CustomerRequest): CustomerPage {
    const { m } = request.locale
    return messagePage(request, { title: m.cancelledTitle(), text: m.cancelledText(), status: 410 })
  }

  /** @param next ISO 8601, UTC; undefined for a device that is not told */
  #tooSoonPage(request: CustomerRequest, { expiresAt }: StoredCode, next: string | undefined): CustomerPage {
    const { locale } = request
    const { m } = locale
    const date = dayOnOneLine(expiresAt, locale)
    const text =
      next === undefined
        ? m.tooSoonForText({ date })
        : m.tooSoonText({ time: dateTimeText(next, locale), date })
    return messagePage(request, { title: m.tooSoonTitle(), text })
  }

  async #formPage(c: Context, request: CustomerRequest, stored: StoredCode): Promise<CustomerPage> {
    const { code, points } = stored
    const { business, locale, device, left } = request
    const { m } = locale
    const path = `/q/${code}`
    const count = countOf(points, locale)
    const linked = device?.customer ?? null
    const customer = linked === null ? null : await this.#customers.find(business.key, 'id', linked)
    const isOther = c.req.query(OTHER_NUMBER) !== undefined || left?.texts[OTHER_NUMBER] !== undefined
    const link = (to: string, text: string): Html => html`<a class="button quiet" href="${to}">${text}</a>`
    const content =
      customer !== null && !isOther
        ? {
            fields: html`<p>${m.collectLinked({ customer: maskedCustomer(customer) })}</p>`,
            below: link(withParameter(pathWithLanguage(path, locale), OTHER_NUMBER, 'yes'), m.anotherNumber())
          }
        : {
            fields: html`${customer === null ? '' : html`<input type="hidden" name="${OTHER_NUMBER}" value="yes" />`}
            ${identityFields(left, business, locale)}`,
            below: customer === null ? '' : link(pathWithLanguage(path, locale), m.linkedNumber())
          }
    return {
      business,
      locale,
      title: m.yourPoints(),
      figure: textAround(m.points(count), count.number),
      ...(customer !== null && !isOther ? {} : { form: TYPED_FORM }),
      body: html`${await this.#takenBack(request, stored)}
        <hr />
        <form method="post" action="${pathWithLanguage(path, locale)}" id="${TYPED_FORM}">
          ${content.fields}
          <button>${m.collect()}</button>
        </form>
        ${content.below}`
    }
  }
}
