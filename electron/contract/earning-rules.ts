/**
 * The shop's rules of what earns points, which its owner keeps at the service (docs/service-extension.md, `rules/1`): tills
 * calculate with the last ones that they have read, also without a connection.
 */
import * as v from 'valibot'
import { memoized } from './memoized.ts'
import { isTimeZone } from './slip-numbers-and-dates.ts'
import {
  amountSchema,
  MAX_POINTS,
  pointsRuleSchema,
  pointsSchema,
  type EarningFactor,
  type EarningRule
} from './points-calculation.ts'

/** Groups of goods, bonus times and levels that a shop may have. */
export const MAX_GROUPS = 20
export const MAX_BONUS_TIMES = 20
export const MAX_LEVELS = 6

/** The longest time after which points end, in months. */
export const MAX_EXPIRY_MONTHS = 120

/** The longest name of a group, a bonus time or a level, in characters: the till's line has room for two of them. */
export const MAX_RULE_NAME_LENGTH = 30

/** The largest factor. */
export const MAX_FACTOR = 100

const name = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(MAX_RULE_NAME_LENGTH))

/** `0` earns nothing. */
const factor = v.pipe(
  amountSchema,
  v.check((text) => Number(text) <= MAX_FACTOR)
)

const groupSchema = v.object({ name, factor })

/** A time of day, `00:00` to `24:00`. */
const timeOfDay = v.pipe(v.string(), v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/))

/** Returns whether a text is a day of the calendar, such as `2026-12-24`: there is no 31 February. */
export const isDay = (text: string): boolean => {
  const moment = Date.parse(`${text}T00:00Z`)
  return !Number.isNaN(moment) && new Date(moment).toISOString().slice(0, 10) === text
}

const day = v.pipe(v.string(), v.isoDate(), v.check(isDay))

const positiveFactor = v.pipe(factor, v.regex(/[1-9]/))

export const bonusTimeSchema = v.object({
  name,
  factor: positiveFactor,
  /** on which it begins, 1 (Monday) to 7 (ISO 8601) */
  weekdays: v.pipe(
    v.array(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(7))),
    v.minLength(1),
    v.maxLength(7)
  ),
  /** by the clock of the shop */
  from: v.pipe(timeOfDay, v.notValue('24:00')),
  /** not included; at or before `from`: of the next day */
  to: timeOfDay,
  /** the first day on which it begins; null: since ever */
  firstDay: v.nullable(day),
  /** the last one; null: without an end */
  lastDay: v.nullable(day)
})

/** A time at which bills earn more, or less. */
export type BonusTime = v.InferOutput<typeof bonusTimeSchema>

const levelSchema = v.object({
  name,
  /** points earned within the last twelve months from which a customer has it */
  from: pointsSchema,
  /** above 0 */
  factor: positiveFactor
})

/** What customers have who earn much. */
export type Level = v.InferOutput<typeof levelSchema>

/** From when the months count after which points end: when they were `earned`, or the customer's last `visit`. */
export const EXPIRY_SINCE = ['earned', 'visit'] as const

export const expirySchema = v.object({
  /** after which points end */
  months: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_EXPIRY_MONTHS)),
  since: v.picklist(EXPIRY_SINCE),
  /** whether slips say so */
  onSlips: v.boolean()
})

/** When points end that are earned under these rules. */
export type Expiry = v.InferOutput<typeof expirySchema>

export const slipExpirySchema = v.omit(expirySchema, ['onSlips'])

/** What a slip says of when its points end. */
export type SlipExpiry = v.InferOutput<typeof slipExpirySchema>

/** Points that are given once; 0: none. */
export const giftSchema = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_POINTS))

/** What a bill names a thing by is its name. */
const haveOwnNames = (things: readonly { readonly name: string }[]): boolean =>
  new Set(things.map((thing) => thing.name)).size === things.length

export const earningRulesSchema = v.object({
  ...pointsRuleSchema.entries,
  /** the largest number of points for a bill; null: any that a code may carry */
  maximum: v.nullable(pointsSchema),
  groups: v.pipe(
    v.array(groupSchema),
    v.maxLength(MAX_GROUPS),
    v.check((things) => haveOwnNames(things))
  ),
  bonusTimes: v.pipe(v.array(bonusTimeSchema), v.maxLength(MAX_BONUS_TIMES)),
  // Rules of the first version have none of these.
  /** from the lowest */
  levels: v.optional(
    v.pipe(
      v.array(levelSchema),
      v.maxLength(MAX_LEVELS),
      v.check((things) => haveOwnNames(things)),
      v.check((levels) =>
        levels.every(({ from }, index) => index === 0 || from > (levels[index - 1]?.from ?? 0))
      )
    ),
    []
  ),
  /** for a customer's first purchase */
  welcomePoints: v.optional(giftSchema, 0),
  /** on a customer's birthday */
  birthdayPoints: v.optional(giftSchema, 0),
  /** null: points do not end */
  expiry: v.optional(v.nullable(expirySchema), null)
})

