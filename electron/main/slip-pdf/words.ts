/** The translated text of slips, and their numbers and dates in the business's locale. */
import { messagesByLanguage } from '../../../generated/messages/slip/all.js'
import { directionOf, languageOf, type Language } from '../../contract/language.ts'
import { FALLBACK_LOCALE, slipMoment, slipPoints } from '../../contract/slip-numbers-and-dates.ts'
import type { SlipDocument } from './slip-document.ts'

/** The messages of slips in one language. */
type SlipWords = (typeof messagesByLanguage)[Language]

/** The messages for a slip in `locale` (BCP 47); English for a language without translation. */
export const slipWords = ({ locale }: Pick<SlipDocument, 'locale'>): SlipWords =>
  messagesByLanguage[languageOf(locale) ?? 'en']

/** Reading direction of the messages for `locale`. */
export const readingDirection = ({ locale }: Pick<SlipDocument, 'locale'>): 'ltr' | 'rtl' =>
  directionOf(languageOf(locale) ?? 'en')

/** The points in Latin digits, grouped as in the slip's locale. */
export const pointsText = ({ points, locale }: Pick<SlipDocument, 'points' | 'locale'>): string =>
  slipPoints(points, locale)

/**
 * Day and time in the business's time zone and locale; in English when the fonts cannot show that, which
 * `isShown` decides.
 */
export function momentText(
  { issuedAt, timeZone, locale }: Pick<SlipDocument, 'issuedAt' | 'timeZone' | 'locale'>,
  isShown: (text: string) => boolean
): string {
  const moment = new Date(issuedAt)
  const local = slipMoment(moment, timeZone, locale)
  return isShown(local) ? local : slipMoment(moment, timeZone, FALLBACK_LOCALE)
}

/** The address in at most two lines: the street, then postcode, city, state and country. Blank parts are left out. */
export function slipAddressLines({
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
