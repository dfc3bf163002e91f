/** The fields of *Earning rules*. */
import { html, raw } from 'hono/html'
import * as v from 'valibot'
import { EXPIRY_SINCE, MAX_EXPIRY_MONTHS, MAX_RULE_NAME_LENGTH } from '../../contract/earning-rules.ts'
import { currencySchema, MAX_POINTS, ROUNDING_MODES } from '../../contract/points-calculation.ts'
import type { Html } from '../html/document.ts'
import { selectField, textField } from '../html/fields.ts'
import { numberText } from '../html/locale.ts'
import type { TypedForm } from '../html/typed-form.ts'
import type { ManageLocale } from './manage-locale.ts'
import { rowField, rowOf, shownRows, WEEKDAYS, type RowKind, type WrongField } from './rules-form.ts'
import { weekdayText } from './rules-words.ts'

/** What is wrong with a field and what to do, with the row that it is in. */
export const ruleFaultText = ({ field, fault }: WrongField, locale: ManageLocale): string => {
  const { m } = locale
  const text = m.ruleFault({ fault })
  const row = rowOf(field)
  return row === null ? text : m.inRow({ row: rowTitle(row.kind, row.row, locale), text })
}

const rowTitle = (kind: RowKind, row: number, locale: ManageLocale): string => {
  const { m } = locale
  const number = numberText(row, locale)
  return { group: m.groupNumbered, bonus: m.bonusNumbered, level: m.levelNumbered }[kind]({ number })
}

/** All currencies and the chosen one, which this runtime may not list, by their names. */
const currencyOptions = (language: string, chosen: string): readonly (readonly [string, string])[] => {
  const names = new Intl.DisplayNames(language, { type: 'currency' })
  const { compare } = new Intl.Collator(language)
  return (
    [...new Set([...Intl.supportedValuesOf('currency'), chosen])]
      // `Intl` throws for what is no code.
      .map(
        (code) => [code, v.is(currencySchema, code) ? `${names.of(code) ?? code} (${code})` : code] as const
      )
      .toSorted(([, one], [, other]) => compare(one, other))
  )
}

/**
 * The fields: what is typed, or else what the rules have.
 *
 * @param kept what the rules have, by the names of the fields
 */