/** What earns points in a shop. */
export type EarningRules = v.InferOutput<typeof earningRulesSchema>

/** `GET /ext/rules`. `rules` is null while tills use rules of their own. */
export const rulesAnswerSchema = v.object({
  /** 0: no rules were ever saved; one more with each change */
  version: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** of the bonus times (IANA). An answer with one that this runtime does not know is none: `Intl` would throw at each use */
  timeZone: v.pipe(v.string(), v.check(isTimeZone)),
  rules: v.nullable(earningRulesSchema)
})
export type RulesAnswer = v.InferOutput<typeof rulesAnswerSchema>

/** null for what cannot be read */
const readable = <Output>(schema: v.GenericSchema<unknown, Output>) => v.fallback(v.nullable(schema), null)

const standingEntries = {
  level: readable(v.object({ name, factor: positiveFactor })),
  /** the next level, and the points that are missing within twelve months; null: there is none */
  next: readable(v.object({ name, missing: pointsSchema })),
  /** the next points that end, and the last day (UTC) on which the customer has them; null: none end */
  ending: readable(v.object({ points: v.pipe(v.number(), v.integer(), v.minValue(1)), lastDay: day }))
}

/**
 * `GET /ext/customers/{id}/standing`: what a customer has by the shop's rules. A part that cannot be read is none; without
 * `level` it is no answer.
 */
export const standingSchema = v.pipe(v.looseObject({ level: v.unknown() }), v.object(standingEntries))
export type Standing = v.InferOutput<typeof standingSchema>

/** What of it the customer display shows. */
export const displayedStandingSchema = v.pick(v.object(standingEntries), ['level', 'ending'])

/** The rules of a shop that has none, to begin with. */
export const FIRST_RULES: EarningRules = {
  pointsPerUnit: '1',
  rounding: 'down',
  minimum: '0',
  currency: 'EUR',
  maximum: null,
  groups: [],
  bonusTimes: [],
  levels: [],
  welcomePoints: 0,
  birthdayPoints: 0,
  expiry: null
}

/** The level of a customer who has earned so many points within the last twelve months; null: none. */
export const levelOf = (levels: readonly Level[], earned: number): Level | null =>
  levels.findLast(({ from }) => earned >= from) ?? null

/** By the clock on the wall: an hour that a change of clocks repeats is there twice, and one that it leaves out never. */
const wallClock = memoized(
  (timeZone: string) =>
    new Intl.DateTimeFormat('sv-SE', {
      timeZone,
      dateStyle: 'short',
      timeStyle: 'short',
      calendar: 'gregory',
      numberingSystem: 'latn'
    })
)

const DAY_MS = 24 * 60 * 60_000

/** 1 (Monday) to 7. */
const weekdayOf = (day: string): number => ((new Date(`${day}T00:00Z`).getUTCDay() + 6) % 7) + 1

const dayBefore = (day: string): string =>
  new Date(Date.parse(`${day}T00:00Z`) - DAY_MS).toISOString().slice(0, 10)

const beginsOn = ({ weekdays, firstDay, lastDay }: BonusTime, day: string): boolean =>
  weekdays.includes(weekdayOf(day)) &&
  (firstDay === null || day >= firstDay) &&
  (lastDay === null || day <= lastDay)

/** Whether a bonus time holds at a time of a day of the shop. */
const holdsAt = (bonus: BonusTime, day: string, time: string): boolean => {
  const { from, to } = bonus
  if (from < to) return beginsOn(bonus, day) && time >= from && time < to
  return (beginsOn(bonus, day) && time >= from) || (beginsOn(bonus, dayBefore(day)) && time < to)
}

/** Of bonus times at once the one with the largest factor; of equal ones the first. */
function bonusAt({ bonusTimes }: EarningRules, timeZone: string, moment: Date): EarningFactor | null {
  const [day = '', time = ''] = wallClock(timeZone).format(moment).split(' ')
  return bonusTimes
    .filter((bonus) => holdsAt(bonus, day, time))
    .reduce<EarningFactor | null>(
      (best, { name, factor }) =>
        best !== null && Number(best.factor) >= Number(factor) ? best : { name, factor },
      null
    )
}

/** Returns what a bill earns with at a moment; null without rules. Of bonus times at once the largest one counts. */
export function earningRuleAt({ version, timeZone, rules }: RulesAnswer, moment: Date): EarningRule | null {
  if (rules === null) return null
  const { pointsPerUnit, rounding, minimum, currency, maximum, groups, levels } = rules
  const bonus = bonusAt(rules, timeZone, moment)
  return {
    ...{ pointsPerUnit, rounding, minimum, currency, maximum, groups, levels, version },
    factors: bonus === null ? [] : [bonus]
  }
}
