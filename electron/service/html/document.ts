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
  readonly body: Html
}

/** The sign of what is done or can be had (lucide, check). */
export const CHECK = html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M20 6 9 17l-5-5" /></svg>`

/**
 * No script, no frames; addresses contain codes, so they are sent nowhere else and kept nowhere. With `no-referrer` the
 * forms would carry no origin (Fetch, "append a request Origin header").
 */
const securityHeaders = ({ source }: Style) => ({
  'Content-Security-Policy':
    `default-src 'none'; style-src ${source}; img-src 'self'; manifest-src 'self'; form-action 'self'; ` +
    `base-uri 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
  'Cache-Control': 'no-store'
})

/** Responds with a document. */
export const respondDocument = async (
  c: Context,
  { language, title, style, icon, head = '', bodyClass = '', body }: HtmlDocument,
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
  return c.html(String(await document), status, { ...securityHeaders(style), 'Content-Language': language })
}

/**
 * The address of a request, as a link has it: without the language, and without what was done before. It is of this
 * origin: `//evil.example/x` would be another's.
 */
export const pageAddress = (c: Context): string => {
  const { pathname, searchParams } = new URL(c.req.url)
  for (const name of ['lang', 'done']) searchParams.delete(name)
  const query = searchParams.size === 0 ? '' : `?${searchParams.toString()}`
  return pathname.replace(/^\/+/, '/') + query
}

const inLanguage = (address: string, language: Language): string =>
  `${address}${address.includes('?') ? '&' : '?'}lang=${language}`

/** The foot of a page: the same page in each language. @param label of the list, for screen readers */
export const languageFooter = (address: string, language: Language, label: string): Html =>
  html`<footer>
    <nav aria-label="${label}">
      <ul>
        ${LANGUAGES.map(
          (each) =>
            html`<li>
              <a
                href="${inLanguage(address, each)}"
                lang="${each}"
                hreflang="${each}"
                ${each === language ? raw('aria-current="true"') : ''}
                >${languageName(each)}</a
              >
            </li>`
        )}
      </ul>
    </nav>
  </footer>`

/** A text whose `part`, such as a number or a phone, has its own direction and is not split over lines. */
export const textAround = (text: string, part: string): Html => {
  const [before = '', ...after] = text.split(part)
  if (after.length === 0) return html`<bdi>${text}</bdi>`
  return html`${before}<bdi dir="ltr">${part}</bdi>${after.join(part)}`
}
