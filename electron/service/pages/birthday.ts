/** The birthday on a customer's own page: a form of day and month, while the shop gives points for it or one is kept. */
import { html } from 'hono/html'
import { birthdayOf } from '../domain/birthdays.ts'
import type { Html } from '../html/document.ts'
import { selectField, TYPED_FORM } from '../html/fields.ts'
import type { FoundForm } from '../html/kept-forms.ts'
import { countOf, numberText } from '../html/locale.ts'
import type { SentForm } from '../html/sent-form.ts'
import { TypedForm } from '../html/typed-form.ts'
import type { CustomerLocale } from './customer-locale.ts'
import { accountPath, pathWithLanguage } from './page.ts'
import type { CustomerRequest } from './customer-requests.ts'

/** The outcomes of the form. */
const OUTCOMES = { saved: 'birthday-saved', removed: 'birthday-removed', wrong: 'birthday-wrong' } as const

/** Returns what a form says: a birthday, null where it is to be removed; undefined for a day that is none. */
export const parseBirthday = (form: SentForm): string | null | undefined =>
  form.text('remove') === ''
    ? (birthdayOf(Number(form.text('month')), Number(form.text('day'))) ?? undefined)
    : null

/** The outcome of a form that says this birthday: see `parseBirthday`. */
export const birthdayOutcome = (birthday: string | null | undefined): string =>
  birthday === undefined ? OUTCOMES.wrong : birthday === null ? OUTCOMES.removed : OUTCOMES.saved

const doneText = (left: FoundForm | null, { m }: CustomerLocale): string | null => {
  if (left?.outcome === OUTCOMES.saved) return m.birthdaySaved()
  return left?.outcome === OUTCOMES.removed ? m.birthdayRemoved() : null
}

/** The names of the months, January first. Without a year beside it, Greek has the genitive, as after a day. */
const monthNames = (tag: string): readonly string[] => {
  const dates = new Intl.DateTimeFormat(tag, {
    ...{ month: 'long', year: 'numeric', timeZone: 'UTC', calendar: 'gregory' }
  })
  return Array.from(
    { length: 12 },
    (_, month) => dates.formatToParts(Date.UTC(2024, month)).find(({ type }) => type === 'month')?.value ?? ''
  )
}

/**
 * The form, or what became of it; null where there is neither.
 *
 * @param birthday that is kept; null: none
 * @param points that the shop gives on it; 0: none
 */
export const birthdayForm = (
  { business, locale, left }: CustomerRequest,
  { birthday, points }: { readonly birthday: string | null; readonly points: number }
): { readonly hasFields: boolean; readonly content: Html } | null => {
  const { m } = locale
  const fault = left?.outcome === OUTCOMES.wrong ? { field: 'day', text: m.birthdayWrong() } : null
  const done = doneText(left, locale)
  const status = done === null ? '' : html`<p role="status" tabindex="-1" autofocus>${done}</p>`
  if (birthday === null && points === 0)
    return done === null
      ? null
      : {
          hasFields: false,
          content: html`<h2>${m.birthday()}</h2>
            ${status}`
        }
  // What was done is kept by now.
  const typed = new TypedForm(done === null ? left?.texts : {}, fault)
  const [month, day] = (birthday ?? '').split('-').map((part) => String(Number(part)))
  const options = (texts: readonly string[]) => [
    ['', '–'] as const,
    ...texts.map((text, index) => [String(index + 1), text] as const)
  ]
  const days = Array.from({ length: 31 }, (_, index) => numberText(index + 1, locale))
  const content = html`<h2>${m.birthday()}</h2>
    ${status}
    <p class="muted">
      ${points === 0 ? m.birthdayOver() : m.birthdayText({ points: m.points(countOf(points, locale)) })}
    </p>
    <form
      method="post"
      action="${pathWithLanguage(accountPath(business, '/birthday'), locale)}"
      id="${TYPED_FORM}"
    >
      <div class="pair">
        ${selectField({ name: 'day', label: m.birthdayDay(), value: day ?? '' }, options(days), typed)}
        ${selectField({ name: 'month', label: m.birthdayMonth(), value: month ?? '' }, options(monthNames(locale.tag)), typed)}
      </div>
      <button>${m.saveBirthday()}</button>
      ${
        birthday === null
          ? ''
          : html`<button class="quiet" name="remove" value="yes">${m.removeBirthday()}</button>`
      }
    </form>`
  // What was done is said in another language, too: then nothing is typed that a choice of it could lose.
  return { hasFields: done === null, content }
}
