/** *Today*: what was issued, collected and redeemed, who joined, and the last 30 days. */
import { html } from 'hono/html'
import { dayOf, shiftDay } from '../domain/days.ts'
import { CHECK, type Html } from '../html/document.ts'
import { countOf, dayText, numberText } from '../html/locale.ts'
import { DaySums, type DayStatistics } from '../store/day-sums.ts'
import { countRefused } from '../store/offline-refusals.ts'
import { TillStore } from '../store/tills.ts'
import { BY_TILL_PATH } from './by-till.ts'
import type { ActivityPage } from './activity.ts'
import type { ManageRouter, ManageVisit } from './manage-router.ts'
import { entriesPath } from './entries.ts'
import { OFFLINE_PATH } from './offline.ts'
import type { ManagePage } from './manage-layout.ts'
import type { ManageLocale } from './manage-locale.ts'

/** Days of the chart, today included. */
const SHOWN_DAYS = 30

/** How long slips that were not taken are counted. */
const REFUSED_MS = 7 * 24 * 60 * 60_000

/** In units of the drawing: a day is three wide, two bars and a gap. */
const DAY_WIDTH = 3
const HEIGHT = 100

/** Noon, so that the day is the same in every time zone. */
const textOfDay = (day: string, locale: ManageLocale): string =>
  dayText(`${day}T12:00:00.000Z`, { ...locale, timeZone: 'UTC' })

/** Returns a function that writes a day, without the year: `21 Nov`. */
const shortDay = ({ tag }: ManageLocale): ((day: string) => string) => {
  const format = new Intl.DateTimeFormat(tag, {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC'
  })
  return (day) => format.format(new Date(`${day}T12:00Z`))
}

/** A bar for the points issued and one for those collected, for each day. The time goes from left to right in Arabic, too. */
const chart = (days: readonly DayStatistics[], locale: ManageLocale): Html => {
  const { m } = locale
  const short = shortDay(locale)
  const most = Math.max(0, ...days.map(({ issued, collected }) => Math.max(issued.points, collected.points)))
  const bar = (name: string, x: number, points: number): Html => {
    const height = most === 0 ? 0 : Math.round((HEIGHT * points) / most)
    return html`<rect class="${name}" x="${x}" y="${HEIGHT - height}" width="1" height="${height}" />`
  }
  const ends = [days[0], days.at(-1)].filter((day) => day !== undefined)
  return html`<p class="key" aria-hidden="true">
      <span class="issued">${m.pointsIssued()}</span><span>${m.pointsCollected()}</span>
    </p>
    <div class="chart">
      <p aria-hidden="true"><span>${most === 0 ? '' : numberText(most, locale)}</span></p>
      <svg
        viewBox="0 0 ${DAY_WIDTH * days.length - 1} ${HEIGHT}"
        preserveAspectRatio="none"
        role="img"
        aria-label="${m.chartLabel()}"
      >
        ${days.map(
          ({ issued, collected }, index) =>
            html`${bar('issued', index * DAY_WIDTH, issued.points)}
            ${bar('collected', index * DAY_WIDTH + 1, collected.points)}`
        )}
      </svg>
      <p dir="ltr" aria-hidden="true">${ends.map(({ day }) => html`<bdi>${short(day)}</bdi>`)}</p>
    </div>`
}

/** The numbers of the chart. */
const table = (days: readonly DayStatistics[], locale: ManageLocale): Html => {
  const { m } = locale
  const short = shortDay(locale)
  const cell = (value: number): Html => html`<td class="number">${numberText(value, locale)}</td>`
  return html`<details>
    <summary>${m.asTable()}</summary>
    <div class="scroll" tabindex="0" role="region" aria-label="${m.lastDays()}">
      <table>
        <thead>
          <tr>
            <th>${m.day()}</th>
            <th class="number">${m.pointsIssued()}</th>
            <th class="number">${m.pointsCollected()}</th>
            <th class="number">${m.entryCredited()}</th>
            <th class="number">${m.entryReturned()}</th>
            <th class="number">${m.pointsRedeemed()}</th>
            <th class="number">${m.joined()}</th>
          </tr>
        </thead>
        <tbody>
          ${days.toReversed().map(
            ({ day, issued, collected, credited, returned, redeemed, joined }) =>
              html`<tr>
                <td>${short(day)}</td>
                ${cell(issued.points)}${cell(collected.points)}${cell(credited.points)}
                ${cell(returned.points)}${cell(redeemed.points)}${cell(joined)}
              </tr>`
          )}
        </tbody>
      </table>
    </div>
  </details>`
}

