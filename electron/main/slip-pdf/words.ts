/** The words of a slip, and the numbers and dates among them in the spelling of the business's country. */
import * as ar from '../../../generated/messages/slip/ar.js'
import * as de from '../../../generated/messages/slip/de.js'
import * as el from '../../../generated/messages/slip/el.js'
import * as en from '../../../generated/messages/slip/en.js'
import * as es from '../../../generated/messages/slip/es.js'
import * as fr from '../../../generated/messages/slip/fr.js'
import { directionOf, languageOf, type Language } from '../../contract/language.ts'
import { FALLBACK_LOCALE, slipMoment, slipPoints } from '../../contract/slip-format.ts'
import type { SlipDocument } from './slip-document.ts'

/** What stands on a slip, in one language. */
export type SlipWords = typeof en

const WORDS: Readonly<Record<Language, SlipWords>> = { ar, de, el, en, es, fr }

/** The words for a slip in `locale` (BCP 47): English for a language that slips do not speak. */
export const slipWords = ({ locale }: Pick<SlipDocument, 'locale'>): SlipWords =>
  WORDS[languageOf(locale) ?? 'en']

/** Which way a slip in `locale` is read: the way of its words. */
export const readingDirection = ({ locale }: Pick<SlipDocument, 'locale'>): 'ltr' | 'rtl' =>
  directionOf(languageOf(locale) ?? 'en')

/** The points in Latin digits, grouped as in the slip's locale. */
export const pointsText = ({ points, locale }: Pick<SlipDocument, 'points' | 'locale'>): string =>
  slipPoints(points, locale)

/**
 * Day and time in the business's zone and spelling. `readable` tells whether the slip's fonts can show a text; a
 * spelling that they cannot show gives way to English.
 */
export function momentText(
  { issuedAt, timeZone, locale }: Pick<SlipDocument, 'issuedAt' | 'timeZone' | 'locale'>,
  readable: (text: string) => boolean
): string {
  const moment = new Date(issuedAt)
  const local = slipMoment(moment, timeZone, locale)
  return readable(local) ? local : slipMoment(moment, timeZone, FALLBACK_LOCALE)
}

/** The address in at most two lines: the street, then postcode, city, state and country. Blank parts are left out. */
export function addressLines({
  street,
  city,
  state,
  country,
  zipCode
}: SlipDocument['business']['address']): string[] {
  const filled = (parts: readonly string[], separator: string): string =>
    parts
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .join(separator)
  return [street.trim(), filled([filled([zipCode, city], ' '), state, country], ', ')].filter(
    (line) => line !== ''
  )
}