export const rulesFields = (
  kept: ReadonlyMap<string, string>,
  typed: TypedForm,
  locale: ManageLocale
): Html => {
  const { m } = locale
  // A box without a mark is not sent: what the rules have does not count then.
  const isSent = typed.has('rate')
  const valueOf = (field: string): string => (isSent ? typed.value(field) : (kept.get(field) ?? ''))
  const text = (
    name: string,
    label: string,
    field: Omit<Parameters<typeof textField>[0], 'name' | 'label'> = {}
  ): Html => {
    const row = rowOf(name)
    const spoken = row && { spoken: m.inRow({ row: rowTitle(row.kind, row.row, locale), text: label }) }
    return textField({ name, label, value: kept.get(name) ?? '', ...field, ...spoken }, typed)
  }
  const optional = { isOptional: true } as const

  const rows = (kind: RowKind, controls: (field: (part: string) => string) => Html): Html =>
    html`${Array.from(
      { length: shownRows(valueOf, kind) },
      (_, index) =>
        html`<fieldset>
          <legend>${rowTitle(kind, index + 1, locale)}</legend>
          ${controls((part) => rowField(kind, index + 1, part))}
        </fieldset>`
    )}`

  const nameAndFactor = (field: (part: string) => string): Html =>
    html`${text(field('name'), m.ruleName(), { ...optional, maxLength: MAX_RULE_NAME_LENGTH })}
    ${text(field('factor'), m.factor(), { ...optional, kind: 'decimal', maxLength: 16 })}`

  const days = (field: (part: string) => string): Html => {
    const fault = typed.faultOf(field('days'))
    return html`<fieldset
      class="days"
      ${fault === null ? '' : raw(`aria-describedby="${field('days')}-fault"`)}
    >
      <legend>${m.weekdays()}</legend>
      ${fault === null ? '' : html`<p class="fault" id="${field('days')}-fault">${fault}</p>`}
      ${WEEKDAYS.map((day) => {
        const name = field(`day${String(day)}`)
        return html`<label class="check"
          ><input
            type="checkbox"
            name="${name}"
            value="1"
            ${valueOf(name) === '' ? '' : raw('checked')}
            ${fault !== null && day === WEEKDAYS[0] ? raw('aria-invalid="true" autofocus') : ''}
          />
          ${weekdayText(day, 'short', locale)}</label
        >`
      })}
    </fieldset>`
  }

  return html`<div class="line pair">
      ${text('rate', m.rate(), { kind: 'decimal', maxLength: 16 })}
      ${selectField({ name: 'currency', label: m.currency(), value: kept.get('currency') ?? '' }, currencyOptions(locale.language, valueOf('currency')), typed)}
    </div>
    <div class="narrow">
      ${text('minimum', m.smallestAmount(), { ...optional, kind: 'decimal', maxLength: 16, hint: m.smallestAmountHint() })}
      ${selectField(
        { name: 'rounding', label: m.rounding(), value: kept.get('rounding') ?? '' },
        ROUNDING_MODES.map((mode) => [mode, m.roundingMode({ mode })] as const),
        typed
      )}
      ${text('maximum', m.largestPoints(), { ...optional, kind: 'number', range: [1, MAX_POINTS], hint: m.largestPointsHint() })}
    </div>
    <h2>${m.groupsOfGoods()}</h2>
    <p>${m.groupsText()}</p>
    ${rows('group', (field) => html`<div class="line pair">${nameAndFactor(field)}</div>`)}
    <h2>${m.bonusTimes()}</h2>
    <p>${m.bonusTimesText()}</p>
    ${rows(
      'bonus',
      (field) =>
        html`<div class="line pair">${nameAndFactor(field)}</div>
          ${days(field)}
          <div class="line pair">
            ${text(field('from'), m.fromTime(), { ...optional, kind: 'time' })}
            ${text(field('to'), m.toTime(), { ...optional, kind: 'time' })}
          </div>
          <div class="line pair">
            ${text(field('firstDay'), m.firstDay(), { ...optional, kind: 'date' })}
            ${text(field('lastDay'), m.lastDay(), { ...optional, kind: 'date' })}
          </div>`
    )}
    <h2>${m.levels()}</h2>
    <p>${m.levelsText()}</p>
    ${rows(
      'level',
      (field) =>
        html`<div class="line pair">${nameAndFactor(field)}</div>
          <div class="narrow">
            ${text(field('points'), m.levelPoints(), { ...optional, kind: 'number', range: [1, MAX_POINTS] })}
          </div>`
    )}
    <h2>${m.gifts()}</h2>
    <p>${m.giftsText()}</p>
    <div class="line pair">
      ${text('welcome', m.entryWelcomed(), { ...optional, kind: 'number', range: [0, MAX_POINTS] })}
      ${text('birthday', m.entryBirthday(), { ...optional, kind: 'number', range: [0, MAX_POINTS] })}
    </div>
    <h2>${m.endOfPoints()}</h2>
    <p>${m.endOfPointsText()}</p>
    <div class="narrow">
      ${text('months', m.endMonths(), { ...optional, kind: 'number', range: [1, MAX_EXPIRY_MONTHS] })}
      ${selectField(
        { name: 'since', label: m.endSince(), value: kept.get('since') ?? '' },
        EXPIRY_SINCE.map((since) => [since, m.endSinceOption({ since })] as const),
        typed
      )}
    </div>
    <label class="check"
      ><input type="checkbox" name="onSlips" value="1" ${valueOf('onSlips') === '' ? '' : raw('checked')} />
      ${m.endOnSlips()}</label
    >`
}
