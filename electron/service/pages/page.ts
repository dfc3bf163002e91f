/** A page: its frame, its headers, and the pages that every route can answer with. */
import type { Context } from 'hono'
import { html } from 'hono/html'
import { logoPath, markPath } from '../api/public.ts'
import type { StoredBusiness } from '../domain/businesses.ts'
import type { ICON_SIZES } from '../domain/logos.ts'
import {
  CHECK,
  languageFooter,
  pageAddress,
  respondDocument,
  withParameter,
  type Html,
  type HtmlDocument
} from '../html/document.ts'
import { noticeOf } from '../html/kept-forms.ts'
import { countOf } from '../html/locale.ts'
import type { CustomerLocale } from './customer-locale.ts'
import { STYLE } from './style.ts'

export interface CustomerPage {
  /** null where no business is known */
  readonly business: StoredBusiness | null
  readonly locale: CustomerLocale
  readonly title: string
  /** the large line of a page that is about a number; the title is a label above it */
  readonly figure?: Html
  /** whether the title says that something was done, and carries a check */
  readonly isDone?: true
  /** what stands on the slip, below the title */
  readonly body: Html
  /** the lists of a page that has some: below the slip, or beside it where there is room */
  readonly more?: Html
  /** what stands below the lists, or below the slip where they are beside it */
  readonly side?: Html
  /** id of the form whose fields a page in another language has, too */
  readonly form?: string
  /** whether the page shows another one of this service in a frame */
  readonly hasFrame?: true
  /** 200 unless given */
  readonly status?: 200 | 403 | 404 | 410 | 413 | 422 | 429 | 500 | 503
}

/** A path of this service with the language that the visitor chose. */
export const pathWithLanguage = (path: string, { isChosen, language }: CustomerLocale): string =>
  isChosen ? withParameter(path, 'lang', language) : path

/** The path of a customer's page of a business. */
export const accountPath = ({ id }: Pick<StoredBusiness, 'id'>, below = ''): string => `/me/${id}${below}`

const headingOf = ({ title, figure, isDone }: CustomerPage): Html => {
  const style = `${figure === undefined ? '' : 'label'} ${isDone === true ? 'done' : ''}`.trim()
  return html`<h1 class="${style}">${isDone === true ? CHECK : ''}<span>${title}</span></h1>
    ${figure === undefined ? '' : html`<p class="figure">${figure}</p>`}`
}

/** The path of a business's icon. Another logo has another address, so that phones fetch it. */
export const iconPath = (business: StoredBusiness, size: (typeof ICON_SIZES)[number]): string =>
  `${accountPath(business, `/icons/${String(size)}.png`)}?logo=${business.logo ?? ''}`

/** What a page with a form says of one that was not taken. */
const noticeText = (c: Context, { status = 200, isDone, locale }: CustomerPage): Html | '' => {
  const notice = noticeOf(c)
  if (notice === null || status !== 200 || isDone) return ''
  const { m } = locale
  const text =
    typeof notice === 'number'
      ? m.waitText(countOf(notice, locale))
      : notice === 'forged'
        ? m.forgedText()
        : m.errorText()
  return html`<p class="fault" role="alert" tabindex="-1" autofocus>${text}</p>`
}

/** Responds with a page. */
export const respondPage = (c: Context, page: CustomerPage): Promise<Response> => {
  const { business, locale, title, body, more, side, form, hasFrame, status = 200 } = page
  const { language, m } = locale
  const document: HtmlDocument = {
    language,
    title: business === null ? title : `${title} · ${business.name}`,
    style: STYLE,
    icon: business && markPath(business),
    head:
      business === null
        ? ''
        : html`<link rel="manifest" href="${accountPath(business, '/app.webmanifest')}" />
            ${business.logo === null ? '' : html`<link rel="apple-touch-icon" href="${iconPath(business, 192)}" />`}`,
    ...(hasFrame === undefined ? {} : { frames: 'contained' as const }),
    bodyClass: more === undefined ? '' : 'wide',
    body: html`${
        business === null
          ? ''
          : html`<header>
              ${business.logo === null ? '' : html`<img src="${logoPath(business.logo)}" alt="" />`}<bdi
                >${business.name}</bdi
              >
            </header>`
      }
      <main>
        <div class="slip">${headingOf(page)} ${noticeText(c, page)} ${body}</div>
        ${more === undefined ? '' : html`<div class="more">${more}</div>`}
        ${side === undefined ? '' : html`<div>${side}</div>`}
      </main>
      ${languageFooter(pageAddress(c), language, m.language(), form)}`
  }
  return respondDocument(c, document, status)
}

/** The link to what a customer has. */
export const accountLink = (business: StoredBusiness, locale: CustomerLocale): Html =>
  html`<a class="button quiet" href="${pathWithLanguage(accountPath(business), locale)}"
    >${locale.m.myPoints()}</a
  >`

/** What a browser without cookies is told: to open the address in one that keeps them. */
export const otherBrowser = (text: string, address: string): Html =>
  html`<p>${text}</p>
    <p class="address"><bdi dir="ltr">${address}</bdi></p>`

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
