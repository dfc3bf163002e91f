/** `/me/{business}`: what a customer has and what it buys, on a device that staff have linked; and `/join/{business}`. */
import type { Context, Hono } from 'hono'
import { html } from 'hono/html'
import { Refusal } from '../domain/refusal.ts'
import { DeviceStore } from '../store/devices.ts'
import { Identities, type CustomerExport } from '../store/identities.ts'
import { RewardStore } from '../store/rewards.ts'
import { findOrJoin } from './collecting.ts'
import { emptyIdentity, identityFields, parseIdentity, typedPhone, type TypedIdentity } from './form.ts'
import { countOf, dayText, gainOf, signedText, type PageLocale } from './locale.ts'
import {
  accountLink,
  accountPath,
  messagePage,
  pathWithLanguage,
  respondPage,
  type Html,
  type CustomerPage
} from './page.ts'
import { respondNotFound, type PagesDependencies, type Visit, type Visits } from './visits.ts'

/** Entries that the page shows, the newest first. */
const SHOWN_ENTRIES = 50

/** A visit by a device that is linked to a customer. */
interface LinkedVisit extends Visit {
  readonly device: NonNullable<Visit['device']>
  readonly customer: string
}

/** What a visit gets: a page, a response, or null for a page that does not exist for this visitor. */
type Answer = Promise<CustomerPage | Response | null>

const kindText = (kind: CustomerExport['entries'][number]['kind'], { m }: PageLocale): string =>
  ({
    collected: m.kindCollected,
    redeemed: m.kindRedeemed,
    adjusted: m.kindAdjusted,
    reversed: m.kindReversed,
    imported: m.kindImported
  })[kind]()

const row = (name: string, below: string, number: string): Html =>
  html`<li>
    <span>${name}<br /><span class="muted">${below}</span></span>
    <span class="number">${number}</span>
  </li>`

/** A form with one button. */
const buttonForm = (path: string, text: string, locale: PageLocale, style = ''): Html =>
  html`<form method="post" action="${pathWithLanguage(path, locale)}">
    <button class="${style}">${text}</button>
  </form>`

/** The routes below `/me/` and `/join/`. */
export class AccountPages {
  readonly #dependencies: PagesDependencies
  readonly #visits: Visits
  readonly #devices: DeviceStore
  readonly #identities: Identities
  readonly #rewards: RewardStore

  constructor(dependencies: PagesDependencies, visits: Visits) {
    this.#dependencies = dependencies
    this.#visits = visits
    this.#devices = new DeviceStore(dependencies)
    this.#identities = new Identities(dependencies.database, dependencies.now)
    this.#rewards = new RewardStore(dependencies.database)
  }

