/** *Unusual activity*: what an owner should look at, reached from *Today*. */
import { html } from 'hono/html'
import type { BusinessKey } from '../domain/businesses.ts'
import type { UnusualActivity } from '../domain/unusual-activity.ts'
import type { Html } from '../html/document.ts'
import { countOf, customerName, numberText } from '../html/locale.ts'
import { ActivityStore } from '../store/activity.ts'
import type { ManageRouter, ManageVisit } from './manage-router.ts'
import { EntryWords, inOneLine } from './entry-words.ts'
import type { ManagePage } from './manage-layout.ts'
import type { ManageLocale } from './manage-locale.ts'

/** How long what was found is shown: it is a week's, and a chain's takes a second to find. */
const KEPT_MS = 10 * 60_000

const TITLES: Readonly<Record<UnusualActivity['kind'], (m: ManageLocale['m']) => string>> = {
  'one-customer': (m) => m.activityOneCustomer(),
  'few-customers': (m) => m.activityFewCustomers(),
  undone: (m) => m.activityUndone(),
  'near-limit': (m) => m.activityNearLimit(),
  'closed-hours': (m) => m.activityClosedHours()
}

/** The numbers of a pattern in words. */
const numbers = (found: UnusualActivity, locale: ManageLocale): readonly string[] => {
  const { m } = locale
  switch (found.kind) {
    case 'one-customer':
      return [
        m.activityCount({ number: numberText(found.count, locale) }),
        m.points(countOf(found.points, locale))
      ]
    case 'few-customers':
    case 'closed-hours':
      return [m.activityCount({ number: numberText(found.count, locale) })]
    case 'undone':
      return [
        m.activityUndoneCount({ number: numberText(found.count, locale), of: numberText(found.of, locale) })
      ]
    case 'near-limit':
      return [m.activityDays({ number: numberText(found.days, locale) })]
  }
}

const customersOf = (found: UnusualActivity): readonly number[] => {
  if (found.kind === 'one-customer') return [found.customer]
  return found.kind === 'few-customers' ? found.customers : []
}

/** The route of the page, and what *Today* says of it. */
export class ActivityPage {
  readonly #router: ManageRouter
  readonly #store: ActivityStore
  readonly #kept = new Map<
    BusinessKey,
    { readonly until: number; readonly found: Promise<readonly UnusualActivity[]> }
  >()

  constructor(router: ManageRouter) {
    this.#router = router
    this.#store = new ActivityStore(router.dependencies.database)
  }

  addRoutes(): void {
    this.#router.page('/activity', 'owner', (visit) => this.#show(visit))
  }

  /** Returns what is unusual in a shop, as found within the last ten minutes. */
  async found(business: ManageVisit['business']): Promise<readonly UnusualActivity[]> {
    const now = this.#router.dependencies.now()
    const kept = this.#kept.get(business.key)
    if (kept !== undefined && kept.until > now.getTime() && kept.until <= now.getTime() + KEPT_MS)
      return kept.found
    const found = this.#store.unusual(business, now)
    this.#kept.set(business.key, { until: now.getTime() + KEPT_MS, found })
    try {
      return await found
    } catch (error) {
      this.#kept.delete(business.key)
      throw error
    }
  }

  async #show({ business, locale, path }: ManageVisit): Promise<ManagePage> {
    const { m } = locale
    const found = await this.found(business)
    const customers = await this.#store.customers([...new Set(found.flatMap(customersOf))])
    const words = new EntryWords(locale, [], await this.#router.makers(business))
    const row = (each: UnusualActivity): Html => {
      const who = each.maker.startsWith('cashier:')
        ? words.cashier(each.maker)
        : words.who({ by: each.maker })
      return html`<li>
        <span
          >${TITLES[each.kind](m)}<span class="below">${inOneLine([who, ...numbers(each, locale)])}</span
          >${customersOf(each).map((key) => {
            const customer = customers.get(key)
            if (customer === undefined) return ''
            const name = html`<bdi>${customerName(customer, m.erasedCustomer())}</bdi>`
            return html`<span class="below"
              >${customer.phone === null ? name : html`<a href="${path(`/customers/${customer.id}`)}">${name}</a>`}</span
            >`
          })}</span
        >
      </li>`
    }
    return {
      section: 'today',
      title: m.activityTitle(),
      back: { path: path('/today'), text: m.today() },
      body:
        found.length === 0
          ? html`<p>${m.activityNone()}</p>`
          : html`<p>${m.activityText()}</p>
              <ul class="rows">
                ${found.map(row)}
              </ul>`
    }
  }
}
