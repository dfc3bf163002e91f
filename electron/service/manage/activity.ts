/** *Unusual activity*: what an owner should look at, reached from *Today*. */
import { html } from 'hono/html'
import type { BusinessKey } from '../domain/businesses.ts'
import { Refusal } from '../domain/refusal.ts'
import { customersOf, type UnusualActivity } from '../domain/unusual-activity.ts'
import type { Html } from '../html/document.ts'
import { labelOf, textField, TYPED_FORM } from '../html/fields.ts'
import { countOf, customerName, dateTimeText, numberText } from '../html/locale.ts'
import type { SentForm } from '../html/sent-form.ts'
import { ActivityStore } from '../store/activity.ts'
import { ExplanationStore, patternId } from '../store/explanations.ts'
import type { FormAnswer, ManageRouter, ManageVisit } from './manage-router.ts'
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

const makerOf = ({ maker }: UnusualActivity, words: EntryWords): string =>
  maker.startsWith('cashier:') ? words.cashier(maker) : words.who({ by: maker })

type Customers = Awaited<ReturnType<ActivityStore['customers']>>

/** The routes of the page and of its form, and what *Today* says of it. */
export class ActivityPage {
  readonly #router: ManageRouter
  readonly #store: ActivityStore
  readonly #explanations: ExplanationStore
  readonly #kept = new Map<
    BusinessKey,
    { readonly until: number; readonly found: Promise<readonly UnusualActivity[]> }
  >()

  constructor(router: ManageRouter) {
    this.#router = router
    this.#store = new ActivityStore(router.dependencies.database)
    this.#explanations = new ExplanationStore(router.dependencies.database)
  }

  addRoutes(): void {
    this.#router.page('/activity', 'owner', (visit) => this.#show(visit))
    this.#router.page('/activity/:pattern/explain', 'owner', (visit) => this.#ask(visit))
    this.#router.form('/activity/:pattern/explain', 'owner', {
      submit: (visit, sent) => this.#explain(visit, sent)
    })
  }

  /** Returns how many patterns a shop has that are not explained. */
  async count(business: ManageVisit['business']): Promise<number> {
    const found = await this.#found(business)
    return found.length - (await this.#explanations.of(business.key, found)).size
  }

  /** Returns what is unusual in a shop, as found within the last ten minutes. */
  async #found(business: ManageVisit['business']): Promise<readonly UnusualActivity[]> {
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

  /** The pattern that the address names, or null. */
  async #named({ business, c }: ManageVisit): Promise<UnusualActivity | null> {
    const id = c.req.param('pattern')
    return (await this.#found(business)).find((each) => patternId(business.key, each) === id) ?? null
  }

  /** Returns a function that writes a pattern, with its customers. */
  async #words(
    { business, locale, path }: ManageVisit,
    customers: Customers
  ): Promise<(each: UnusualActivity, more?: Html | '') => Html> {
    const { m } = locale
    const words = new EntryWords(locale, [], await this.#router.makers(business))
    return (each, more = '') => {
      const who = makerOf(each, words)
      return html`<span
        >${TITLES[each.kind](m)}<span class="below">${inOneLine([who, ...numbers(each, locale)])}</span
        >${customersOf(each).map((key) => {
          const customer = customers.get(key)
          if (customer === undefined) return ''
          const name = html`<bdi>${customerName(customer, m.erasedCustomer())}</bdi>`
          return html`<span class="below"
            >${customer.phone === null ? name : html`<a href="${path(`/customers/${customer.id}`)}">${name}</a>`}</span
          >`
        })}${more}</span
      >`
    }
  }

  #customers(found: readonly UnusualActivity[]): Promise<Customers> {
    return this.#store.customers([...new Set(found.flatMap(customersOf))])
  }

  async #show(visit: ManageVisit): Promise<ManagePage> {
    const { business, locale, path } = visit
    const { m } = locale
    const found = await this.#found(business)
    const explained = await this.#explanations.of(business.key, found)
    const open = found.filter((each) => !explained.has(each))
    const pattern = await this.#words(visit, await this.#customers(found))
    const words = new EntryWords(locale, [], await this.#router.makers(business))
    return {
      section: 'today',
      title: m.activityTitle(),
      back: { path: path('/today'), text: m.today() },
      body: html`${
        open.length === 0
          ? html`<p>${m.activityNone()}</p>`
          : html`<p>${m.activityText()}</p>
              <ul class="rows">
                ${open.map(
                  (each) =>
                    html`<li>
                      ${pattern(each)}
                      <a
                        class="button quiet"
                        href="${path(`/activity/${patternId(business.key, each)}/explain`)}"
                        aria-label="${labelOf(m.explain(), TITLES[each.kind](m), makerOf(each, words))}"
                        >${m.explain()}</a
                      >
                    </li>`
                )}
              </ul>`
      }
      ${
        explained.size === 0
          ? ''
          : html`<h2>${m.activityExplainedTitle()}</h2>
              <ul class="rows">
                ${[...explained].map(([each, { note, at, by }]) => {
                  const line = inOneLine([note ?? '', words.who({ by }), dateTimeText(at, locale)])
                  return html`<li>${pattern(each, html`<span class="below">${line}</span>`)}</li>`
                })}
              </ul>`
      }`
    }
  }

  async #ask(visit: ManageVisit): Promise<ManagePage> {
    const { business, locale, path, typed } = visit
    const { m } = locale
    const found = await this.#named(visit)
    if (found === null) {
      return {
        section: 'today',
        title: m.explainTitle(),
        back: { path: path('/activity'), text: m.activityTitle() },
        status: 404,
        body: typed.isRefused ? html`` : html`<p>${m.refusedActivityUnknown()}</p>`
      }
    }
    const customers = await this.#customers([found])
    const pattern = await this.#words(visit, customers)
    // Nothing is noted of a customer who is erased.
    const isNoted = [...customers.values()].every(({ phone }) => phone !== null)
    const field = {
      name: 'note',
      label: m.explanation(),
      isOptional: true,
      hint: m.explanationHint()
    } as const
    return {
      section: 'today',
      title: m.explainTitle(),
      hasForm: true,
      back: { path: path('/activity'), text: m.activityTitle() },
      body: html`<ul class="rows">
          <li>${pattern(found)}</li>
        </ul>
        <form
          method="post"
          action="${path(`/activity/${patternId(business.key, found)}/explain`)}"
          id="${TYPED_FORM}"
        >
          <p>${m.explainText()}</p>
          ${isNoted ? textField(field, typed) : ''}
          <button class="main">${m.explain()}</button>
        </form>`
    }
  }

  async #explain(visit: ManageVisit, sent: SentForm): Promise<FormAnswer> {
    const found = await this.#named(visit)
    if (found === null) throw new Refusal('activity-unknown', 'It happened again, or is a week ago.')
    const note = sent.text('note').trim()
    const at = this.#router.dependencies.now().toISOString()
    await this.#explanations.add(visit.business.key, found, {
      note: note === '' ? null : note,
      at,
      by: visit.by
    })
    return { to: '/activity', done: 'activity-explained' }
  }
}
