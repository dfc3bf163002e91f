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
import { respondNotFound, type PagesDependencies, type Visit, type Visits } from './visits.ts'

/** The outcome of the form by which an account is deleted. */
const DELETED = 'deleted'
/** The outcome of the form by which a device asks for its digits. */
const ASKED = 'asked'

/** A visit by a device that is linked to a customer. */
interface LinkedVisit extends Visit {
  readonly device: NonNullable<Visit['device']>
  readonly customer: string
}

/** What a visit gets: a page, or a response. */
type Answer = Promise<CustomerPage | Response>

const linkedVisit = (visit: Visit): LinkedVisit | null => {
  const { device } = visit
  const customer = device?.customer ?? null
  return device === null || customer === null ? null : { ...visit, device, customer }
}

/** The routes below `/me/`. */
export class AccountPages {
  readonly #dependencies: PagesDependencies
  readonly #visits: Visits
  readonly #devices: DeviceStore
  readonly #codes: CustomerCodes
  readonly #identities: Identities
  readonly #rewards: RewardStore
  readonly #rules: RulesStore
  readonly #standings: StandingStore

  constructor(dependencies: PagesDependencies, visits: Visits) {
    this.#dependencies = dependencies
    this.#visits = visits
    this.#devices = new DeviceStore(dependencies)
    this.#codes = new CustomerCodes(dependencies)
    this.#identities = new Identities(dependencies.database, dependencies.now)
    this.#rewards = new RewardStore(dependencies.database)
    this.#rules = new RulesStore(dependencies.database)
    this.#standings = new StandingStore(dependencies.database, dependencies.now)
  }

