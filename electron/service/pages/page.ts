/** A page: its frame, its headers, and the pages that every route can answer with. */
import type { Context } from 'hono'
import { html, raw } from 'hono/html'
import { directionOf, languageName, LANGUAGES } from '../../contract/language.ts'
import type { StoredBusiness } from '../domain/businesses.ts'
import type { PageLocale } from './locale.ts'
import { STYLE, STYLE_SOURCE } from './style.ts'

export type Html = ReturnType<typeof html>

export interface CustomerPage {
  /** null where no business is known */
  readonly business: StoredBusiness | null
  readonly locale: PageLocale
  readonly title: string
  readonly body: Html
  /** where the page is in another language; the request's path unless given */
  readonly path?: string
  /** 200 unless given */
  readonly status?: 200 | 403 | 404 | 410 | 413 | 422 | 429 | 500
}

/** No script, nothing from elsewhere, no frames; addresses contain codes, so they are sent nowhere and kept nowhere. */
const SECURITY_HEADERS = {
  'Content-Security-Policy':
    `default-src 'none'; style-src ${STYLE_SOURCE}; img-src 'self'; manifest-src 'self'; form-action 'self'; ` +
    `base-uri 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
  'Cache-Control': 'no-store'
}

/** A path of this service with the language that the visitor chose. */
export const pathWithLanguage = (path: string, { isChosen, language }: PageLocale): string =>
  isChosen ? `${path}?lang=${language}` : path

/** The path of a customer's page of a business. */
export const accountPath = ({ id }: StoredBusiness, below = ''): string => `/me/${id}${below}`

/** Responds with a page. */
export const respondPage = async (c: Context, page: CustomerPage): Promise<Response> => {
  const { business, locale, title, body, path = c.req.path, status = 200 } = page
  const { language, m } = locale
  const document = html`<!doctype html>
    <html lang="${language}" dir="${directionOf(language)}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${business === null ? title : `${title} · ${business.name}`}</title>
        <link rel="icon" href="/images/logo.png" />
        ${business === null ? '' : html`<link rel="manifest" href="${accountPath(business, '/app.webmanifest')}" />`}
        ${raw(`<style>${STYLE}</style>`)}
      </head>
      <body>
        ${business === null ? '' : html`<header><img src="/images/logo.png" alt="" />${business.name}</header>`}
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
        <footer>
          <nav aria-label="${m.language()}">
            <ul>
              ${LANGUAGES.map(
                (each) =>
                  html`<li>
                    <a
                      href="${path}?lang=${each}"
                      lang="${each}"
                      hreflang="${each}"
                      ${each === language ? raw('aria-current="true"') : ''}
                      >${languageName(each)}</a
                    >
                  </li>`
              )}
            </ul>
          </nav>
        </footer>
      </body>
    </html>`
  return c.html(document, status, { ...SECURITY_HEADERS, 'Content-Language': language })
}

/** The link to what a customer has. */
export const accountLink = (business: StoredBusiness, locale: PageLocale): Html =>
  html`<a class="button quiet" href="${pathWithLanguage(accountPath(business), locale)}"
    >${locale.m.myPoints()}</a
  >`

/** A page of one sentence. */
export const messagePage = (
  { business, locale }: Pick<CustomerPage, 'business' | 'locale'>,
  {
    title,
    text,
    status
  }: { readonly title: string; readonly text: string; readonly status?: CustomerPage['status'] }
): CustomerPage => ({
  business,
  locale,
  title,
  body: html`<p>${text}</p>
    ${business === null ? '' : accountLink(business, locale)}`,
  ...(status === undefined ? {} : { status })
})
