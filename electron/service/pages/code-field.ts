/** `/`: the code of a slip is typed in, where its QR code is not read. */
import type { Context, Hono } from 'hono'
import { html } from 'hono/html'
import { normalizeCode } from '../domain/codes.ts'
import { languageOf } from '../../contract/language.ts'
import { LANGUAGE_FIELD, pageAddress, withParameter, type Html } from '../html/document.ts'
import { hiddenFields, textField, TYPED_FORM } from '../html/fields.ts'
import { TypedForm } from '../html/typed-form.ts'
import { localeOfRequest, type CustomerLocale } from './customer-locale.ts'
import { pathWithLanguage, respondPage, type CustomerPage } from './page.ts'

/** Longer than any code with the spaces and dashes that people add. */
const MAX_LENGTH = 60

const codeForm = (locale: CustomerLocale, typed?: TypedForm): Html => {
  const { m, language } = locale
  return html`<form method="get" action="/" id="${TYPED_FORM}">
    ${locale.isChosen ? hiddenFields({ lang: language }) : ''}
    ${textField({ name: 'code', label: m.code(), kind: 'code', maxLength: MAX_LENGTH }, typed)}
    <button>${m.open()}</button>
  </form>`
}

/** The page of a code that there is not, with the field to correct it. */
export const unknownCodePage = (
  page: Pick<CustomerPage, 'business' | 'locale'>,
  typed: string
): CustomerPage => {
  const { m } = page.locale
  return {
    ...page,
    title: m.unknownTitle(),
    form: TYPED_FORM,
    status: 404,
    body: codeForm(
      page.locale,
      new TypedForm({ code: typed.slice(0, MAX_LENGTH) }, { field: 'code', text: m.unknownText() })
    )
  }
}

/** Shows the field, or goes to the page of the code that was typed. */
const answer = (c: Context): Response | Promise<Response> => {
  const language = languageOf(c.req.query(LANGUAGE_FIELD) ?? '')
  if (language !== undefined) return c.redirect(withParameter(pageAddress(c), 'lang', language), 303)
  const locale = localeOfRequest(c, null)
  const { m } = locale
  const code = normalizeCode(c.req.query('code') ?? '')
  if (code !== '') return c.redirect(pathWithLanguage(`/q/${encodeURIComponent(code)}`, locale), 303)
  return respondPage(c, {
    business: null,
    locale,
    title: m.codeTitle(),
    form: TYPED_FORM,
    body: html`<p>${m.codeText()}</p>
      ${codeForm(locale)}`
  })
}

/** Adds the routes where a code is typed in. */
export const addCodeField = (routes: Hono): void => {
  for (const path of ['/', '/q']) routes.get(path, answer)
}
