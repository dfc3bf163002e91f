/** Rules in plain words: what a bill earns under them, now and at other times. */
import { html } from 'hono/html'
import { memoized } from '../../contract/memoized.ts'
import {
  earningRuleAt,
  type BonusTime,
  type EarningRules,
  type RulesAnswer
} from '../../contract/earning-rules.ts'
import {
  calculatePoints,
  currencyPlaces,
  type BillAmounts,
  type EarningFactor,
  type EarningRule
} from '../../contract/points-calculation.ts'
import type { Html } from '../html/document.ts'
import { countOf, decimalText } from '../html/locale.ts'
import type { ManageLocale } from './manage-locale.ts'

type Place = Pick<ManageLocale, 'tag'>

const currencyFormat = memoized((tag: string, currency: string) => {
  const places = currencyPlaces(currency)
  return new Intl.NumberFormat(tag, {
    ...{ style: 'currency', currency, currencyDisplay: 'narrowSymbol', numberingSystem: 'latn' },
    ...{ minimumFractionDigits: places, maximumFractionDigits: places }
  })
})

/** An amount (digits with a full stop) with the sign of its currency: `€12.50`. */
const amountText = (amount: string, currency: string, { tag }: Place): string =>
  currencyFormat(tag, currency).format(Number(amount))

/** What one unit of the currency earns: `€1.00 × 2`. */
export const rateText = ({ pointsPerUnit, currency }: EarningRules, locale: Place): string =>
  `${amountText('1', currency, locale)} × ${decimalText(pointsPerUnit, locale)}`

const weekdayFormat = memoized(
  (tag: string, weekday: string) =>
    new Intl.DateTimeFormat(tag, { weekday: weekday === 'long' ? 'long' : 'short', timeZone: 'UTC' })
)

/** The name of a weekday, 1 (Monday) to 7. */
export const weekdayText = (day: number, length: 'long' | 'short', { tag }: Place): string =>
  // 5 January 1970 was a Monday.
  weekdayFormat(tag, length).format(Date.UTC(1970, 0, 4 + day))

const timeOfDay = (time: string, { tag }: Place): string =>
  new Intl.DateTimeFormat(tag, { timeStyle: 'short', timeZone: 'UTC', numberingSystem: 'latn' })
    .format(
      Date.parse('1970-01-01T00:00Z') + Number(time.slice(0, 2)) * 3_600_000 + Number(time.slice(3)) * 60_000
    )
    .replaceAll(' ', '\u00a0')

const dayText = (day: string, { tag }: Place): string =>
  new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC', numberingSystem: 'latn' })
    .format(new Date(`${day}T00:00Z`))
    .replaceAll(' ', '\u00a0')

/** When a bonus time holds, in parts: days, hours, and the days of the calendar. */
const whenText = (
  { weekdays, from, to, firstDay, lastDay }: BonusTime,
  locale: ManageLocale
): readonly string[] => {
  const { m, tag } = locale
  const days = weekdays.toSorted((one, other) => one - other).map((day) => weekdayText(day, 'long', locale))
  return [
    days.length === 7 ? m.everyDay() : new Intl.ListFormat(tag, { type: 'conjunction' }).format(days),
    from === to || (from === '00:00' && to === '24:00')
      ? m.wholeDay()
      : m.fromTo({ from: timeOfDay(from, locale), to: timeOfDay(to, locale) }),
    ...(firstDay === null ? [] : [m.sinceDay({ day: dayText(firstDay, locale) })]),
    ...(lastDay === null ? [] : [m.untilDay({ day: dayText(lastDay, locale) })])
  ]
}

/** A bill of which people can say at once whether its points are right: `45.20`, and 4520 yen. */
const sampleAmount = ({ currency, minimum }: EarningRules): string => {
  const places = currencyPlaces(currency)
  const sample = places === 0 ? '4520' : `45.${'200'.slice(0, places)}`
  return Number(minimum) > Number(sample) ? minimum : sample
}

const pointsText = (bill: BillAmounts, rule: EarningRule, locale: ManageLocale): string => {
  const calculated = calculatePoints(bill, rule)
  const points = calculated.ok && calculated.value.kind === 'points' ? calculated.value.points : 0
  return locale.m.points(countOf(points, locale))
}

/** The points that are given once, with their names. */
export const giftsOf = (
  { welcomePoints, birthdayPoints }: EarningRules,
  { m }: ManageLocale
): readonly { readonly name: string; readonly points: number; readonly when: string }[] =>
  [
    { name: m.entryWelcomed(), points: welcomePoints, when: m.atFirstPurchase() },
    { name: m.entryBirthday(), points: birthdayPoints, when: m.onceAYear() }
  ].filter(({ points }) => points > 0)

/** When points end that are earned under rules; empty where they do not. */
export const expiryWords = ({ expiry }: EarningRules, locale: ManageLocale): string => {
  if (expiry === null) return ''
  const { m } = locale
  return (expiry.since === 'visit' ? m.endsAfterVisit : m.endsAfterEarned)(countOf(expiry.months, locale))
}

/** What a bill earns at a moment, in each bonus time, for each level, and where all of it are goods of a group; gifts and the end of points. */
export const rulesInWords = (answer: RulesAnswer, now: Date, locale: ManageLocale): Html => {
  const { rules } = answer
  const rule = earningRuleAt(answer, now)
  if (rules === null || rule === null) return html``
  const { m } = locale
  const amount = sampleAmount(rules)
  const row = (name: string, when: readonly string[], points: string): Html =>
    html`<li>
      <span
        ><bdi>${name}</bdi
        >${when.length === 0 ? '' : html`<span class="below">${when.join(' · ')}</span>`}</span
      >
      <span class="number">${points}</span>
    </li>`
  const at = (factors: readonly EarningFactor[], groups: BillAmounts['groups'] = []): string =>
    pointsText({ amount, groups }, { ...rule, factors }, locale)
  const count = (points: number): string => m.points(countOf(points, locale))
  const rows = [
    ...rules.bonusTimes.map((bonus) => row(bonus.name, whenText(bonus, locale), at([bonus]))),
    ...rules.groups.map(({ name }) => row(name, [m.goodsOnly()], at(rule.factors, [{ name, amount }]))),
    ...rules.levels.map((level) =>
      row(level.name, [m.levelFrom({ points: count(level.from) })], at([...rule.factors, level]))
    ),
    ...giftsOf(rules, locale).map(({ name, when, points }) => row(name, [when], count(points)))
  ]
  return html`<p>
      ${m.earnsNow({ amount: amountText(amount, rules.currency, locale), points: at(rule.factors) })}
    </p>
    ${
      rows.length === 0
        ? ''
        : html`<ul class="rows">
            ${rows}
          </ul>`
    }
    <p>${expiryWords(rules, locale) || m.endsNever()}</p>`
}
