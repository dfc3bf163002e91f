/** `/q/{code}`: a customer collects the points of a slip. A GET changes nothing, so that a preview of a link does not. */
import type { Context, Hono } from 'hono'
import { html } from 'hono/html'
import { codeStatus, normalizeCode, type StoredCode } from '../domain/codes.ts'
import type { CustomerIdentity } from '../domain/customers.ts'
import { newIdentifier } from '../domain/identifiers.ts'
import { CollectedTooSoon, Refusal } from '../domain/refusal.ts'
import { CodeStore } from '../store/codes.ts'
import { DeviceStore, type CollectedCode } from '../store/devices.ts'
import { Ledger, type LedgerRequest } from '../store/ledger.ts'
import { EMPTY_IDENTITY, identityFields, parseIdentity, type Identity, type TypedIdentity } from './form.ts'
import { textAround, type Html } from '../html/document.ts'
import { countOf, dateTimeText, dayOnOneLine, gainOf } from '../html/locale.ts'
import { SentForm } from '../html/sent-form.ts'
import { localeOfRequest } from './customer-locale.ts'
import { accountLink, messagePage, pathWithLanguage, respondPage, type CustomerPage } from './page.ts'
import type { PagesDependencies, Visit, Visits } from './visits.ts'

/** Who changes points by these pages, in the ledger. */
const BY_CUSTOMER = 'customer'

/** Who joins with this identity, unless the phone is known. */
export const newCustomer = ({ random }: PagesDependencies, { phone, name }: Identity): CustomerIdentity => ({
  id: newIdentifier('cus', random),
  name,
  phone,
  email: null
})

/** The routes below `/q/`. */
export class CollectPages {
  readonly #dependencies: PagesDependencies
  readonly #visits: Visits
  readonly #codes: CodeStore
  readonly #devices: DeviceStore
  readonly #ledger: Ledger

  constructor(dependencies: PagesDependencies, visits: Visits) {
    this.#dependencies = dependencies
    this.#visits = visits
    this.#codes = new CodeStore(dependencies.database)
    this.#devices = new DeviceStore(dependencies)
    this.#ledger = new Ledger(dependencies)
  }

