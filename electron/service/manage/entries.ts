/** The entries of a day that make up a number of *Today*. */
import { html } from 'hono/html'
import { dayOf } from '../domain/days.ts'
import { customerName, dateTimeText, signedText } from '../html/locale.ts'
import { RewardStore } from '../store/rewards.ts'
import { StatisticsStore } from '../store/statistics.ts'
import type { Desk, ManageVisit } from './desk.ts'
import { EntryWords, inOneLine } from './entry-words.ts'
import type { ManagePage } from './frame.ts'

/** Entries of a page. */
const PAGE_SIZE = 100

/** The route of the entries. */
export class EntryPages {
  readonly #desk: Desk

  constructor(desk: Desk) {
    this.#desk = desk
  }

  addRoutes(): void {
    this.#desk.page('/entries', 'owner', (visit) => this.#show(visit))
  }

  async #show({ business, locale, path, c }: ManageVisit): Promise<ManagePage> {
    const { database, now } = this.#desk.dependencies
    const { m } = locale
    const kind = c.req.query('kind') === 'redeemed' ? 'redeemed' : 'collected'
    const today = dayOf(now(), business.timeZone)
    const rewards = await new RewardStore(database).all(business.key)
    const words = new EntryWords(locale, rewards, await this.#desk.makers(business))
    const entries = await new StatisticsStore(database).entriesOfDay(business, today, kind, PAGE_SIZE)
    return {
      section: 'today',
      title: kind === 'redeemed' ? m.redeemedToday() : m.collectedToday(),
      back: { path: path('/today'), text: m.today() },
      body:
        entries.length === 0
          ? html`<p>${m.noEntries()}</p>`
          : html`<ul class="rows">
                ${entries.map(
                  (entry) =>
                    html`<li>
                      <a class="whole" href="${path(`/customers/${entry.customer}`)}"
                        ><bdi>${customerName(entry, m.erasedCustomer())}</bdi
                        ><span class="below"
                          >${inOneLine([words.what(entry), dateTimeText(entry.at, locale), words.who(entry)])}</span
                        ></a
                      >
                      <span class="number">${signedText(entry.points, locale)}</span>
                    </li>`
                )}
              </ul>
              ${entries.length < PAGE_SIZE ? '' : html`<p class="muted">${m.newestOnly({ count: String(PAGE_SIZE) })}</p>`}`
    }
  }
}
