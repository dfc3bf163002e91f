/** The parts of forms. */
import { html, raw } from 'hono/html'
import {
  momentOf,
  newOrderedToken,
  randomOfRequest,
  SECRET_FORM_TIME_MS,
  type RandomBytes
} from '../domain/identifiers.ts'
import { RequestOver } from '../domain/refusal.ts'
import type { Html } from './document.ts'
import type { SentForm } from './sent-form.ts'
import { NOTHING_TYPED, type TypedForm } from './typed-form.ts'

/** The id of a page's form with fields to type in, which the switch of languages sends. */
export const TYPED_FORM = 'typed'

/** What is typed into a field: each has its keyboard on a phone, and its direction. */
const KINDS = {
  text: 'type="text"',
  password: 'type="password"',
  search: 'type="search"',
  /** a whole number of a range */
  number: 'type="number" inputmode="numeric" step="1"',
  digits: 'type="text" inputmode="numeric"',
  decimal: 'type="text" inputmode="decimal"',
  time: 'type="time"',
  date: 'type="date"',
  phone: 'type="tel"',
  email: 'type="text" inputmode="email" autocapitalize="none" spellcheck="false"',
  /** a code, or a number with its sign, which the keyboard for digits does not have */
  code: 'type="text" autocapitalize="characters" spellcheck="false"'
} as const

/** What is left to right in every language. */
const LEFT_TO_RIGHT: readonly string[] = ['number', 'digits', 'decimal', 'phone', 'email', 'code']

interface Labelled {
  readonly name: string
  readonly label: string
  readonly hint?: string
}

interface TextField extends Labelled {
  /** what the field has before anything is typed */
  readonly value?: string
  /** `text` unless given */
  readonly kind?: keyof typeof KINDS
  /** characters */
  readonly maxLength?: number
  readonly isOptional?: true
  readonly autocomplete?: string
  /** least and largest number */
  readonly range?: readonly [number, number]
  /** whether the page begins here, unless something is wrong elsewhere */
  readonly hasFocus?: boolean
  /** the label for screen readers, where several fields have the same one */
  readonly spoken?: string
  /** what was typed before elsewhere */
  readonly suggestions?: readonly string[]
}

/**
 * A field between its label and its hint. One that is wrong says why, has the focus, and so is in sight.
 *
 * @param control makes the control with these attributes
 */
