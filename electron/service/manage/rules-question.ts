/** What *Earning rules* asks before a change that touches customers is saved, and the answer to it. */
import { html } from 'hono/html'
import * as v from 'valibot'
import type { EarningRules, RulesAnswer } from '../../contract/earning-rules.ts'
import { isolateName } from '../../contract/text.ts'
import { identifierOfRequest } from '../domain/identifiers.ts'
import type { Html } from '../html/document.ts'
import { hiddenFields, REQUEST_FIELD, TYPED_FORM } from '../html/fields.ts'
import type { FoundForm } from '../html/kept-forms.ts'
import { numberText } from '../html/locale.ts'
import type { SentForm } from '../html/sent-form.ts'
import { touchedSchema, type TouchedCustomers } from '../store/touched-customers.ts'
import type { ManageVisit } from './manage-router.ts'

/** What a form leaves that is asked once more. Its texts have whom it touches under the same word. */
const ASKED = 'asked'

/** The field by which a form agrees to a change: see `agreementTo`. */
const AGREED = 'agreed'

/** The field that has the version of which a form was made. */
export const VERSION_FIELD = 'version'

/** The answer that agrees to one change: of other rules, and of those that are in use. Another change is asked about again. */
const agreementTo = ({ version }: RulesAnswer, rules: EarningRules | null): string =>
  identifierOfRequest('rul', version, JSON.stringify(rules))

/** Whether a form agrees to a change. */
export const isAgreed = (form: SentForm, current: RulesAnswer, rules: EarningRules | null): boolean =>
  form.text(AGREED) === agreementTo(current, rules)

/** Whether a form was made of other rules than those that are in use, and would replace them. */
const isOutdated = (form: SentForm, current: RulesAnswer, rules: EarningRules | null): boolean => {
  const version = form.text(VERSION_FIELD)
  const isOther = version !== '' && version !== String(current.version)
  return isOther && JSON.stringify(rules) !== JSON.stringify(current.rules)
}

/**
 * What a form leaves for its page, which asks for agreement; null if no customer is affected, and it replaces the rules that it
 * was made of. @param rules null: switched off
 */
export const leftToAsk = (
  form: SentForm,
  current: RulesAnswer,
  rules: EarningRules | null,
  touched: TouchedCustomers
): Pick<FoundForm, 'outcome' | 'texts'> | null => {
  const replaced = isOutdated(form, current, rules) ? current.version : null
  if (touched.levels.length === 0 && (touched.withPoints ?? 0) === 0 && replaced === null) return null
  const asked = JSON.stringify({ ...touched, isOff: rules === null, replaced })
  const { [REQUEST_FIELD]: request, ...texts } = form.texts
  // An outdated form may have been saved before: what it asks now is another request.
  const kept = request === undefined || replaced !== null ? texts : form.texts
  return { outcome: ASKED, texts: { ...kept, [ASKED]: asked, [AGREED]: agreementTo(current, rules) } }
}

const askedText = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    ...touchedSchema.entries,
    isOff: v.boolean(),
    /** version in use, of which the form was not made; null: it was */
    replaced: v.nullable(v.number())
  })
)

/** The question of the form that led to the page, with the button that agrees; null without one. */
export const questionOf = ({ left, locale, path }: ManageVisit): Html | null => {
  if (left?.outcome !== ASKED) return null
  const asked = v.safeParse(askedText, left.texts[ASKED])
  if (!asked.success) return null
  const { m } = locale
  const { levels, withPoints, isOff, replaced } = asked.output
  const agreed = left.texts[AGREED] ?? ''
  const affected = withPoints ?? 0
  const number = (count: number): string => numberText(count, locale)
  const lowered = html`<p>${m.askLevels()}</p>
    <ul class="rows">
      ${levels.map(
        ({ from, to, customers }) =>
          html`<li>
            <span
              ><bdi>${from}</bdi
              ><span class="below"
                >${to === null ? m.thenNoLevel() : m.thenLevel({ level: isolateName(to) })}</span
              ></span
            >
            <span class="number">${number(customers)}</span>
          </li>`
      )}
    </ul>`
  const cancel = html`<a class="button quiet" href="${path('/rules')}">${m.cancel()}</a>`
  return html`<section class="asked">
    ${
      replaced === null
        ? ''
        : html`<h2>${m.askChangedTitle()}</h2>
            <p>${m.askChanged({ version: number(replaced) })}</p>`
    }
    ${levels.length === 0 && affected === 0 ? '' : html`<h2>${m.askTitle()}</h2>`}
    ${levels.length === 0 ? '' : lowered}
    ${affected === 0 ? '' : html`<p>${(isOff ? m.askOff : m.askExpiry)({ number: number(affected) })}</p>`}
    ${
      isOff
        ? html`<form method="post" action="${path('/rules/off')}" class="buttons">
            ${hiddenFields({ [REQUEST_FIELD]: left.texts[REQUEST_FIELD] ?? '', [AGREED]: agreed })}
            <button class="danger">${m.switchOffRules()}</button> ${cancel}
          </form>`
        : html`<p class="buttons">
            ${agreeButton(agreed, replaced === null ? (levels.length > 0 ? m.saveLowering : m.saveExpiry)() : m.replaceVersion({ version: number(replaced) }))}
            ${cancel}
          </p>`
    }
  </section>`
}

/** The button that saves the form of the page, which the question is about. */
const agreeButton = (agreed: string, text: string): Html =>
  html`<button class="danger" form="${TYPED_FORM}" name="${AGREED}" value="${agreed}">${text}</button>`
