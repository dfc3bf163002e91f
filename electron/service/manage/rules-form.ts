/** What the form of *Earning rules* has in its fields, and the rules that they say. Rows count from 1. */
import * as v from 'valibot'
import {
  bonusTimeSchema,
  earningRulesSchema,
  EXPIRY_SINCE,
  expirySchema,
  giftSchema,
  isDay,
  MAX_BONUS_TIMES,
  MAX_FACTOR,
  MAX_GROUPS,
  MAX_LEVELS,
  MAX_RULE_NAME_LENGTH,
  type BonusTime,
  type EarningRules,
  type Expiry,
  type Level
} from '../../contract/earning-rules.ts'
import {
  amountSchema,
  currencyPlaces,
  currencySchema,
  pointsSchema,
  ROUNDING_MODES
} from '../../contract/points-calculation.ts'
import { toAsciiDigits } from '../../contract/text.ts'
import { nameFault } from '../domain/names.ts'

/** 1 (Monday) to 7. */
export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const

const ROW_KINDS = ['group', 'bonus', 'level'] as const
export type RowKind = (typeof ROW_KINDS)[number]

/** How many rows of each kind there can be. */
const ROWS: Readonly<Record<RowKind, number>> = {
  group: MAX_GROUPS,
  bonus: MAX_BONUS_TIMES,
  level: MAX_LEVELS
}

/** The name of a row's field. */
export const rowField = (kind: RowKind, row: number, part: string): string => `${kind}-${String(row)}-${part}`

/** The row that a field belongs to; null for a field of no row. */
export const rowOf = (field: string): { readonly kind: RowKind; readonly row: number } | null => {
  const [, named, row] = /^([a-z]+)-(\d+)-/.exec(field) ?? []
  const kind = ROW_KINDS.find((each) => each === named)
  return kind === undefined ? null : { kind, row: Number(row) }
}

/** What is wrong with a field. */
export const RULE_FAULTS = [
  'rate',
  'minimum',
  'currency',
  'maximum',
  'name',
  'taken',
  'factor',
  'bonusFactor',
  'days',
  'time',
  'date',
  'order',
  'levelTaken',
  'levelPoints',
  'levelPointsTaken',
  'gift',
  'months'
] as const
export interface WrongField {
  readonly field: string
  readonly fault: (typeof RULE_FAULTS)[number]
}

/** Returns the text of a field; empty without it. */
type TextOf = (field: string) => string

/** Whether a row is there: one without a name and numbers is left out. */
const isRow = (text: TextOf, kind: RowKind, row: number): boolean =>
  ['name', 'factor', 'points'].some((part) => text(rowField(kind, row, part)).trim() !== '')

/** Returns how many rows of a kind a form shows: those up to the last one that is there, and an empty one. */
export const shownRows = (text: TextOf, kind: RowKind): number => {
  let last = ROWS[kind]
  while (last > 0 && !isRow(text, kind, last)) last -= 1
  return Math.min(last + 1, ROWS[kind])
}

/** Returns what the fields have for rules. @param decimal writes a decimal with a full stop as people type it */
export const textsOf = (
  rules: EarningRules,
  decimal: (text: string) => string
): ReadonlyMap<string, string> => {
  const { pointsPerUnit, currency, minimum, rounding, maximum, groups, bonusTimes, levels, expiry } = rules
  const gift = (points: number): string => (points === 0 ? '' : String(points))
  const row = (kind: RowKind, index: number, texts: Readonly<Record<string, string | null>>) =>
    Object.entries(texts).map(([part, text]): [string, string] => [
      rowField(kind, index + 1, part),
      text ?? ''
    ])
  return new Map([
    ['rate', decimal(pointsPerUnit)],
    ['currency', currency],
    ['minimum', decimal(minimum)],
    ['rounding', rounding],
    ['maximum', maximum === null ? '' : String(maximum)],
    ...groups.flatMap(({ name, factor }, index) => row('group', index, { name, factor: decimal(factor) })),
    ...bonusTimes.flatMap(({ name, factor, from, to, firstDay, lastDay, weekdays }, index) =>
      row('bonus', index, {
        ...{ name, factor: decimal(factor), from, to: to === '24:00' ? '00:00' : to, firstDay, lastDay },
        ...Object.fromEntries(weekdays.map((day) => [`day${String(day)}`, '1']))
      })
    ),
    ...levels.flatMap(({ name, from, factor }, index) =>
      row('level', index, { name, points: String(from), factor: decimal(factor) })
    ),
    ['welcome', gift(rules.welcomePoints)],
    ['birthday', gift(rules.birthdayPoints)],
    ['months', expiry === null ? '' : String(expiry.months)],
    ['since', expiry?.since ?? 'earned'],
    ['onSlips', expiry?.onSlips === true ? '1' : '']
  ])
}

/** A decimal, in the digits and with the separator of any keyboard; null for anything else. */
const decimalOf = (text: string): string | null => {
  const typed = toAsciiDigits(text).replace(/[,٫]/u, '.')
  return v.is(amountSchema, typed) ? typed : null
}

/** A whole number in one form, however it is typed. */
const wholeText = (text: string): string => String(Number(toAsciiDigits(text)))

/** Reads the fields of a form, and notes what is wrong with them. */
class RulesReader {
  readonly #text: TextOf
  readonly #faults: WrongField[] = []

  constructor(text: TextOf) {
    this.#text = (field) => text(field).trim()
  }

  /** the first one in the order of the page; undefined where nothing is wrong */
  get fault(): WrongField | undefined {
    return this.#faults[0]
  }

