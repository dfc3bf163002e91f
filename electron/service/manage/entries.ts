/** What makes up a number of *Today*: the entries of a kind, or the customers who joined. */
import { html } from 'hono/html'
import { dayOf } from '../domain/days.ts'
import type { Html } from '../html/document.ts'
import { customerName, dateTimeText, signedText } from '../html/locale.ts'
import { StatisticsStore } from '../store/statistics.ts'
import type { ManageRouter, ManageVisit } from './manage-router.ts'
import { EntryWords, inOneLine } from './entry-words.ts'
import type { ManagePage } from './manage-layout.ts'
import type { ManageLocale } from './manage-locale.ts'

/** Rows of a page. */
const PAGE_SIZE = 100

const KINDS = {
  collected: { title: (m) => m.collectedToday(), none: (m) => m.noEntries() },
  credited: { title: (m) => m.creditedToday(), none: (m) => m.noEntries() },
  redeemed: { title: (m) => m.redeemedToday(), none: (m) => m.noEntries() },
  joined: { title: (m) => m.joinedToday(), none: (m) => m.noneJoined() }
} as const satisfies Readonly<
  Record<string, Readonly<Record<'title' | 'none', (m: ManageLocale['m']) => string>>>
>

type Kind = keyof typeof KINDS

/** The path below a shop's of what makes up a number of today. */
export const entriesPath = (kind: Kind): string => `/entries?kind=${kind}`

const isKind = (text: string): text is Kind => Object.hasOwn(KINDS, text)

/** The route of the rows. */
export class EntryPages {
  readonly #router: ManageRouter

  constructor(router: ManageRouter) {
    this.#router = router
  }

  addRoutes(): void {
    this.#router.page('/entries', 'owner', (visit) => this.#show(visit))
  }

  async #show(visit: ManageVisit): Promise<ManagePage | null> {
    const { locale, path, c } = visit
    const { m } = locale
    const kind = c.req.query('kind') ?? ''
    if (!isKind(kind)) return null
    const rows = kind === 'joined' ? await this.#joined(visit) : await this.#entries(visit, kind)
    return {
      section: 'today',
      title: KINDS[kind].title(m),
      back: { path: path('/today'), text: m.today() },
      body:
        rows.length === 0
          ? html`<p>${KINDS[kind].none(m)}</p>`
          : html`<ul class="rows">
                ${rows}
              </ul>
              ${rows.length < PAGE_SIZE ? '' : html`<p class="muted">${m.newestOnly({ count: String(PAGE_SIZE) })}</p>`}`
    }
  }

  async #joined({ business, locale, path }: ManageVisit): Promise<readonly Html[]> {
    const customers = await this.#statistics.joinedOnDay(business, this.#day(business), PAGE_SIZE)
    return customers.map(
      (customer) =>
        html`<li>${customerCell(customer, [dateTimeText(customer.at, locale)], locale, path)}</li>`
    )
  }

  async #entries(
    { business, locale, path }: ManageVisit,
    kind: Exclude<Kind, 'joined'>
  ): Promise<readonly Html[]> {
    const rewards = await this.#router.rewards.all(business.key)
    const words = new EntryWords(locale, rewards, await this.#router.makers(business))
    const entries = await this.#statistics.entriesOfDay(business, this.#day(business), kind, PAGE_SIZE)
    return entries.map((entry) => {
      const { customer: id, name, phone } = entry
      const below = [words.what(entry), dateTimeText(entry.at, locale), words.who(entry)]
      return html`<li>
        ${customerCell({ id, name, phone }, below, locale, path)}
        <span class="number">${signedText(entry.points, locale)}</span>
      </li>`
    })
  }

  get #statistics(): StatisticsStore {
    return new StatisticsStore(this.#router.dependencies.database)
  }

  #day({ timeZone }: ManageVisit['business']): string {
    return dayOf(this.#router.dependencies.now(), timeZone)
  }
}

/** The name of a customer with a line below, which leads to the page of one who is not erased. */
const customerCell = (
  customer: { readonly id: string; readonly name: string; readonly phone: string | null },
  below: readonly string[],
  { m }: ManageLocale,
  path: ManageVisit['path']
): Html => {
  const text = html`<bdi>${customerName(customer, m.erasedCustomer())}</bdi
    ><span class="below">${inOneLine(below)}</span>`
  return customer.phone === null
    ? html`<span>${text}</span>`
    : html`<a class="whole" href="${path(`/customers/${customer.id}`)}">${text}</a>`
}