  addRoutes(routes: Hono): void {
    const get = (path: string, answer: (visit: Visit) => Answer): void => {
      routes.get(path, (c) => this.#answer(c, answer))
    }
    const post = (
      path: string,
      answer: (visit: Visit, form: URLSearchParams, c: Context) => Answer,
      phoneOf: (visit: Visit, form: URLSearchParams) => string | null = () => null
    ): void => {
      routes.post(path, (c) =>
        this.#answer(c, async (visit) => {
          const form = await this.#visits.readForm(c, visit)
          if (!(form instanceof URLSearchParams)) return form
          const tooMany = await this.#visits.limit(c, visit, { phone: phoneOf(visit, form) })
          return tooMany ?? answer(visit, form, c)
        })
      )
    }
    /** For devices that are linked; others see the page of an unlinked one. */
    const linked =
      (answer: (visit: LinkedVisit, form: URLSearchParams) => Answer) =>
      (visit: Visit, form = new URLSearchParams()): Answer => {
        const { device } = visit
        const customer = device?.customer ?? null
        return device === null || customer === null
          ? this.#overview(visit)
          : answer({ ...visit, device, customer }, form)
      }
    get('/me/:business', (visit) => this.#overview(visit))
    get('/me/:business/app.webmanifest', ({ business }) => Promise.resolve(manifestOf(business)))
    get(
      '/me/:business/data.json',
      linked((visit) => this.#export(visit))
    )
    get(
      '/me/:business/delete',
      linked((visit) => Promise.resolve(this.#deletePage(visit)))
    )
    post('/me/:business/link', (visit, _form, c) => this.#offerLink(visit, c))
    post(
      '/me/:business/unlink',
      linked((visit, form) => this.#unlink(visit, form))
    )
    post(
      '/me/:business/delete',
      linked((visit) => this.#delete(visit))
    )
    get('/join/:business', (visit) => Promise.resolve(this.#joinPage(visit, emptyIdentity(visit.business))))
    post(
      '/join/:business',
      (visit, form, c) => this.#join(visit, form, c),
      ({ business }, form) => typedPhone(parseIdentity(form, business))
    )
  }

  async #answer(c: Context, answer: (visit: Visit) => Answer): Promise<Response> {
    const visit = await this.#visits.open(c, c.req.param('business') ?? '')
    const answered = visit === null ? null : await answer(visit)
    if (answered === null) return respondNotFound(c)
    return answered instanceof Response ? answered : respondPage(c, answered)
  }

  async #overview(visit: Visit): Promise<CustomerPage> {
    const { business, locale, device } = visit
    const id = device?.customer ?? null
    const kept = id === null ? null : await this.#identities.export(business.key, id)
    const body =
      device === null || kept === null
        ? await this.#unlinkedBody(visit)
        : await this.#linkedBody(visit, kept, device.id)
    return { business, locale, title: locale.m.myPoints(), path: accountPath(business), body }
  }

  async #unlinkedBody({ business, locale, device }: Visit): Promise<Html> {
    const { m } = locale
    const collected = device === null ? [] : await this.#devices.collected(device)
    return html`<div class="sheet">
        <p>${m.linkText()}</p>
        ${buttonForm(accountPath(business, '/link'), m.link(), locale)}
      </div>
      <h2>${m.collectedHere()}</h2>
      ${collected.length === 0 ? html`<p class="muted">${m.nothingYet()}</p>` : ''}
      <ul class="rows">
        ${collected.map(({ code, points, at }) =>
          row(dayText(at, locale), code, m.gained(gainOf(points, locale)))
        )}
      </ul>
      ${await this.#rewardList({ business, locale }, null)}`
  }

  async #linkedBody({ business, locale }: Visit, kept: CustomerExport, deviceId: string): Promise<Html> {
    const { m } = locale
    const entries = kept.entries.toReversed().slice(0, SHOWN_ENTRIES)
    return html`<div class="sheet">
        <p>${m.balance()}</p>
        <p class="figure">${m.points(countOf(kept.customer.balance, locale))}</p>
        <p class="muted"><bdi>${kept.customer.name}</bdi></p>
      </div>
      ${await this.#rewardList({ business, locale }, kept.customer.balance)}
      <h2>${m.history()}</h2>
      ${entries.length === 0 ? html`<p class="muted">${m.nothingYet()}</p>` : ''}
      <ul class="rows">
        ${entries.map(({ kind, at, points }) =>
          row(kindText(kind, locale), dayText(at, locale), signedText(points, locale))
        )}
      </ul>
      <h2>${m.devices()}</h2>
      <ul class="rows">
        ${kept.devices.map(({ id, lastSeenAt }) => {
          const text = id === deviceId ? m.thisDevice() : m.otherDevice({ date: dayText(lastSeenAt, locale) })
          return html`<li>
            <span>${text}</span>
            <form method="post" action="${pathWithLanguage(accountPath(business, '/unlink'), locale)}">
              <input type="hidden" name="device" value="${id}" />
              <button class="quiet">${m.unlink()}</button>
            </form>
          </li>`
        })}
      </ul>
      <h2>${m.myData()}</h2>
      <a class="button quiet" href="${accountPath(business, '/data.json')}" download>${m.saveData()}</a>
      <a class="button quiet" href="${pathWithLanguage(accountPath(business, '/delete'), locale)}"
        >${m.deleteMe()}</a
      >`
  }

  /** @param balance null where it is not known */
  async #rewardList(
    { business, locale }: Pick<Visit, 'business' | 'locale'>,
    balance: number | null
  ): Promise<Html | ''> {
    const { m } = locale
    const rewards = (await this.#rewards.all(business.key)).filter(({ isEnable }) => isEnable)
    if (rewards.length === 0) return ''
    const below = (cost: number): string => {
      if (balance === null) return ''
      return cost <= balance ? m.canHave() : m.missing(countOf(cost - balance, locale))
    }
    return html`<h2>${m.rewards()}</h2>
      <ul class="rows">
        ${rewards.map(({ name, cost }) => row(name, below(cost), m.points(countOf(cost, locale))))}
      </ul>`
  }

  async #offerLink(visit: Visit, c: Context): Promise<CustomerPage> {
    const { business, locale } = visit
    const { m } = locale
    const digits = await this.#devices.offerLink(await this.#visits.deviceOf(c, visit))
    return {
      business,
      locale,
      title: m.digitsTitle(),
      path: accountPath(business),
      body: html`<div class="sheet">
        <p class="digits" dir="ltr">${digits}</p>
        <p>${m.digitsText()}</p>
        <a class="button" href="${pathWithLanguage(accountPath(business), locale)}">${m.check()}</a>
      </div>`
    }
  }

  async #unlink(visit: LinkedVisit, form: URLSearchParams): Promise<CustomerPage> {
    const { business, device, customer } = visit
    const unlinked = form.get('device') ?? ''
    try {
      await this.#devices.unlink(business.key, customer, unlinked)
    } catch (error) {
      // Another device has unlinked it.
      if (!(error instanceof Refusal)) throw error
    }
    return this.#overview(
      unlinked === device.id ? { ...visit, device: { ...device, customer: null } } : visit
    )
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

  #deletePage({ business, locale }: Visit): CustomerPage {
    const { m } = locale
    return {
      business,
      locale,
      title: m.deleteTitle(),
      body: html`<p>${m.deleteText()}</p>
        ${buttonForm(accountPath(business, '/delete'), m.deleteForGood(), locale, 'danger')}
        <a class="button quiet" href="${pathWithLanguage(accountPath(business), locale)}">${m.keep()}</a>`
    }
  }

  async #delete({ business, locale, customer }: LinkedVisit): Promise<CustomerPage> {
    const { m } = locale
    await this.#identities.erase(business.key, customer)
    return {
      ...messagePage({ business, locale }, { title: m.deletedTitle(), text: m.deletedText() }),
      path: accountPath(business)
    }
  }

