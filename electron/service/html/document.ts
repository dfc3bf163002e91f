/** An HTML document of the service and its headers: no script, nothing from elsewhere. */
import type { Context } from 'hono'
import { html, raw } from 'hono/html'
import { createHash } from 'node:crypto'
import { directionOf, languageName, LANGUAGES, type Language } from '../../contract/language.ts'

export type Html = ReturnType<typeof html>

/** A style sheet that documents contain, and its source in a Content-Security-Policy (CSP Level 3, 2.3.1). */
export interface Style {
  readonly css: string
  readonly source: string
}

export const createStyle = (css: string): Style => ({
  css,
  source: `'sha256-${createHash('sha256').update(css).digest('base64')}'`
})

export interface HtmlDocument {
  readonly language: Language
  readonly title: string
  readonly style: Style
  /** path of the icon; null: none */
  readonly icon: string | null
  /** what else the head has */
  readonly head?: Html | ''
  readonly bodyClass?: string
  /** whether the document contains frames of this service, or is one */
  readonly frames?: 'contained' | 'is-one'
  readonly body: Html
}

/** The sign of what is done or can be had (lucide, check). */
export const CHECK = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M20 6 9 17l-5-5" /></svg>`

/**
 * No script, no frames of others; addresses contain codes, so they are sent nowhere else and kept nowhere. With `no-referrer` the
 * forms would carry no origin (Fetch, "append a request Origin header").
 */
const securityHeaders = (style: Style, frames: HtmlDocument['frames']) => ({
  'Content-Security-Policy':
    `default-src 'none'; style-src ${style.source}; img-src 'self'; manifest-src 'self'; form-action 'self'; ` +
    `base-uri 'none'; frame-src ${frames === 'contained' ? "'self'" : "'none'"}; ` +
    `frame-ancestors ${frames === 'is-one' ? "'self'" : "'none'"}`,
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
  'Cache-Control': 'no-store'
})

/** Responds with a document. */
export const respondDocument = async (
  c: Context,
  { language, title, style, icon, head = '', bodyClass = '', frames, body }: HtmlDocument,
  status: 200 | 403 | 404 | 410 | 413 | 422 | 429 | 500 | 503
): Promise<Response> => {
  const document = html`<!doctype html>
    <html lang="${language}" dir="${directionOf(language)}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <meta name="theme-color" content="#fbfaf7" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#151513" media="(prefers-color-scheme: dark)" />
        ${icon === null ? '' : html`<link rel="icon" href="${icon}" />`} ${head}
        ${raw(`<style>${style.css}</style>`)}
      </head>
      <body class="${bodyClass}">
        ${body}
      </body>
    </html>`
  // A primitive string: of the object that `html` returns, Node's adapter would make a stream.
  return c.html(String(await document), status, {
    ...securityHeaders(style, frames),
    'Content-Language': language
  })
}

/** The name of the buttons that ask for a page in another language. */
export const LANGUAGE_FIELD = 'language'

/**
 * The address of a request, as a link has it: without the language, and without what was done before. It is of this
 * origin: `//evil.example/x` would be another's.
 */
export const pageAddress = (c: Context): string => {
  const { pathname, searchParams } = new URL(c.req.url)
  for (const name of ['lang', LANGUAGE_FIELD, 'done']) searchParams.delete(name)
  const query = searchParams.size === 0 ? '' : `?${searchParams.toString()}`
  return pathname.replace(/^\/+/, '/') + query
}

/** An address of this service with one more parameter, whose value needs no escaping. */
export const withParameter = (address: string, name: string, value: string): string =>
  `${address}${address.includes('?') ? '&' : '?'}${name}=${value}`

/**
 * The foot of a page: the same page in each language.
 *
 * @param label of the list, for screen readers
 * @param form id of the page's form: then buttons send what is typed, so that the page in the other language has it; no files
 */
export const languageFooter = (address: string, language: Language, label: string, form?: string): Html => {
  const current = (each: Language) => (each === language ? raw('aria-current="true"') : '')
  const choice = (each: Language): Html =>
    form === undefined
      ? html`<a
          href="${withParameter(address, 'lang', each)}"
          lang="${each}"
          hreflang="${each}"
          ${current(each)}
          >${languageName(each)}</a
        >`
      : html`<button
          form="${form}"
          name="${LANGUAGE_FIELD}"
          value="${each}"
          formnovalidate
          formenctype="application/x-www-form-urlencoded"
          lang="${each}"
          ${current(each)}
        >
          ${languageName(each)}
        </button>`
  return html`<footer>
    <nav aria-label="${label}">
      <ul>
        ${LANGUAGES.map((each) => html`<li>${choice(each)}</li>`)}
      </ul>
    </nav>
  </footer>`
}

/** A text whose `part`, such as a number or a phone, has its own direction and is not split over lines. */
export const textAround = (text: string, part: string): Html => {
  const [before = '', ...after] = text.split(part)
  if (after.length === 0) return html`<bdi>${text}</bdi>`
  return html`${before}<bdi dir="ltr">${part}</bdi>${after.join(part)}`
}
