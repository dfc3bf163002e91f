/** The locale of the shop's own pages. */
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { messagesByLanguage } from '../../../generated/messages/manage/all.js'
import type { Language } from '../../contract/language.ts'
import type { StoredBusiness } from '../domain/businesses.ts'
import { createLocale, type PageLocale } from '../html/locale.ts'

/** What a page of the shop is written with. */
export type ManageLocale = PageLocale<(typeof messagesByLanguage)[Language]>

const COOKIE = 'language'
const YEAR_SECONDS = 365 * 24 * 60 * 60

/** The locale of a request. A language that is chosen is remembered in this browser. */
export const manageLocaleOf = (c: Context, business: StoredBusiness | null): ManageLocale => {
  const locale = createLocale(c, business, messagesByLanguage, getCookie(c, COOKIE))
  if (c.req.query('lang') === locale.language) {
    setCookie(c, COOKIE, locale.language, {
      httpOnly: true,
      secure: true,
      sameSite: 'Lax',
      path: '/',
      maxAge: YEAR_SECONDS
    })
  }
  return locale
}
