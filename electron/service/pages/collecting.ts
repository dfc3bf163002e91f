/** `/q/{code}`: a customer collects the points of a slip. A GET changes nothing, so that a preview of a link does not. */
import type { Context, Hono } from 'hono'
import { html } from 'hono/html'
import { codeStatus, normalizeCode, type StoredCode } from '../domain/codes.ts'
import type { CustomerIdentity } from '../domain/customers.ts'
import { newIdentifier } from '../domain/identifiers.ts'
import { CollectedTooSoon, Refusal } from '../domain/refusal.ts'
import { CodeStore } from '../store/codes.ts'
import { CustomerStore } from '../store/customers.ts'
import { DeviceStore, type CollectedCode } from '../store/devices.ts'
import { Ledger, type LedgerRequest } from '../store/ledger.ts'
import { TYPED_FORM } from '../html/fields.ts'
import { identityFields, maskedCustomer, parseIdentity, type Identity } from './form.ts'
import { textAround, withParameter, type Html } from '../html/document.ts'
import { countOf, dateTimeText, dayOnOneLine, gainOf } from '../html/locale.ts'
import { SentForm } from '../html/sent-form.ts'
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
import type { PagesDependencies, Visit, Visits } from './visits.ts'

/** Who changes points by these pages, in the ledger. */
const BY_CUSTOMER = 'customer'

/** The outcomes of a form, in which the texts are a phone and the next time. */
const COLLECTED = 'collected'
const TOO_SOON = 'too-soon'

/** The parameter of the form for another number than that of the linked customer. */
const OTHER_NUMBER = 'other'

/** Who joins with this identity, unless the phone is known. */
export const newCustomer = ({ random }: PagesDependencies, { phone, name }: Identity): CustomerIdentity => ({
  id: newIdentifier('cus', random),
  name,
  phone,
  email: null
})

/** A code with the visit of the business that issued it. */
interface OpenedCode {
  readonly visit: Visit
  readonly stored: StoredCode
  /** what this device has collected with it */
  readonly own: CollectedCode | undefined
}

/** The routes below `/q/`. */
export class CollectPages {
  readonly #dependencies: PagesDependencies
  readonly #visits: Visits
  readonly #codes: CodeStore
  readonly #customers: CustomerStore
  readonly #devices: DeviceStore
  readonly #ledger: Ledger

  constructor(dependencies: PagesDependencies, visits: Visits) {
    this.#dependencies = dependencies
    this.#visits = visits
    this.#codes = new CodeStore(dependencies.database)
    this.#customers = new CustomerStore(dependencies.database)
    this.#devices = new DeviceStore(dependencies)
    this.#ledger = new Ledger(dependencies)
  }

  addRoutes(routes: Hono): void {
    routes.get('/q/:code', async (c) => respondPage(c, await this.#show(c, c.req.param('code'))))
    routes.post('/q/:code', (c) =>
      this.#visits.post(c, c.req.path, () => this.#collect(c, c.req.param('code')))
    )
  }

  async #show(c: Context, text: string): Promise<CustomerPage> {
    const opened = await this.#open(c, text)
    if (opened === null) {
      const page = { business: null, locale: localeOfRequest(c, null) }
      return (await this.#visits.missed(c, page)) ?? unknownCodePage(page, text)
    }
    const { visit, stored, own } = opened
    const { left } = visit
    if (own?.isReversed === true) return this.#cancelledPage(visit)
    if (left?.outcome === COLLECTED) return this.#leftCollectedPage(visit, stored, left.texts)
    if (own !== undefined) return this.#collectedPage(visit, stored)
    if (left?.outcome === TOO_SOON) return this.#tooSoonPage(visit, stored, left.texts['next'])
    return this.#refusal(visit, stored) ?? this.#formPage(c, visit, stored)
  }

  async #collect(c: Context, text: string): Promise<Response> {
    const opened = await this.#open(c, text)
    if (opened === null) return c.redirect(c.req.path, 303)
    const { visit, stored } = opened
    const path = `/q/${stored.code}`
    const form = await this.#visits.readForm(c, visit, path, stored.code)
    if (!(form instanceof SentForm)) return form
    const linked = visit.device?.customer ?? null
    if (linked !== null && form.text(OTHER_NUMBER) === '') return this.#collectFor(c, opened, linked, '')
    const identity = parseIdentity(form, visit.business)
    if ('fault' in identity) return this.#visits.answer(c, visit, path, identity.fault, form.texts)
    return this.#collectFor(c, opened, identity, identity.display)
  }

  /** Returns a code with its visit, or null if there is no such code. */
  async #open(c: Context, text: string): Promise<OpenedCode | null> {
    const code = normalizeCode(text)
    const issued = await this.#codes.findIssued(code)
    if (issued === null) return null
    const { stored, business } = issued
    const visit = await this.#visits.visitOf(c, business)
    const collected = visit.device === null ? [] : await this.#devices.collected(visit.device)
    return { visit, stored, own: collected.find((each) => each.code === code) }
  }

