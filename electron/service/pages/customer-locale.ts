/** The locale of the customers' pages. */
import type { Context } from 'hono'
import { messagesByLanguage } from '../../../generated/messages/pages/all.js'
import type { Language } from '../../contract/language.ts'
import type { StoredBusiness } from '../domain/businesses.ts'
import { createLocale, type PageLocale } from '../html/locale.ts'

/** What a customers' page is written with. */
export type CustomerLocale = PageLocale<(typeof messagesByLanguage)[Language]>

/** The locale of a request. */
export const localeOfRequest = (c: Context, business: StoredBusiness | null): CustomerLocale =>
  createLocale(c, business, messagesByLanguage)
