/** What the form of *Earning rules* has in its fields, and the rules that they say. Rows count from 1. */
import * as v from 'valibot'
import {
  bonusTimeSchema,
  earningRulesSchema,
  MAX_BONUS_TIMES,
  MAX_FACTOR,
  MAX_GROUPS,
  MAX_RULE_NAME_LENGTH,
  type BonusTime,
  type EarningRules
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

export type RowKind = 'group' | 'bonus'

/** How many rows of each kind there can be. */
const ROWS: Readonly<Record<RowKind, number>> = { group: MAX_GROUPS, bonus: MAX_BONUS_TIMES }

/** The name of a row's field. */
export const rowField = (kind: RowKind, row: number, part: string): string => `${kind}-${String(row)}-${part}`

/** The row that a field belongs to; null for a field of no row. */
export const rowOf = (field: string): { readonly kind: RowKind; readonly row: number } | null => {
  const [, kind, row] = /^(group|bonus)-(\d+)-/.exec(field) ?? []
  return kind === undefined ? null : { kind: kind === 'group' ? 'group' : 'bonus', row: Number(row) }
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
  'order'
] as const
export interface WrongField {
  readonly field: string
  readonly fault: (typeof RULE_FAULTS)[number]
}

/** Returns the text of a field; empty without it. */
type TextOf = (field: string) => string

/** Whether a row is there: one without a name and a factor is left out. */
const isRow = (text: TextOf, kind: RowKind, row: number): boolean =>
  ['name', 'factor'].some((part) => text(rowField(kind, row, part)).trim() !== '')

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
  const { pointsPerUnit, currency, minimum, rounding, maximum, groups, bonusTimes } = rules
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
    )
  ])
}

/** A decimal, in the digits and with the separator of any keyboard; null for anything else. */
const decimalOf = (text: string): string | null => {
  const typed = toAsciiDigits(text).replace(/[,٫]/u, '.')
  return v.is(amountSchema, typed) ? typed : null
}

/** Whether a text is a day of the calendar, such as `2026-12-24`: there is no 31 February. */
const isDay = (text: string): boolean => {
  const moment = Date.parse(`${text}T00:00Z`)
  return !Number.isNaN(moment) && new Date(moment).toISOString().slice(0, 10) === text
}

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
    const [currency, rounding, maximum] = [text('currency').toUpperCase(), text('rounding'), text('maximum')]
    const points = Number(toAsciiDigits(maximum))
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
      maximum:
        maximum === '' ? null : this.#checked('maximum', 'maximum', points, v.is(pointsSchema, points)),
      groups: this.#rows('group').map((row) => this.#group(row)),
      bonusTimes: this.#rows('bonus').map((row) => this.#bonusTime(row))
    }
  }

  #rows(kind: RowKind): readonly number[] {
    return Array.from({ length: ROWS[kind] }, (_, index) => index + 1).filter((row) =>
      isRow(this.#text, kind, row)
    )
  }

  #group(row: number): EarningRules['groups'][number] {
    const [name, field] = [this.#name('group', row), rowField('group', row, 'name')]
    const isTaken = this.#rows('group').some(
      (other) => other < row && this.#text(rowField('group', other, 'name')) === name
    )
    this.#checked(field, 'taken', name, !isTaken)
    return { name, factor: this.#factor('group', row, 'factor') }
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