  addRoutes(routes: Hono): void {
    const get = (path: string, answer: (visit: Visit, c: Context) => Answer): void => {
      routes.get(path, (c) => this.#answer(c, (visit) => answer(visit, c)))
    }
    const post = (path: string, answer: (visit: Visit, form: SentForm, c: Context) => Answer): void => {
      routes.post(path, (c) =>
        this.#visits.post(c, accountPath({ id: c.req.param('business') ?? '' }), () =>
          this.#answer(c, async (visit) => {
            const form = await this.#visits.readForm(c, visit, accountPath(visit.business))
            return form instanceof SentForm ? answer(visit, form, c) : form
          })
        )
      )
    }
    /** For devices that are linked; others are sent to the page of an unlinked one. */
    const linked =
      (answer: (visit: LinkedVisit, c: Context) => Answer) =>
      (visit: Visit, c: Context): Answer => {
        const own = linkedVisit(visit)
        return own === null ? this.#toOverview(visit, c) : answer(own, c)
      }
    get('/me/:business', (visit) => this.#show(visit))
    get('/me/:business/link', (visit, c) => this.#showDigits(visit, c))
    get(
      '/me/:business/unlink',
      linked((visit, c) => Promise.resolve(this.#unlinkPage(visit, c)))
    )
    get('/me/:business/relink', (visit, c) => this.#toOverview(visit, c))
    get('/me/:business/birthday', (visit, c) => this.#toOverview(visit, c))
    get(
      '/me/:business/data.json',
      linked((visit) => this.#export(visit))
    )
    get(
      '/me/:business/delete',
      linked((visit) => Promise.resolve(this.#deletePage(visit)))
    )
    post('/me/:business/link', (visit, _form, c) => this.#offerLink(visit, c))
    post('/me/:business/unlink', (visit, form, c) => this.#unlink(visit, form, c))
    post('/me/:business/relink', (visit, form, c) => this.#relink(visit, form, c))
    post('/me/:business/birthday', (visit, form, c) => this.#keepBirthday(visit, form, c))
    post('/me/:business/delete', (visit, form, c) => this.#delete(visit, form, c))
    routes.get('/me/:business/code', async (c) => {
      const visit = await this.#visits.open(c, c.req.param('business'))
      return visit === null ? respondNotFound(c) : this.#codes.respond(c, visit)
    })
  }

  async #answer(c: Context, answer: (visit: Visit) => Answer): Promise<Response> {
    const visit = await this.#visits.open(c, c.req.param('business') ?? '')
    if (visit === null) return respondNotFound(c)
    const answered = await answer(visit)
    return answered instanceof Response ? answered : respondPage(c, answered)
  }

  #toOverview({ business, locale }: Visit, c: Context): Promise<Response> {
    return Promise.resolve(c.redirect(pathWithLanguage(accountPath(business), locale), 303))
  }

  async #show(visit: Visit): Promise<CustomerPage> {
    const { business, locale, device, left } = visit
    const { m } = locale
    if (left?.outcome === DELETED && linkedVisit(visit) === null) {
      const deleted = messagePage({ business, locale }, { title: m.deletedTitle(), text: m.deletedText() })
      return { ...deleted, isDone: true }
    }
    const rewards = await this.#rewards.all(business.key)
    const own = linkedVisit(visit)
    const unlinked = device === null ? [] : await this.#devices.unlinked(device)
    const kept = own === null ? null : await this.#kept(own)
    const collected = device === null || kept !== null ? [] : await this.#devices.collected(device)
    const content =
      kept === null
        ? unlinkedContent(visit, { rewards, unlinked, collected })
        : linkedContent(visit, { ...kept, rewards, unlinked, code: this.#codes.frame(visit) })
    return { business, locale, ...content }
  }

  /** What the page shows of the customer of a linked device; null for one who was erased meanwhile. */
  async #kept({ business, customer }: LinkedVisit) {
    const kept = await this.#identities.overview(business.key, customer, SHOWN_ENTRIES)
    const standing = await this.#standings.find(business.key, customer)
    if (kept === null || standing === null) return null
    const { rules } = await this.#rules.current(business.key)
    return { kept, standing, birthdayPoints: rules?.birthdayPoints ?? 0 }
  }

  async #keepBirthday(visit: Visit, form: SentForm, c: Context): Promise<Response> {
    const own = linkedVisit(visit)
    if (own === null) return this.#toOverview(visit, c)
    const birthday = parseBirthday(form)
    const { database } = this.#dependencies
    if (birthday !== undefined) await keepBirthday(database, own.business.key, own.customer, birthday)
    return this.#visits.answer(c, visit, accountPath(visit.business), birthdayOutcome(birthday), form.texts)
  }

  async #offerLink(visit: Visit, c: Context): Promise<Response> {
    await this.#devices.offerLink(await this.#visits.deviceOf(c, visit))
    return this.#visits.answer(c, visit, accountPath(visit.business, '/link'), ASKED)
  }

  /** The digits that the device has asked for. They stay the same for their time, however often the page is loaded. */
  async #showDigits(visit: Visit, c: Context): Answer {
    const { business, locale, device, left } = visit
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
    if (device?.customer !== null) return this.#toOverview(visit, c)
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
  #unlinkPage({ business, locale, device }: LinkedVisit, c: Context): CustomerPage {
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

  async #unlink(visit: Visit, form: SentForm, c: Context): Promise<Response> {
    const own = linkedVisit(visit)
    if (own !== null) {
      try {
        await this.#devices.unlinkOwn(visit.business.key, own.customer, form.text('device'))
      } catch (error) {
        // Staff or another device have unlinked it.
        if (!(error instanceof Refusal)) throw error
      }
    }
    return this.#toOverview(visit, c)
  }

  /** Takes unlinking back. Who waits too long has the device linked in the shop again. */
  async #relink(visit: Visit, form: SentForm, c: Context): Promise<Response> {
    if (visit.device !== null) await this.#devices.relink(visit.device, form.text('device'))
    return this.#toOverview(visit, c)
  }

  async #export({ business, customer }: LinkedVisit): Promise<Response> {
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

  #deletePage({ business, locale, customer }: LinkedVisit): CustomerPage {
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
  async #delete(visit: Visit, form: SentForm, c: Context): Promise<Response> {
    const { key } = visit.business
    const own = linkedVisit(visit)
    if (own !== null) await this.#identities.erase(key, own.customer)
    else if (!(await this.#identities.isErased(key, form.text('customer')))) return this.#toOverview(visit, c)
    return this.#visits.answer(c, visit, accountPath(visit.business), DELETED)
  }
}
