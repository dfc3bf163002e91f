/**
 * What bills earn, calculated in the plainest way: with fractions, and with minutes that are counted from the parts of a date.
 * It shares nothing with the product but the types. And random rules and bills for it.
 */
import type { BonusTime, EarningRules } from '../../../electron/contract/earning-rules.ts'
import type { BillAmounts, RoundingMode } from '../../../electron/contract/points-calculation.ts'

/** A number as counter and denominator, not reduced. */
export type Fraction = readonly [bigint, bigint]

const fraction = (text: string): Fraction => {
  const [whole = '', decimals = ''] = text.split('.')
  return [BigInt(whole + decimals), 10n ** BigInt(decimals.length)]
}
const plus = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * d + c * b, b * d]
const minus = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * d - c * b, b * d]
const times = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * c, b * d]
const isLess = ([a, b]: Fraction, [c, d]: Fraction): boolean => a * d < c * b

/** The largest whole number that is not above a fraction. */
export const floor = ([a, b]: Fraction): bigint => a / b
export const ceiling = ([a, b]: Fraction): bigint => (a % b === 0n ? a / b : a / b + 1n)

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const DAY = 24 * 60
const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 86_400_000
const minutesOf = (time: string): number => {
  const [hours, minutes] = time.split(':')
  return 60 * Number(hours) + Number(minutes)
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** The minute that the clocks of a zone show, counted from 1970, and the weekday from 1 (Monday). */
const clockOf = (timeZone: string, moment: Date): { readonly minute: number; readonly weekday: number } => {
  const known = clocks.get(timeZone)
  const clock =
    known ??
    new Intl.DateTimeFormat('en-US', {
      ...{ timeZone, hourCycle: 'h23', weekday: 'short', year: 'numeric', month: 'numeric' },
      ...{ day: 'numeric', hour: 'numeric', minute: 'numeric' }
    })
  clocks.set(timeZone, clock)
  const parts = new Map(clock.formatToParts(moment).map(({ type, value }) => [type, value]))
  const [year, month, day, hour, minute] = (['year', 'month', 'day', 'hour', 'minute'] as const).map((type) =>
    Number(parts.get(type))
  )
  const weekday = WEEKDAYS.indexOf(parts.get('weekday') ?? '') + 1
  const days = Date.UTC(year ?? 0, (month ?? 0) - 1, day) / 86_400_000
  return { minute: days * DAY + 60 * (hour ?? 0) + (minute ?? 0), weekday }
}

const holds = (bonus: BonusTime, { minute, weekday }: ReturnType<typeof clockOf>): boolean => {
  const today = Math.floor(minute / DAY)
  const length = minutesOf(bonus.to) - minutesOf(bonus.from)
  return [0, 1].some((ago) => {
    const day = today - ago
    const begun = ((weekday - 1 - ago + 7) % 7) + 1
    if (!bonus.weekdays.includes(begun)) return false
    if (bonus.firstDay !== null && day < dayNumber(bonus.firstDay)) return false
    if (bonus.lastDay !== null && day > dayNumber(bonus.lastDay)) return false
    const start = day * DAY + minutesOf(bonus.from)
    return minute >= start && minute < start + (length > 0 ? length : length + DAY)
  })
}

/** The exact points of a bill, before it is rounded and limited; null for one with more goods in groups than goods. */
export const exactPoints = (
  { amount, groups = [], level }: BillAmounts,
  rules: EarningRules,
  timeZone: string,
  moment: Date
): Fraction | null => {
  const clock = clockOf(timeZone, moment)
  let rest = fraction(amount)
  let earning = fraction('0')
  for (const group of groups) {
    const factor = rules.groups.find(({ name }) => name === group.name)?.factor ?? '1'
    rest = minus(rest, fraction(group.amount))
    earning = plus(earning, times(fraction(group.amount), fraction(factor)))
  }
  if (rest[0] < 0n) return null
  const factors = rules.bonusTimes
    .filter((bonus) => holds(bonus, clock))
    .map(({ factor }) => fraction(factor))
  const largest = factors.reduce((one, other) => (isLess(one, other) ? other : one), fraction('0'))
  const rated = times(plus(earning, rest), fraction(rules.pointsPerUnit))
  const ofLevel = rules.levels.find(({ name }) => name === level)?.factor ?? '1'
  return times(factors.length === 0 ? rated : times(rated, largest), fraction(ofLevel))
}

const rounded = (exact: Fraction, rounding: RoundingMode): bigint => {
  if (rounding === 'down') return floor(exact)
  return rounding === 'up' ? ceiling(exact) : floor(plus(exact, [1n, 2n]))
}

/** The points of a bill at a moment; 0 where it earns none; null for one that is malformed or earns more than a code carries. */
export const plainPoints = (
  bill: BillAmounts,
  rules: EarningRules,
  timeZone: string,
  moment: Date
): number | null => {
  const exact = exactPoints(bill, rules, timeZone, moment)
  if (exact === null) return null
  if (isLess(fraction(bill.amount), fraction(rules.minimum))) return 0
  const points = Number(rounded(exact, rules.rounding))
  const limited = rules.maximum === null ? points : Math.min(points, rules.maximum)
  return limited > 9_999_999 ? null : limited
}

export const ZONES = ['Europe/Athens', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata'] as const
const CURRENCIES = [
  ['EUR', 2],
  ['JPY', 0],
  ['KWD', 3]
] as const
const GROUPS = ['Tobacco', 'Βιβλία', 'كتب', 'Drinks']
const LEVELS = ['Silver', 'Χρυσή', 'ذهبي']

/** Returns random rules and bills. @param random numbers from 0 up to 1 */
export const randomCases = (random: () => number) => {
  const whole = (most: number): number => Math.floor(random() * (most + 1))
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[whole(items.length - 1)]
    if (item === undefined) throw new Error('there is nothing to pick')
    return item
  }
  const decimal = (most: number, places: number): string => {
    const decimals = Array.from({ length: places }, () => String(whole(9))).join('')
    return places === 0 ? String(whole(most)) : `${String(whole(most))}.${decimals}`
  }
  const time = (): string => `${String(whole(23)).padStart(2, '0')}:${pick(['00', '15', '30', '45'])}`
  const day = (): string | null =>
    random() < 0.6 ? null : new Date(Date.UTC(2026, whole(11), 1 + whole(27))).toISOString().slice(0, 10)
  const factor = (): string => pick(['0.5', '1', '1.25', '1.5', '2', '3', decimal(5, 3)])
  const bonusTime = (index: number): BonusTime => ({
    name: `Bonus ${String(index)}`,
    factor: factor().replace(/^0\.000$/, '1'),
    weekdays: [1, 2, 3, 4, 5, 6, 7].filter((each) => each === 1 + (index % 7) || random() < 0.5),
    ...{ from: time(), to: random() < 0.1 ? '24:00' : time(), firstDay: day(), lastDay: day() }
  })
  return {
    timeZone: () => pick(ZONES),
    rules: (): EarningRules => ({
      pointsPerUnit: pick(['1', '0.5', '10', '0.01', '1.333333', '2']),
      rounding: pick(['down', 'nearest', 'up']),
      minimum: pick(['0', '0', '5', '12.5']),
      currency: pick(CURRENCIES)[0],
      maximum: random() < 0.7 ? null : 1 + whole(400),
      groups: GROUPS.slice(0, whole(3)).map((name) => ({ name, factor: pick(['0', factor()]) })),
      bonusTimes: Array.from({ length: whole(4) }, (_, index) => bonusTime(index)),
      levels: LEVELS.slice(0, whole(3)).map((name, index) => ({
        ...{ name, from: 1 + 100 * index + whole(90), factor: factor().replace(/^0\.000$/, '1') }
      })),
      ...{ welcomePoints: 0, birthdayPoints: 0, expiry: null }
    }),
    bill: (): BillAmounts => {
      const [, places] = pick(CURRENCIES)
      const groups = Array.from({ length: random() < 0.5 ? 0 : whole(3) }, (_, index) => ({
        name: GROUPS[index] ?? '',
        amount: decimal(40, places)
      }))
      const amount = decimal(random() < 0.01 ? 999_999_999 : 200, places)
      const level = pick([null, null, ...LEVELS])
      return { amount, ...(groups.length > 0 && { groups }), ...(level !== null && { level }) }
    },
    /** of 2026, often within a change of clocks */
    moment: (): Date => {
      const change = pick([
        '2026-03-29T01:00Z',
        '2026-10-25T01:00Z',
        '2026-11-01T06:00Z',
        '2026-04-04T15:00Z'
      ])
      return random() < 0.3
        ? new Date(Date.parse(change) + (whole(480) - 240) * 60_000)
        : new Date(Date.UTC(2026, 0, 1) + whole(365 * DAY) * 60_000)
    }
  }
}
