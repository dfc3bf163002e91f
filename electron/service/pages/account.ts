/** `/me/{business}`: what a customer has and what it buys, on a device that staff have linked. */
import type { Context, Hono } from 'hono'
import { html } from 'hono/html'
import { Refusal } from '../domain/refusal.ts'
import { keepBirthday } from '../store/birthdays.ts'
import { DeviceStore } from '../store/devices.ts'
import { Identities } from '../store/identities.ts'
import { RewardStore } from '../store/rewards.ts'
import { RulesStore } from '../store/rules.ts'
import { StandingStore } from '../store/standing.ts'
import { timeText } from '../html/locale.ts'
import { SentForm } from '../html/sent-form.ts'
import { birthdayOutcome, parseBirthday } from './birthday.ts'
import { CustomerCodes } from './customer-code.ts'
import { linkedContent, oneButtonForm, SHOWN_ENTRIES, unlinkedContent } from './overview.ts'
import {
  accountPath,
  messagePage,
  otherBrowser,
  pathWithLanguage,
  respondPage,
  type CustomerPage
} from './page.ts'
import {
  respondNotFound,
  type PagesDependencies,
  type CustomerRequest,
  type CustomerRequests
} from './customer-requests.ts'

/** The outcome of the form by which an account is deleted. */
const DELETED = 'deleted'
/** The outcome of the form by which a device asks for its digits. */
const ASKED = 'asked'

/** A request by a device that is linked to a customer. */
interface LinkedRequest extends CustomerRequest {
  readonly device: NonNullable<CustomerRequest['device']>
  readonly customer: string
}

/** What a request gets: a page, or a response. */
type Answer = Promise<CustomerPage | Response>

const linkedRequest = (request: CustomerRequest): LinkedRequest | null => {
  const { device } = request
  const customer = device?.customer ?? null
  return device === null || customer === null ? null : { ...request, device, customer }
}

/** The routes below `/me/`. */
export class AccountPages {
  readonly #dependencies: PagesDependencies
  readonly #requests: CustomerRequests
  readonly #devices: DeviceStore
  readonly #codes: CustomerCodes
  readonly #identities: Identities
  readonly #rewards: RewardStore
  readonly #rules: RulesStore
  readonly #standings: StandingStore

  constructor(dependencies: PagesDependencies, requests: CustomerRequests) {
    this.#dependencies = dependencies
    this.#requests = requests
    this.#devices = new DeviceStore(dependencies)
    this.#codes = new CustomerCodes(dependencies)
    this.#identities = new Identities(dependencies.database, dependencies.now)
    this.#rewards = new RewardStore(dependencies.database)
    this.#rules = new RulesStore(dependencies.database)
    this.#standings = new StandingStore(dependencies.database, dependencies.now)
  }