  /** Gives the points, and remembers with which device. @param phone for the page that says so; empty for a linked device */
  async #collectFor(
    c: Context,
    { visit, stored }: OpenedCode,
    customer: string | Identity,
    phone: string
  ): Promise<Response> {
    const { business } = visit
    const path = `/q/${stored.code}`
    try {
      const device = visit.device ?? this.#devices.create(business.key)
      const { key, collectPauseMinutes: pauseMinutes } = business
      const request = { business: key, by: BY_CUSTOMER, code: stored.code, pauseMinutes }
      const collector: Pick<LedgerRequest, 'customer' | 'named' | 'joining'> =
        typeof customer === 'string'
          ? { customer }
          : { customer: customer.phone, named: 'phone', joining: newCustomer(this.#dependencies, customer) }
      // Who is not known joins in the same transaction, so not for a code that gives nothing.
      const { isRepeated } = await this.#ledger.collect({ ...request, ...collector }, (queries) =>
        this.#devices.addCollected(queries, device, stored.code)
      )
      if (isRepeated !== true) this.#dependencies.onCollected()
      if ('cookie' in device) this.#visits.giveCookie(c, business, device)
      return await this.#visits.answer(c, visit, path, COLLECTED, { phone })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error instanceof CollectedTooSoon) {
        const next = await this.#nextTime(visit, error)
        return this.#visits.answer(c, visit, path, TOO_SOON, next === undefined ? {} : { next })
      }
      return c.redirect(pathWithLanguage(path, visit.locale), 303)
    }
  }

  /** Only the customer's own device is told the time: others would learn from it when the customer was here last. */
  async #nextTime({ device }: Visit, { next, lastCode }: CollectedTooSoon): Promise<string | undefined> {
    if (device === null) return undefined
    const isOwn =
      device.customer !== null ||
      (await this.#devices.collected(device)).some(({ code }) => code === lastCode)
    return isOwn ? next : undefined
  }

  /** The page after collecting, which a browser without cookies shows, too. */
  async #leftCollectedPage(
    visit: Visit,
    stored: StoredCode,
    { phone = '' }: Readonly<Record<string, string>>
  ): Promise<CustomerPage> {
    const { business, device, locale } = visit
    const { m } = locale
    const collection = await this.#codes.collection(business.key, stored.code)
    if ((collection?.reversal ?? null) !== null) return this.#cancelledPage(visit)
    const where = phone === '' ? html`${m.collectedLinked()}` : textAround(m.collectedFor({ phone }), phone)
    const page = this.#gainedPage(visit, stored, where)
    if (device !== null) return page
    const { publicUrl } = this.#dependencies
    return {
      ...page,
      body: html`<p>${where}</p>
        ${otherBrowser(m.notRemembered(), publicUrl + accountPath(business))}`
    }
  }

  #gainedPage({ business, locale }: Visit, { points }: StoredCode, where: Html): CustomerPage {
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
  #collectedPage(visit: Visit, stored: StoredCode): CustomerPage {
    const { m } = visit.locale
    const date = dayOnOneLine(stored.usedAt ?? stored.createdAt, visit.locale)
    return this.#gainedPage(visit, stored, html`${m.collectedOn({ date })}`)
  }

  /** The page of a code that is not active; null for an active one. */
  #refusal(visit: Visit, stored: StoredCode): CustomerPage | null {
    const { locale } = visit
    const { m } = locale
    switch (codeStatus(stored, this.#dependencies.now())) {
      case 'active':
        return null
      case 'used':
        return messagePage(visit, { title: m.usedTitle(), text: m.usedText(), status: 410 })
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

  /** @param next ISO 8601, UTC; undefined for a device that is not told */
  #tooSoonPage(visit: Visit, { expiresAt }: StoredCode, next: string | undefined): CustomerPage {
    const { locale } = visit
    const { m } = locale
    const date = dayOnOneLine(expiresAt, locale)
    const text =
      next === undefined
        ? m.tooSoonForText({ date })
        : m.tooSoonText({ time: dateTimeText(next, locale), date })
    return messagePage(visit, { title: m.tooSoonTitle(), text })
  }

  async #formPage(c: Context, visit: Visit, { code, points }: StoredCode): Promise<CustomerPage> {
    const { business, locale, device, left } = visit
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
      body: html`<hr />
        <form method="post" action="${pathWithLanguage(path, locale)}" id="${TYPED_FORM}">
          ${content.fields}
          <button>${m.collect()}</button>
        </form>
        ${content.below}`
    }
  }
}