  #joinPage({ business, locale }: Visit, typed: TypedIdentity): CustomerPage {
    const { m } = locale
    return {
      business,
      locale,
      title: m.joinTitle(),
      body: html`<p>${m.joinText()}</p>
        <div class="sheet">
          <form method="post" action="${pathWithLanguage(`/join/${business.id}`, locale)}">
            ${identityFields(typed, business, locale)}
            <button>${m.join()}</button>
          </form>
        </div>`
    }
  }

  async #join(visit: Visit, form: URLSearchParams, c: Context): Promise<CustomerPage> {
    const { business, locale } = visit
    const identity = parseIdentity(form, business)
    if ('fault' in identity) return { ...this.#joinPage(visit, identity), status: 422 }
    await findOrJoin(this.#dependencies, business, identity)
    await this.#visits.deviceOf(c, visit)
    const { m } = locale
    return {
      business,
      locale,
      title: m.joinedTitle(),
      body: html`<p>${m.joinedText({ phone: identity.display })}</p>
        ${accountLink(business, locale)}`
    }
  }
}

/** The web app manifest, by which the page can be put on the home screen (W3C Web Application Manifest). */
const manifestOf = (business: Visit['business']): Response =>
  Response.json(
    {
      name: business.name,
      short_name: business.name,
      start_url: accountPath(business),
      scope: '/',
      display: 'standalone',
      background_color: '#fbfaf7',
      theme_color: '#0b6b4f',
      icons: [{ src: '/images/logo.png', sizes: '256x256', type: 'image/png' }]
    },
    { headers: { 'Content-Type': 'application/manifest+json', 'Cache-Control': 'no-store' } }
  )