  addRoutes(routes: Hono): void {
    routes.get('/q/:code', async (c) => respondPage(c, await this.#show(c, c.req.param('code'))))
    routes.post('/q/:code', async (c) => respondPage(c, await this.#collect(c, c.req.param('code'))))
  }

  async #show(c: Context, text: string): Promise<CustomerPage> {
    const opened = await this.#open(c, text)
    if ('title' in opened) return opened
    const { visit, stored, own } = opened
    if (own?.isReversed === true) return this.#cancelledPage(visit)
    if (own !== undefined) return this.#collectedPage(visit, stored)
    return this.#refusal(visit, stored) ?? this.#formPage(visit, stored, EMPTY_IDENTITY)
  }

  async #collect(c: Context, text: string): Promise<CustomerPage> {
    const opened = await this.#open(c, text)
    if ('title' in opened) return opened
    const { visit, stored } = opened
    const form = await this.#visits.readForm(c, visit)
    if (!(form instanceof SentForm)) return form
    const linked = visit.device?.customer ?? null
    const identity = parseIdentity(form, visit.business)
    const tooMany = await this.#visits.limit(c, visit, stored.code)
    if (tooMany !== null) return tooMany
    if (linked !== null) return this.#collectFor(c, opened, linked, html`${visit.locale.m.collectedLinked()}`)
    if ('fault' in identity) return { ...this.#formPage(visit, stored, identity), status: 422 }
    const { display } = identity
    const where = textAround(visit.locale.m.collectedFor({ phone: display }), display)
    return this.#collectFor(c, opened, identity, where)
  }

  /** Returns a code with the visit of the business that issued it, or the page that says that there is none. */
  async #open(
    c: Context,
    text: string
  ): Promise<
    | { readonly visit: Visit; readonly stored: StoredCode; readonly own: CollectedCode | undefined }
    | CustomerPage
  > {
    const code = normalizeCode(text)
    const issued = await this.#codes.findIssued(code)
    if (issued === null) {
      const page = { business: null, locale: localeOfRequest(c, null) }
      const { m } = page.locale
      const unknown = messagePage(page, { title: m.unknownTitle(), text: m.unknownText(), status: 404 })
      return (await this.#visits.missed(c, page)) ?? unknown
    }
    const { stored, business } = issued
    const visit = await this.#visits.visitOf(c, business)
    const collected = visit.device === null ? [] : await this.#devices.collected(visit.device)
    return { visit, stored, own: collected.find((each) => each.code === code) }
  }

  /** Gives the points, and remembers with which device. */
  async #collectFor(
    c: Context,
    { visit, stored }: { readonly visit: Visit; readonly stored: StoredCode },
    customer: string | Identity,
    where: Html
  ): Promise<CustomerPage> {
    const { business, locale } = visit
    try {
      const device = visit.device ?? this.#devices.create(business.key)
      const { key, collectPauseMinutes: pauseMinutes } = business
      const request = { business: key, by: BY_CUSTOMER, code: stored.code, pauseMinutes }
      const collector: Pick<LedgerRequest, 'customer' | 'named' | 'joining'> =
        typeof customer === 'string'
          ? { customer }
          : { customer: customer.phone, named: 'phone', joining: newCustomer(this.#dependencies, customer) }
      // Who is not known joins in the same transaction, so not for a code that gives nothing.
      const { entry, isRepeated } = await this.#ledger.collect({ ...request, ...collector }, (queries) =>
        this.#devices.addCollected(queries, device, stored.code)
      )
      if (isRepeated !== true) this.#dependencies.onCollected()
      if ('cookie' in device) this.#visits.giveCookie(c, business, device)
      const collection = isRepeated === true ? await this.#codes.collection(key, stored.code) : null
      if ((collection?.reversal ?? null) !== null) return this.#cancelledPage(visit)
      return this.#gainedPage(visit, entry.points, where)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error instanceof CollectedTooSoon) return await this.#tooSoonPage(visit, stored, error)
      const now = (await this.#codes.find(business.key, stored.code)) ?? stored
      return this.#refusal({ business, locale, device: null }, now) ?? this.#usedPage(visit)
    }
  }

  #gainedPage({ business, locale }: Visit, points: number, where: Html): CustomerPage {
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
  #collectedPage(visit: Visit, { points, usedAt, createdAt }: StoredCode): CustomerPage {
    const { m } = visit.locale
    const date = dayOnOneLine(usedAt ?? createdAt, visit.locale)
    return this.#gainedPage(visit, points, html`${m.collectedOn({ date })}`)
  }

  /** The page of a code that is not active; null for an active one. */
  #refusal(visit: Visit, stored: StoredCode): CustomerPage | null {
    const { locale } = visit
    const { m } = locale
    switch (codeStatus(stored, this.#dependencies.now())) {
      case 'active':
        return null
      case 'used':
        return this.#usedPage(visit)
      case 'expired':
        return messagePage(visit, {
          title: m.expiredTitle(),
          text: m.expiredText({ date: dayOnOneLine(stored.expiresAt, locale) }),
          status: 410
        })
      case 'cancelled':
        return this.#cancelledPage(visit)
    }
  }

  /** The page of a code that staff have cancelled, before or after it was collected. */
  #cancelledPage(visit: Visit): CustomerPage {
    const { m } = visit.locale
    return messagePage(visit, { title: m.cancelledTitle(), text: m.cancelledText(), status: 410 })
  }

  /** Only the customer's own device is told the time: others would learn from it when somebody was here last. */
  async #tooSoonPage(
    visit: Visit,
    { expiresAt }: StoredCode,
    { next, lastCode }: CollectedTooSoon
  ): Promise<CustomerPage> {
    const { locale, device } = visit
    const { m } = locale
    const date = dayOnOneLine(expiresAt, locale)
    const isOwn =
      device !== null &&
      (device.customer !== null ||
        (await this.#devices.collected(device)).some(({ code }) => code === lastCode))
    const text = isOwn
      ? m.tooSoonText({ time: dateTimeText(next, locale), date })
      : m.tooSoonForText({ date })
    return messagePage(visit, { title: m.tooSoonTitle(), text, status: 422 })
  }

  #usedPage(visit: Visit): CustomerPage {
    const { m } = visit.locale
    return messagePage(visit, { title: m.usedTitle(), text: m.usedText(), status: 410 })
  }

  #formPage(visit: Visit, { code, points }: StoredCode, typed: TypedIdentity): CustomerPage {
    const { business, locale, device } = visit
    const { m } = locale
    const isLinked = device !== null && device.customer !== null
    const fields: Html = isLinked
      ? html`<p>${m.collectLinked()}</p>`
      : identityFields(typed, business, locale)
    const count = countOf(points, locale)
    return {
      business,
      locale,
      title: m.yourPoints(),
      figure: textAround(m.points(count), count.number),
      path: `/q/${code}`,
      body: html`<hr />
        <form method="post" action="${pathWithLanguage(`/q/${code}`, locale)}">
          ${fields}
          <button>${m.collect()}</button>
        </form>`
    }
  }
}
