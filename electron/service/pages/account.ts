/** `/me/{business}`: what a customer has and what it buys, on a device that staff have linked; and `/join/{business}`. */
import type { Context, Hono } from 'hono'
import { html } from 'hono/html'
import { Refusal } from '../domain/refusal.ts'
import { addCustomer } from '../store/customers.ts'
import { DeviceStore } from '../store/devices.ts'
import { Identities, type CustomerExport } from '../store/identities.ts'
import { RewardStore } from '../store/rewards.ts'
import { newCustomer } from './collecting.ts'
import { EMPTY_IDENTITY, identityFields, parseIdentity, type TypedIdentity } from './form.ts'
import { CHECK, textAround, type Html } from '../html/document.ts'
import { countOf, customerName, dayText, gainOf, signedText } from '../html/locale.ts'
import { SentForm } from '../html/sent-form.ts'
import { CustomerCodes, renewalsOf } from './customer-code.ts'
import type { CustomerLocale } from './customer-locale.ts'
import {
  accountLink,
  accountPath,
  messagePage,
  pathWithLanguage,
  respondPage,
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

const kindText = (kind: CustomerExport['entries'][number]['kind'], { m }: CustomerLocale): string =>
  ({
    collected: m.kindCollected,
    redeemed: m.kindRedeemed,
    adjusted: m.kindAdjusted,
    reversed: m.kindReversed,
    imported: m.kindImported
  })[kind]()

/** @param below the second line, or nothing */
const row = (name: string, below: Html | string, number: string, more: Html | string = ''): Html =>
  html`<li>
    <span><bdi>${name}</bdi> <span class="below">${below}</span></span>
    <span class="number">${number}</span>${more}
  </li>`

/** A form with one button. */
const buttonForm = (path: string, text: string, locale: CustomerLocale, style = ''): Html =>
  html`<form method="post" action="${pathWithLanguage(path, locale)}">
    <button class="${style}">${text}</button>
  </form>`

type Rewards = Awaited<ReturnType<RewardStore['all']>>

/** What differs between the pages of a linked device and of another. */
type Content = Pick<CustomerPage, 'title' | 'figure' | 'body' | 'more' | 'side' | 'refresh'>

/**
 * The rewards: what can be had first, then what needs the fewest points more.
 *
 * @param balance null where it is not known; then in the shop's order
 */
const rewardList = (all: Rewards, balance: number | null, locale: CustomerLocale): Html | '' => {
  const { m } = locale
  const rewards = all.filter(({ isEnable }) => isEnable)
  if (rewards.length === 0) return ''
  const missing = (cost: number): number => (balance === null ? 0 : Math.max(0, cost - balance))
  const rewardRow = ({ name, cost }: Rewards[number]): Html => {
    const price = m.points(countOf(cost, locale))
    if (balance === null) return row(name, '', price)
    if (missing(cost) === 0) return row(name, html`<span class="can">${CHECK} ${m.canHave()}</span>`, price)
    const bar = html`<progress aria-hidden="true" max="${cost}" value="${Math.max(0, balance)}"></progress>`
    return row(name, m.missing(countOf(missing(cost), locale)), price, bar)
  }
  return html`<h2>${m.rewards()}</h2>
    <p class="muted">${m.rewardsText()}</p>
    <ul class="rows">
      ${rewards.toSorted((one, other) => missing(one.cost) - missing(other.cost)).map(rewardRow)}
    </ul>`
}

const linkedContent = (
  { business, locale }: Visit,
  rewards: Rewards,
  { customer, entries, devices }: CustomerExport,
  { id: deviceId, code, refresh }: { readonly id: string } & Awaited<ReturnType<CustomerCodes['show']>>
): Content => {
  const { m } = locale
  const balance = countOf(customer.balance, locale)
  const ownFirst = devices.toSorted(
    (one, other) => Number(other.id === deviceId) - Number(one.id === deviceId)
  )
  const rewardNames = new Map(rewards.map(({ id, name }) => [id, name]))
  return {
    title: m.balance(),
    figure: textAround(m.points(balance), balance.number),
    body: html`<p><bdi>${customerName(customer)}</bdi></p>
      <hr />
      ${code}`,
    ...(refresh === undefined ? {} : { refresh }),
    more: html`${rewardList(rewards, customer.balance, locale)}
      <h2>${m.history()}</h2>
      ${entries.length === 0 ? html`<p class="muted">${m.nothingYet()}</p>` : ''}
      <ul class="rows">
        ${entries
          .toReversed()
          .slice(0, SHOWN_ENTRIES)
          .map(({ kind, at, points, reward }) => {
            const name = kind === 'redeemed' ? rewardNames.get(reward ?? '') : undefined
            const day = dayText(at, locale)
            return name === undefined
              ? row(kindText(kind, locale), day, signedText(points, locale))
              : row(name, `${kindText(kind, locale)} · ${day}`, signedText(points, locale))
          })}
      </ul>`,
    side: html`<h2>${m.devices()}</h2>
      <ul class="rows">
        ${ownFirst.map(({ id, lastSeenAt }) => {
          const date = dayText(lastSeenAt, locale)
          const [before = '', after = ''] = m.lastUsed({ date }).split(date)
          const other = html`${m.otherDevice()}
            <span class="below">${before}<span class="day">${date}</span>${after}</span>`
          return html`<li>
            <span>${id === deviceId ? m.thisDevice() : other}</span>
            <form method="post" action="${pathWithLanguage(accountPath(business, '/unlink'), locale)}">
              <input type="hidden" name="device" value="${id}" />
              <button class="quiet">${m.unlink()}</button>
            </form>
          </li>`
        })}
      </ul>
      <h2>${m.myData()}</h2>
      <a class="button quiet" href="${accountPath(business, '/data.json')}" download>${m.saveData()}</a>
      <a class="button danger" href="${pathWithLanguage(accountPath(business, '/delete'), locale)}"
        >${m.deleteMe()}</a
      >`
  }
}

/** The routes below `/me/` and `/join/`. */
export class AccountPages {
  readonly #dependencies: PagesDependencies
  readonly #visits: Visits
  readonly #devices: DeviceStore
  readonly #codes: CustomerCodes
  readonly #identities: Identities
  readonly #rewards: RewardStore

  constructor(dependencies: PagesDependencies, visits: Visits) {
    this.#dependencies = dependencies
    this.#visits = visits
    this.#devices = new DeviceStore(dependencies)
    this.#codes = new CustomerCodes(dependencies)
    this.#identities = new Identities(dependencies.database, dependencies.now)
    this.#rewards = new RewardStore(dependencies.database)
  }

  addRoutes(routes: Hono): void {
    const get = (path: string, answer: (visit: Visit) => Answer): void => {
      routes.get(path, (c) => this.#answer(c, answer))
    }
    const post = (path: string, answer: (visit: Visit, form: SentForm, c: Context) => Answer): void => {
      routes.post(path, (c) =>
        this.#answer(c, async (visit) => {
          const form = await this.#visits.readForm(c, visit)
          if (!(form instanceof SentForm)) return form
          return (await this.#visits.limit(c, visit)) ?? answer(visit, form, c)
        })
      )
    }
    /** For devices that are linked; others see the page of an unlinked one. */
    const linked =
      (answer: (visit: LinkedVisit, form: SentForm) => Answer) =>
      (visit: Visit, form = new SentForm()): Answer => {
        const { device } = visit
        const customer = device?.customer ?? null
        return device === null || customer === null
          ? this.#overview(visit)
          : answer({ ...visit, device, customer }, form)
      }
    routes.get('/me/:business', (c) => this.#answer(c, (visit) => this.#overview(visit, renewalsOf(c))))
    // Where a refused form leaves the browser: the switch of languages leads there.
    for (const form of ['link', 'unlink']) get(`/me/:business/${form}`, (visit) => this.#overview(visit))
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
    get('/join/:business', (visit) => Promise.resolve(this.#joinPage(visit, EMPTY_IDENTITY)))
    post('/join/:business', (visit, form, c) => this.#join(visit, form, c))
  }

  async #answer(c: Context, answer: (visit: Visit) => Answer): Promise<Response> {
    const visit = await this.#visits.open(c, c.req.param('business') ?? '')
    const answered = visit === null ? null : await answer(visit)
    if (answered === null) return respondNotFound(c)
    return answered instanceof Response ? answered : respondPage(c, answered)
  }

  /** @param renewals how often the page has renewed its code */
  async #overview(visit: Visit, renewals = 0): Promise<CustomerPage> {
    const { business, locale, device } = visit
    const id = device?.customer ?? null
    const kept = id === null ? null : await this.#identities.export(business.key, id)
    const rewards = await this.#rewards.all(business.key)
    const content =
      device === null || kept === null
        ? await this.#unlinkedContent(visit, rewards)
        : linkedContent(visit, rewards, kept, {
            id: device.id,
            ...(await this.#codes.show(visit, device, renewals))
          })
    return { business, locale, path: accountPath(business), ...content }
  }

  async #unlinkedContent({ business, locale, device }: Visit, rewards: Rewards): Promise<Content> {
    const { m } = locale
    const collected = device === null ? [] : await this.#devices.collected(device)
    const collectedList =
      collected.length === 0
        ? ''
        : html`<h2>${m.collectedHere()}</h2>
            <ul class="rows">
              ${collected.map(({ code, points, at, isReversed }) =>
                isReversed
                  ? row(dayText(at, locale), `${code} · ${m.kindReversed()}`, '')
                  : row(dayText(at, locale), code, m.gained(gainOf(points, locale)))
              )}
            </ul>`
    const lists = [collectedList, rewardList(rewards, null, locale)].filter((list) => list !== '')
    return {
      title: m.myPoints(),
      body: html`<p>${m.linkText()}</p>
        ${buttonForm(accountPath(business, '/link'), m.link(), locale)}`,
      ...(lists.length === 0 ? {} : { more: html`${lists}` })
    }
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
      body: html`<p class="digits">
          <bdi dir="ltr"><span>${digits.slice(0, 3)}</span><span>${digits.slice(3)}</span></bdi>
        </p>
        <p>${m.digitsText({ press: m.check() })}</p>
        <a class="button" href="${pathWithLanguage(accountPath(business), locale)}">${m.check()}</a>`
    }
  }

  async #unlink(visit: LinkedVisit, form: SentForm): Promise<CustomerPage> {
    const { business, device, customer } = visit
    const unlinked = form.text('device')
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
        <a class="button" href="${pathWithLanguage(accountPath(business), locale)}">${m.keep()}</a>
        ${buttonForm(accountPath(business, '/delete'), m.deleteForGood(), locale, 'danger')}`
    }
  }

  async #delete({ business, locale, customer }: LinkedVisit): Promise<CustomerPage> {
    const { m } = locale
    await this.#identities.erase(business.key, customer)
    return {
      ...messagePage({ business, locale }, { title: m.deletedTitle(), text: m.deletedText() }),
      isDone: true,
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
        <form method="post" action="${pathWithLanguage(`/join/${business.id}`, locale)}">
          ${identityFields(typed, business, locale)}
          <button>${m.join()}</button>
        </form>`
    }
  }

  async #join(visit: Visit, form: SentForm, c: Context): Promise<CustomerPage> {
    const { business, locale } = visit
    const identity = parseIdentity(form, business)
    if ('fault' in identity) return { ...this.#joinPage(visit, identity), status: 422 }
    const { database, now } = this.#dependencies
    await addCustomer(database, business.key, newCustomer(this.#dependencies, identity), now().toISOString())
    await this.#visits.deviceOf(c, visit)
    const { m } = locale
    return {
      business,
      locale,
      title: m.joinedTitle(),
      isDone: true,
      body: html`<p>${textAround(m.joinedText({ phone: identity.display }), identity.display)}</p>
        ${accountLink(business, locale)}`
    }
  }
}