const field = (
  { name, label, hint }: Labelled,
  typed: TypedForm,
  control: (attributes: ReturnType<typeof raw>) => Html
): Html => {
  const fault = typed.faultOf(name)
  const described = [fault === null ? '' : `${name}-fault`, hint === undefined ? '' : `${name}-hint`].filter(
    (id) => id !== ''
  )
  const attributes = [
    `id="${name}" name="${name}"`,
    described.length === 0 ? '' : ` aria-describedby="${described.join(' ')}"`,
    fault === null ? '' : ' aria-invalid="true" autofocus'
  ]
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${fault === null ? '' : html`<p class="fault" id="${name}-fault">${fault}</p>`}
    ${control(raw(attributes.join('')))}
    ${hint === undefined ? '' : html`<p class="muted" id="${name}-hint">${hint}</p>`}
  </div>`
}

/** A field for a line of text. @param typed what was typed before, and what is wrong with it */
export const textField = (
  {
    value = '',
    kind = 'text',
    maxLength = 200,
    isOptional,
    autocomplete = 'off',
    range,
    hasFocus = false,
    suggestions = [],
    spoken,
    ...labelled
  }: TextField,
  typed: TypedForm = NOTHING_TYPED
): Html =>
  field(
    labelled,
    typed,
    (attributes) =>
      html`<input
          ${attributes}
          ${raw(KINDS[kind])}
          value="${kind === 'password' ? '' : typed.value(labelled.name, value)}"
          dir="${LEFT_TO_RIGHT.includes(kind) ? 'ltr' : 'auto'}"
          maxlength="${maxLength}"
          autocomplete="${autocomplete}"
          ${range === undefined ? '' : raw(`min="${String(range[0])}" max="${String(range[1])}"`)}
          ${isOptional === true ? '' : raw('required')}
          ${hasFocus && !typed.isRefused ? raw('autofocus') : ''}
          ${spoken === undefined ? '' : html`aria-label="${spoken}"`}
          ${suggestions.length === 0 ? '' : raw(`list="${labelled.name}-list"`)}
        />
        ${
          suggestions.length === 0
            ? ''
            : html`<datalist id="${labelled.name}-list">
                ${suggestions.map((text) => html`<option value="${text}"></option>`)}
              </datalist>`
        }`
  )

/** A choice of one. */
export const selectField = (
  {
    value = '',
    isRequired = false,
    ...labelled
  }: Labelled &
    Pick<TextField, 'value'> & {
      /** whether the option without a value cannot be sent */
      readonly isRequired?: boolean
    },
  options: readonly (readonly [value: string, text: string])[],
  typed: TypedForm = NOTHING_TYPED
): Html => {
  const chosen = typed.value(labelled.name, value)
  return field(
    labelled,
    typed,
    (attributes) =>
      html`<select ${attributes} ${isRequired ? raw('required') : ''}>
        ${options.map(
          ([each, text]) =>
            html`<option value="${each}" ${each === chosen ? raw('selected') : ''}>${text}</option>`
        )}
      </select>`
  )
}

/** A field for one file. @param accept its types, as browsers take them */
export const fileField = (
  { accept, ...labelled }: Labelled & { readonly accept: string },
  typed: TypedForm = NOTHING_TYPED
): Html =>
  field(
    labelled,
    typed,
    (attributes) => html`<input ${attributes} type="file" accept="${accept}" required />`
  )

/** A form with one button. */
export const buttonForm = (
  action: string,
  text: Html | string,
  {
    style = 'quiet',
    hidden = {},
    label
  }: {
    readonly style?: 'quiet' | 'danger' | 'main'
    readonly hidden?: Readonly<Record<string, string>>
    /** for screen readers, where the text alone does not say what it is about */
    readonly label?: string
  } = {}
): Html =>
  html`<form method="post" action="${action}">
    ${hiddenFields(hidden)}
    <button class="${style}" ${label === undefined ? '' : html`aria-label="${label}"`}>${text}</button>
  </form>`

/** Fields that are sent as they are. */
export const hiddenFields = (fields: Readonly<Record<string, string>>): Html =>
  html`${Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`
  )}`

/** The field with the id of a form's request. */
export const REQUEST_FIELD = 'request'

interface RequestDependencies {
  readonly now: () => Date
  readonly random: RandomBytes
}

/** A random id, with its moment, by which the service knows a form that is sent twice, also after it was given back. */
export const requestField = ({ now, random }: RequestDependencies, typed: TypedForm = NOTHING_TYPED): Html =>
  hiddenFields({ [REQUEST_FIELD]: typed.value(REQUEST_FIELD, newOrderedToken(now(), random)) })

/**
 * Returns the random bytes of a form that makes a secret: the same ones each time that it is sent, and new ones for a form
 * without an id. Throws a `Refusal` for the form of a page that is older than what it made is remembered.
 */
export const randomOfForm = (
  { now, random }: RequestDependencies,
  form: SentForm,
  ...change: readonly (string | number)[]
): RandomBytes => {
  const request = form.text(REQUEST_FIELD)
  if (request === '') return random
  if (momentOf(request) <= now().getTime() - SECRET_FORM_TIME_MS) throw new RequestOver()
  return randomOfRequest(request, ...change)
}

/** What cannot be undone, and what stays, before its button. */
export const confirmForm = (
  action: string,
  {
    text,
    button,
    cancel,
    hidden = {}
  }: {
    readonly text: Html | string
    readonly button: string
    readonly cancel: { readonly path: string; readonly text: string }
    readonly hidden?: Readonly<Record<string, string>>
  }
): Html =>
  html`<form method="post" action="${action}" class="confirm">
    ${hiddenFields(hidden)}
    <p>${text}</p>
    <p class="buttons">
      <a class="button" href="${cancel.path}">${cancel.text}</a>
      <button class="danger">${button}</button>
    </p>
  </form>`

/** What a button is called whose text does not say what it acts on. @param about what it acts on, such as a name and a time */
export const labelOf = (text: string, ...about: readonly string[]): string => [text, ...about].join(', ')