/** A number with what it counts; it leads to the rows that make it up, where a page has them. */
const figure = (
  name: string,
  value: number,
  below: string,
  path: string | null,
  locale: ManageLocale
): Html =>
  html`<div>
    <dt>${name}</dt>
    <dd>
      ${path === null ? numberText(value, locale) : html`<a href="${path}">${numberText(value, locale)}</a>`}
      ${below === '' ? '' : html`<span class="below">${below}</span>`}
    </dd>
  </div>`

/** The route of *Today*. */
export class TodayPage {
  readonly #router: ManageRouter
  readonly #activity: ActivityPage

  constructor(router: ManageRouter, activity: ActivityPage) {
    this.#router = router
    this.#activity = activity
  }

  addRoutes(): void {
    this.#router.page('/today', 'owner', (visit) => this.#show(visit))
  }

  async #show(visit: ManageVisit): Promise<ManagePage> {
    const { business, locale, path } = visit
    const { database, now } = this.#router.dependencies
    const { m } = locale
    const last = dayOf(now(), business.timeZone)
    const days = await new DaySums(database, now).days(business, shiftDay(last, 1 - SHOWN_DAYS), last)
    const today = days.at(-1)
    const unusual = await this.#activity.count(business)
    const since = new Date(now().getTime() - REFUSED_MS).toISOString()
    const refused = await countRefused(database, business.key, since)
    const points = (count: number): string => m.points(countOf(count, locale))
    return {
      section: 'today',
      title: textOfDay(last, locale),
      body: html`${await this.#firstSteps(visit)}
        ${
          today === undefined
            ? ''
            : html`<dl class="figures even">
                ${figure(m.slipsIssued(), today.issued.count, points(today.issued.points), path('/codes'), locale)}
                ${figure(m.slipsCollected(), today.collected.count, points(today.collected.points), path(entriesPath('collected')), locale)}
                ${figure(m.entryCredited(), today.credited.count, points(today.credited.points), path(entriesPath('credited')), locale)}
                ${figure(m.entryReturned(), today.returned.count, points(today.returned.points), null, locale)}
                ${figure(m.rewardsRedeemed(), today.redeemed.count, points(today.redeemed.points), path(entriesPath('redeemed')), locale)}
                ${figure(m.customersJoined(), today.joined, '', path(entriesPath('joined')), locale)}
                ${unusual === 0 ? '' : figure(m.activityTitle(), unusual, '', path('/activity'), locale)}
                ${refused === 0 ? '' : figure(m.offlineRefusedTitle(), refused, '', path(OFFLINE_PATH), locale)}
              </dl>`
        }
        <p><a class="button quiet" href="${path(BY_TILL_PATH)}">${m.byTillTitle()}</a></p>
        <h2>${m.lastDays()}</h2>
        ${chart(days, locale)} ${table(days, locale)}`
    }
  }

  /** What a shop needs before its customers can collect and redeem, until it has all of it. */
  async #firstSteps({ business, locale, path }: ManageVisit): Promise<Html | ''> {
    const { database } = this.#router.dependencies
    const { m } = locale
    const tills = await new TillStore(database).list(business.key)
    const rewards = await this.#router.rewards.all(business.key)
    const steps = [
      {
        isDone: tills.some(({ revokedAt }) => revokedAt === null),
        ...{ path: '/tills', name: m.pairTill(), text: m.stepTillText() }
      },
      {
        isDone: rewards.some(({ isEnable }) => isEnable),
        ...{ path: '/rewards', name: m.addReward(), text: m.stepRewardText() }
      },
      {
        isDone: business.customers > 0,
        ...{ path: '/data#import', name: m.stepCustomers(), text: m.stepCustomersText() }
      }
    ]
    if (steps.every(({ isDone }) => isDone)) return ''
    return html`<h2>${m.firstSteps()}</h2>
      <ul class="rows steps">
        ${steps.map((step) =>
          step.isDone
            ? html`<li class="off">
                <span>${step.name}<span class="below">${m.stepDone()}</span></span>
                ${CHECK}
              </li>`
            : html`<li>
                <a class="whole" href="${path(step.path)}"
                  >${step.name}<span class="below">${step.text}</span></a
                >
              </li>`
        )}
      </ul>`
  }
}
