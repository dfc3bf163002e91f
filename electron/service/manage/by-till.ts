/** What each branch, till and cashier did, on a page and as a file; reached from *Today*. */
import { html } from 'hono/html'
import { csvSeparator, spreadsheetCsv } from '../../contract/text.ts'
import { dayOf, shiftDay } from '../domain/days.ts'
import type { Html } from '../html/document.ts'
import { numberText } from '../html/locale.ts'
import { cashierMaker, CashierStore } from '../store/cashiers.ts'
import { StatisticsStore, type MakerStatistics } from '../store/statistics.ts'
import { TillStore } from '../store/tills.ts'
import { respondCsv } from './downloads.ts'
import type { ManageRouter, ManageVisit } from './manage-router.ts'
import type { ManagePage } from './manage-layout.ts'
import type { ManageLocale } from './manage-locale.ts'

/** Days that can be chosen, today included. */
const PERIODS = [1, 7, 30] as const

/** The path below a shop's of the page. */
export const BY_TILL_PATH = '/by-till'

const COLUMNS = ['issued', 'credited', 'returned', 'redeemed'] as const

interface MakerRow extends MakerStatistics {
  /** empty: not named */
  readonly branch: string
  readonly tillName: string
  /** empty: not named */
  readonly cashierName: string
}

/** The routes of the page and its file. */
export class ByTillPage {
  readonly #router: ManageRouter

  constructor(router: ManageRouter) {
    this.#router = router
  }

  addRoutes(): void {
    this.#router.page(BY_TILL_PATH, 'owner', (visit) => this.#show(visit))
    this.#router.page(`${BY_TILL_PATH}.csv`, 'owner', (visit) => this.#download(visit))
  }

  /** Branches, tills and cashiers in the order of their names; what has no branch comes last. */
  async #rows({ business, locale }: ManageVisit, days: number): Promise<readonly MakerRow[]> {
    const { database, now } = this.#router.dependencies
    const last = dayOf(now(), business.timeZone)
    const made = await new StatisticsStore(database).byMaker(business, shiftDay(last, 1 - days), last)
    const tills = new Map((await new TillStore(database).list(business.key)).map((till) => [till.id, till]))
    const cashiers = await new CashierStore(database).names(business.key)
    const { compare } = new Intl.Collator(locale.tag, { numeric: true })
    return made
      .map((row) => ({
        ...row,
        branch: tills.get(row.till)?.branch ?? '',
        tillName: tills.get(row.till)?.name ?? row.till,
        cashierName: cashiers.get(cashierMaker(row.cashier)) ?? ''
      }))
      .toSorted(
        (one, other) =>
          Number(one.branch === '') - Number(other.branch === '') ||
          compare(one.branch, other.branch) ||
          compare(one.tillName, other.tillName) ||
          compare(one.cashierName, other.cashierName)
      )
  }

  async #show(visit: ManageVisit): Promise<ManagePage> {
    const { locale, path } = visit
    const { m } = locale
    const days = periodOf(visit)
    const rows = await this.#rows(visit, days)
    const period = (each: number): Html => {
      const text = each === 1 ? m.today() : m.lastSomeDays({ number: numberText(each, locale) })
      return html`<a
        class="button quiet"
        href="${path(`${BY_TILL_PATH}?days=${each}`)}"
        ${each === days ? html`aria-current="page"` : ''}
        >${text}</a
      >`
    }
    const branches = Map.groupBy(rows, ({ branch }) => branch)
    return {
      section: 'today',
      title: m.byTillTitle(),
      back: { path: path('/today'), text: m.today() },
      body: html`<p class="buttons">${PERIODS.map(period)}</p>
        ${
          rows.length === 0
            ? html`<p>${m.byTillNone()}</p>`
            : html`${[...branches].map(
                  ([branch, some]) =>
                    html`${branches.size === 1 && branch === '' ? '' : html`<h2><bdi>${branch === '' ? m.noBranch() : branch}</bdi></h2>`}
                    ${table(some, branch, locale)}`
                )}
                <p class="buttons">
                  <a class="button quiet" href="${path(`${BY_TILL_PATH}.csv?days=${days}`)}" download
                    >${m.saveTable()}</a
                  >
                </p>`
        }`
    }
  }

  async #download(visit: ManageVisit): Promise<Response> {
    const format = spreadsheetCsv(csvSeparator(visit.locale.tag))
    const header = format.record([
      ...['branch', 'till', 'cashier', 'slips', 'pointsIssued', 'credits', 'pointsCredited'],
      ...['returns', 'pointsReturned', 'redemptions', 'pointsRedeemed']
    ])
    const rows = await this.#rows(visit, periodOf(visit))
    return respondCsv('by-till.csv', [
      format.start + header,
      ...rows.map((row) =>
        format.record([
          ...[row.branch, row.tillName, row.cashierName],
          ...COLUMNS.flatMap((column) => [row[column].count, row[column].points])
        ])
      )
    ])
  }
}

/** The days that the address asks for; today alone for another number. */
const periodOf = ({ c }: ManageVisit): number =>
  PERIODS.find((days) => String(days) === c.req.query('days')) ?? PERIODS[0]

/** The rows of a branch, points below how often. On a phone each number stands beside its name, and no column is out of sight. */
const table = (rows: readonly MakerRow[], branch: string, locale: ManageLocale): Html => {
  const { m } = locale
  const names = {
    issued: m.slipsIssued(),
    credited: m.entryCredited(),
    returned: m.entryReturned(),
    redeemed: m.rewardsRedeemed()
  }
  return html`<div
    class="scroll"
    tabindex="0"
    role="region"
    aria-label="${branch === '' ? m.byTillTitle() : branch}"
  >
    <table class="named">
      <thead>
        <tr>
          <th>${m.tillAndCashier()}</th>
          ${COLUMNS.map((column) => html`<th class="number">${names[column]}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              <td>
                <bdi>${row.tillName}</bdi
                >${row.cashierName === '' ? '' : html`<span class="below"><bdi>${row.cashierName}</bdi></span>`}
              </td>
              ${COLUMNS.map(
                (column) =>
                  html`<td class="number" data-name="${names[column]}">
                    ${numberText(row[column].count, locale)}<span class="below"
                      >${m.points({ count: row[column].points, number: numberText(row[column].points, locale) })}</span
                    >
                  </td>`
              )}
            </tr>`
        )}
      </tbody>
    </table>
  </div>`
}
