/** The parts of forms. */
import { html, raw } from 'hono/html'
import { newToken, type RandomBytes } from '../domain/identifiers.ts'
import type { Html } from '../html/document.ts'

export interface TextField {
  readonly name: string
  readonly label: string
  readonly value?: string
  readonly type?: 'text' | 'password' | 'search' | 'number'
  readonly hint?: string
  /** characters */
  readonly maxLength?: number
  readonly isOptional?: true
  readonly autocomplete?: string
  /** for numbers and codes, which are left to right in every language */
  readonly isLeftToRight?: true
  /** least and largest number */
  readonly range?: readonly [number, number]
  /** whether the page begins here */
  readonly hasFocus?: true
}

/** A field for a line of text with its label. */
export const textField = ({
  name,
  label,
  value = '',
  type = 'text',
  hint,
  maxLength = 200,
  isOptional,
  autocomplete = 'off',
  isLeftToRight,
  range,
  hasFocus
}: TextField): Html =>
  html`<div class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      value="${value}"
      dir="${isLeftToRight === true || type === 'number' ? 'ltr' : 'auto'}"
      maxlength="${maxLength}"
      autocomplete="${autocomplete}"
      ${range === undefined ? '' : raw(` min="${String(range[0])}" max="${String(range[1])}" step="1"`)}
      ${isOptional === true ? '' : raw(' required')}
      ${hasFocus === true ? raw(' autofocus') : ''}
      ${hint === undefined ? '' : raw(` aria-describedby="${name}-hint"`)}
    />
    ${hint === undefined ? '' : html`<p class="muted" id="${name}-hint">${hint}</p>`}
  </div>`

/** A choice of one. */
export const selectField = (
  {
    name,
    label,
    value,
    hint,
    isRequired = false
  }: Pick<TextField, 'name' | 'label' | 'value' | 'hint'> & {
    /** whether the option without a value cannot be sent */
    readonly isRequired?: boolean
  },
  options: readonly (readonly [value: string, text: string])[]
): Html =>
  html`<div class="field">
    <label for="${name}">${label}</label>
    <select
      id="${name}"
      name="${name}"
      ${isRequired ? raw('required') : ''}${hint === undefined ? '' : raw(` aria-describedby="${name}-hint"`)}
    >
      ${options.map(
        ([each, text]) =>
          html`<option value="${each}" ${each === value ? raw('selected') : ''}>${text}</option>`
      )}
    </select>
    ${hint === undefined ? '' : html`<p class="muted" id="${name}-hint">${hint}</p>`}
  </div>`

/** A field for one file. @param accept its types, as browsers take them */
export const fileField = ({
  name,
  label,
  hint,
  accept
}: Required<Pick<TextField, 'name' | 'label' | 'hint'>> & { readonly accept: string }): Html =>
  html`<div class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="file"
      accept="${accept}"
      required
      aria-describedby="${name}-hint"
    />
    <p class="muted" id="${name}-hint">${hint}</p>
  </div>`

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

/** A random id by which the service knows a form that is sent twice. */
export const requestField = (random: RandomBytes): Html => hiddenFields({ request: newToken(random) })

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