  rules(): unknown {
    const text = this.#text
    const [currency, rounding] = [text('currency').toUpperCase(), text('rounding')]
    return {
      pointsPerUnit: this.#decimal('rate', 'rate', (value) => Number(value) > 0),
      currency: this.#checked('currency', 'currency', currency, v.is(currencySchema, currency)),
      minimum: this.#decimal(
        'minimum',
        'minimum',
        // As 1.250, which is read in two ways.
        (value) => (value.split('.')[1] ?? '').length <= currencyPlaces(currency),
        '0'
      ),
      rounding: ROUNDING_MODES.find((mode) => mode === rounding) ?? 'down',
      maximum: text('maximum') === '' ? null : this.#whole('maximum', 'maximum', pointsSchema),
      groups: this.#rows('group').map((row) => this.#group(row)),
      bonusTimes: this.#rows('bonus').map((row) => this.#bonusTime(row)),
      levels: this.#rows('level')
        .map((row) => this.#level(row))
        .toSorted((one, other) => one.from - other.from),
      welcomePoints: this.#whole('welcome', 'gift', giftSchema),
      birthdayPoints: this.#whole('birthday', 'gift', giftSchema),
      expiry: text('months') === '' ? null : this.#expiry()
    }
  }

  #rows(kind: RowKind): readonly number[] {
    return Array.from({ length: ROWS[kind] }, (_, index) => index + 1).filter((row) =>
      isRow(this.#text, kind, row)
    )
  }

  #group(row: number): EarningRules['groups'][number] {
    const name = this.#name('group', row)
    this.#checked(rowField('group', row, 'name'), 'taken', name, this.#isOwn('group', row, 'name'))
    return { name, factor: this.#factor('group', row, 'factor') }
  }

  #level(row: number): Level {
    const [named, points] = [rowField('level', row, 'name'), rowField('level', row, 'points')]
    const name = this.#name('level', row)
    this.#checked(named, 'levelTaken', name, this.#isOwn('level', row, 'name'))
    const from = this.#whole(points, 'levelPoints', pointsSchema)
    this.#checked(points, 'levelPointsTaken', from, this.#isOwn('level', row, 'points', wholeText))
    return { name, from, factor: this.#factor('level', row, 'bonusFactor') }
  }

  #expiry(): Expiry {
    const since = EXPIRY_SINCE.find((each) => each === this.#text('since')) ?? 'earned'
    const months = this.#whole('months', 'months', expirySchema.entries.months)
    return { months, since, onSlips: this.#text('onSlips') !== '' }
  }

  /** Whether no row before has the same in a part. @param read what counts of the text */
  #isOwn(kind: RowKind, row: number, part: string, read = (text: string): string => text): boolean {
    const textOf = (each: number): string => read(this.#text(rowField(kind, each, part)))
    return this.#rows(kind).every((other) => other >= row || textOf(other) !== textOf(row))
  }

  #bonusTime(row: number): BonusTime {
    const field = (part: string): string => rowField('bonus', row, part)
    const name = this.#name('bonus', row)
    const factor = this.#factor('bonus', row, 'bonusFactor')
    const weekdays = WEEKDAYS.filter((day) => this.#text(field(`day${String(day)}`)) !== '')
    this.#checked(field('days'), 'days', weekdays, weekdays.length > 0)
    const time = (part: 'from' | 'to'): string => {
      // Nothing typed is the whole day.
      const typed = this.#text(field(part)).slice(0, 5) || '00:00'
      return this.#checked(field(part), 'time', typed, v.is(bonusTimeSchema.entries.from, typed))
    }
    const day = (part: 'firstDay' | 'lastDay'): string | null => {
      const typed = this.#text(field(part)) || null
      return this.#checked(field(part), 'date', typed, typed === null || isDay(typed))
    }
    const times = { from: time('from'), to: time('to') }
    const [firstDay, lastDay] = [day('firstDay'), day('lastDay')]
    this.#checked(
      field('lastDay'),
      'order',
      lastDay,
      firstDay === null || lastDay === null || firstDay <= lastDay
    )
    return { name, factor, weekdays: [...weekdays], ...times, firstDay, lastDay }
  }

  #name(kind: RowKind, row: number): string {
    const field = rowField(kind, row, 'name')
    const name = this.#text(field)
    return this.#checked(field, 'name', name, nameFault(name) === null && name.length <= MAX_RULE_NAME_LENGTH)
  }

  #factor(kind: RowKind, row: number, fault: 'factor' | 'bonusFactor'): string {
    return this.#decimal(
      rowField(kind, row, 'factor'),
      fault,
      (value) => Number(value) <= MAX_FACTOR && (fault === 'factor' || Number(value) > 0)
    )
  }

  /** A whole number in any digits; 0 where nothing is typed. */
  #whole(field: string, fault: WrongField['fault'], schema: v.GenericSchema<number>): number {
    const value = Number(toAsciiDigits(this.#text(field)))
    return this.#checked(field, fault, value, v.is(schema, value))
  }

  #decimal(
    field: string,
    fault: WrongField['fault'],
    isRight: (value: string) => boolean,
    without = ''
  ): string {
    const value = decimalOf(this.#text(field) || without)
    return this.#checked(field, fault, value ?? '', value !== null && isRight(value))
  }

  #checked<Value>(field: string, fault: WrongField['fault'], value: Value, isRight: boolean): Value {
    if (!isRight) this.#faults.push({ field, fault })
    return value
  }
}

/** Returns the rules that a form says, or the first thing that is wrong with it. */
export const parseRules = (text: TextOf): { readonly rules: EarningRules } | WrongField => {
  const reader = new RulesReader(text)
  const rules = reader.rules()
  return reader.fault ?? { rules: v.parse(earningRulesSchema, rules) }
}