  addRoutes(routes: Hono): void {
    const get = (path: string, answer: (request: CustomerRequest, c: Context) => Answer): void => {
      routes.get(path, (c) => this.#answer(c, (request) => answer(request, c)))
    }
    const post = (
      path: string,
      answer: (request: CustomerRequest, form: SentForm, c: Context) => Answer
    ): void => {
      routes.post(path, (c) =>
        this.#requests.post(c, accountPath({ id: c.req.param('business') ?? '' }), () =>
          this.#answer(c, async (request) => {
            const form = await this.#requests.readForm(c, request, accountPath(request.business))
            return form instanceof SentForm ? answer(request, form, c) : form
          })
        )
      )
    }
    /** For devices that are linked; others are sent to the page of an unlinked one. */
    const linked =
      (answer: (request: LinkedRequest, c: Context) => Answer) =>
      (request: CustomerRequest, c: Context): Answer => {
        const own = linkedRequest(request)
        return own === null ? this.#toOverview(request, c) : answer(own, c)
      }
    get('/me/:business', (request) => this.#show(request))
    get('/me/:business/link', (request, c) => this.#showDigits(request, c))
    get(
      '/me/:business/unlink',
      linked((request, c) => Promise.resolve(this.#unlinkPage(request, c)))
    )
    get('/me/:business/relink', (request, c) => this.#toOverview(request, c))
    get('/me/:business/birthday', (request, c) => this.#toOverview(request, c))
    get(
      '/me/:business/data.json',
      linked((request) => this.#export(request))
    )
    get(
      '/me/:business/delete',
      linked((request) => Promise.resolve(this.#deletePage(request)))
    )
    post('/me/:business/link', (request, _form, c) => this.#offerLink(request, c))
    post('/me/:business/unlink', (request, form, c) => this.#unlink(request, form, c))
    post('/me/:business/relink', (request, form, c) => this.#relink(request, form, c))
    post('/me/:business/birthday', (request, form, c) => this.#keepBirthday(request, form, c))
    post('/me/:business/delete', (request, form, c) => this.#delete(request, form, c))
    routes.get('/me/:business/code', async (c) => {
      const request = await this.#requests.open(c, c.req.param('business'))
      return request === null ? respondNotFound(c) : this.#codes.respond(c, request)
    })
  }

  async #answer(c: Context, answer: (request: CustomerRequest) => Answer): Promise<Response> {
    const request = await this.#requests.open(c, c.req.param('business') ?? '')
    if (request === null) return respondNotFound(c)
    const answered = await answer(request)
    return answered instanceof Response ? answered : respondPage(c, answered)
  }

  #toOverview({ business, locale }: CustomerRequest, c: Context): Promise<Response> {
    return Promise.resolve(c.redirect(pathWithLanguage(accountPath(business), locale), 303))
  }

  async #show(request: CustomerRequest): Promise<CustomerPage> {
    const { business, locale, device, left } = request
    const { m } = locale
    if (left?.outcome === DELETED && linkedRequest(request) === null) {
      const deleted = messagePage({ business, locale }, { title: m.deletedTitle(), text: m.deletedText() })
      return { ...deleted, isDone: true }
    }
    const rewards = await this.#rewards.all(business.key)
    const own = linkedRequest(request)
    const unlinked = device === null ? [] : await this.#devices.unlinked(device)
    const kept = own === null ? null : await this.#kept(own)
    const collected = device === null || kept !== null ? [] : await this.#devices.collected(device)
    const content =
      kept === null
        ? unlinkedContent(request, { rewards, unlinked, collected })
        : linkedContent(request, { ...kept, rewards, unlinked, code: this.#codes.frame(request) })
    return { business, locale, ...content }
  }

  /** What the page shows of the customer of a linked device; null for one who was erased meanwhile. */
  async #kept({ business, customer }: LinkedRequest) {
    const kept = await this.#identities.overview(business.key, customer, SHOWN_ENTRIES)
    const standing = await this.#standings.find(business.key, customer)
    if (kept === null || standing === null) return null
    const { rules } = await this.#rules.current(business.key)
    return { kept, standing, birthdayPoints: rules?.birthdayPoints ?? 0 }
  }

  async #keepBirthday(request: CustomerRequest, form: SentForm, c: Context): Promise<Response> {
    const own = linkedRequest(request)
    if (own === null) return this.#toOverview(request, c)
    const birthday = parseBirthday(form)
    const { database } = this.#dependencies
    if (birthday !== undefined) await keepBirthday(database, own.business.key, own.customer, birthday)
    return this.#requests.answer(
      c,
      request,
      accountPath(request.business),
      birthdayOutcome(birthday),
      form.texts
    )
  }

  async #offerLink(request: CustomerRequest, c: Context): Promise<Response> {
    await this.#devices.offerLink(await this.#requests.deviceOf(c, request))
    return this.#requests.answer(c, request, accountPath(request.business, '/link'), ASKED)
  }

  /** The digits that the device has asked for. They stay the same for their time, however often the page is loaded. */
  async #showDigits(request: CustomerRequest, c: Context): Answer {
    const { business, locale, device, left } = request
    const { m } = locale
    if (device === null && left?.outcome === ASKED) {
      const address = this.#dependencies.publicUrl + accountPath(business)
      return {
        business,
        locale,
        title: m.otherBrowserTitle(),
        body: otherBrowser(m.otherBrowserText(), address)
      }
    }
    if (device?.customer !== null) return this.#toOverview(request, c)
    const offered = await this.#devices.offered(device)
    if (offered === null) {
      return {
        business,
        locale,
        title: m.digitsOverTitle(),
        body: oneButtonForm(accountPath(business, '/link'), m.newDigits(), locale)
      }
    }
    const { digits, expiresAt } = offered
    return {
      business,
      locale,
      title: m.digitsTitle(),
      body: html`<p class="digits">
          <bdi dir="ltr"><span>${digits.slice(0, 3)}</span><span>${digits.slice(3)}</span></bdi>
        </p>
        <p>${m.digitsText({ time: timeText(expiresAt, locale), press: m.check() })}</p>
        <a class="button" href="${pathWithLanguage(accountPath(business), locale)}">${m.check()}</a>`
    }
  }

  /** Asks before a device is unlinked. */
  #unlinkPage({ business, locale, device }: LinkedRequest, c: Context): CustomerPage {
    const { m } = locale
    const unlinked = c.req.query('device') ?? device.id
    const isOwn = unlinked === device.id
    return {
      business,
      locale,
      title: isOwn ? m.unlinkTitle() : m.unlinkOtherTitle(),
      body: html`<p>${m.unlinkText()}</p>
        <a class="button" href="${pathWithLanguage(accountPath(business), locale)}">${m.keepLinked()}</a>
        ${oneButtonForm(accountPath(business, '/unlink'), m.unlink(), locale, { style: 'danger', hidden: { device: unlinked } })}`
    }
  }

  async #unlink(request: CustomerRequest, form: SentForm, c: Context): Promise<Response> {
    const own = linkedRequest(request)
    if (own !== null) {
      try {
        await this.#devices.unlinkOwn(request.business.key, own.customer, form.text('device'))
      } catch (error) {
        // Staff or another device have unlinked it.
        if (!(error instanceof Refusal)) throw error
      }
    }
    return this.#toOverview(request, c)
  }

  /** Takes unlinking back. Who waits too long has the device linked in the shop again. */
  async #relink(request: CustomerRequest, form: SentForm, c: Context): Promise<Response> {
    if (request.device !== null) await this.#devices.relink(request.device, form.text('device'))
    return this.#toOverview(request, c)
  }

  async #export({ business, customer }: LinkedRequest): Promise<Response> {
    const kept = await this.#identities.export(business.key, customer)
    return new Response(JSON.stringify({ business: business.name, ...kept }, null, 2), {
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Disposition': 'attachment; filename="my-data.json"',
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'no-store'
      }
    })
  }

  #deletePage({ business, locale, customer }: LinkedRequest): CustomerPage {
    const { m } = locale
    return {
      business,
      locale,
      title: m.deleteTitle(),
      body: html`<p>${m.deleteText()}</p>
        <a class="button" href="${pathWithLanguage(accountPath(business), locale)}">${m.keep()}</a>
        ${oneButtonForm(accountPath(business, '/delete'), m.deleteForGood(), locale, { style: 'danger', hidden: { customer } })}`
    }
  }

  /** A device is not linked to whom it has deleted, as by a first press. */
  async #delete(request: CustomerRequest, form: SentForm, c: Context): Promise<Response> {
    const { key } = request.business
    const own = linkedRequest(request)
    if (own !== null) await this.#identities.erase(key, own.customer)
    else if (!(await this.#identities.isErased(key, form.text('customer'))))
      return this.#toOverview(request, c)
    return this.#requests.answer(c, request, accountPath(request.business), DELETED)
  }
}
