/** In which language a page is written, and how numbers and dates are. */
import type { Context } from 'hono'
import { memoized } from '../../contract/memoized.ts'
import { numberFormat } from '../../contract/slip-numbers-and-dates.ts'
import { parsePhone } from '../../contract/phone.ts'
import { isolateName } from '../../contract/text.ts'
import { chooseLanguage, languageOf, localeOf, type Language } from '../../contract/language.ts'
import type { StoredBusiness } from '../domain/businesses.ts'

/** What a page is written with: the messages of its group, and the form of numbers and dates. */
export interface PageLocale<Messages> extends TextForm {
  readonly language: Language
  readonly m: Messages
  /** whether the visitor chose the language, so that links keep it */
  readonly isChosen: boolean
}

/** The form of numbers and dates. */
interface TextForm {
  /** BCP 47 tag for numbers and dates */
  readonly tag: string
  /** IANA name */
  readonly timeZone: string
}

/** The shop's country as a code of ISO 3166-1; null without one, and for the text that an older version took. */
export const countryCode = ({ address }: StoredBusiness): string | null =>
  /^[A-Z]{2}$/.test(address.country) ? address.country : null

/** The languages that a browser asks for, the preferred ones first (RFC 9110, 12.5.4). */
const acceptedLanguages = (header: string): readonly string[] =>
  header
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', quality] = part.trim().split(/;\s*q=/)
      return { tag, quality: quality === undefined ? 1 : Number(quality) || 0 }
    })
    .toSorted((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag)

/**
 * The locale of a request: `?lang=` first, then what the browser asks for.
 *
 * @param remembered a language that the visitor chose earlier
 */
export const createLocale = <Messages>(
  c: Context,
  business: StoredBusiness | null,
  messagesByLanguage: Readonly<Record<Language, Messages>>,
  remembered = ''
): PageLocale<Messages> => {
  const chosen = languageOf(c.req.query('lang') ?? remembered)
  const language = chosen ?? chooseLanguage(acceptedLanguages(c.req.header('accept-language') ?? ''))
  return {
    language,
    m: messagesByLanguage[language],
    tag: localeOf(language, business === null ? null : countryCode(business)),
    timeZone: business?.timeZone ?? 'UTC',
    isChosen: chosen !== undefined
  }
}

/** What the plural messages of points are given: a minus, where `Intl` writes a hyphen. */
export const countOf = (
  points: number,
  { tag }: Pick<TextForm, 'tag'>
): { count: number; number: string } => ({
  count: Math.abs(points),
  number: numberFormat(tag).format(points).replace('-', '−')
})

/** Points with their sign, such as +250: a minus, where `Intl` writes a hyphen. */
export const signedText = (points: number, { tag }: Pick<TextForm, 'tag'>): string =>
  numberFormat(tag, 'exceptZero').format(points).replace('-', '−')

/** What the plural messages of gained points are given. */
export const gainOf = (points: number, locale: TextForm): { count: number; number: string } => ({
  count: Math.abs(points),
  number: signedText(points, locale)
})

const dayFormat = memoized(
  (tag: string, timeZone: string) => new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone })
)

/** A day in the shop's time zone, from ISO 8601. */
export const dayText = (at: string, { tag, timeZone }: TextForm): string =>
  dayFormat(tag, timeZone).format(new Date(at))

/** A day of the calendar, such as `2027-01-31`, within a sentence. */
export const utcDayText = (day: string, { tag }: Pick<TextForm, 'tag'>): string =>
  dayOnOneLine(`${day}T00:00Z`, { tag, timeZone: 'UTC' })

/** A decimal with a full stop as people of the place write it. */
export const decimalText = (text: string, { tag }: Pick<TextForm, 'tag'>): string =>
  text.replace(
    '.',
    numberFormat(tag)
      .formatToParts(1.5)
      .find(({ type }) => type === 'decimal')?.value ?? '.'
  )

/** A day within a sentence, which is not split over lines. */
export const dayOnOneLine = (at: string, locale: TextForm): string =>
  dayText(at, locale).replaceAll(' ', '\u00a0')

/** A day and the time, in the shop's time zone. The end is not alone on a line. */
export const dateTimeText = (at: string, { tag, timeZone }: TextForm): string =>
  new Intl.DateTimeFormat(tag, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone
  })
    .format(new Date(at))
    .replace(/ (?=\S+$)/, '\u00a0')

/** The time of a moment of today, in the shop's time zone. */
export const timeText = (at: string, { tag, timeZone }: TextForm): string =>
  new Intl.DateTimeFormat(tag, { timeStyle: 'short', timeZone })
    .format(new Date(at))
    .replaceAll(' ', '\u00a0')

/** A number with the separators of the place. */
export const numberText = (value: number, { tag }: Pick<TextForm, 'tag'>): string =>
  numberFormat(tag).format(value)

/** A phone (E.164) as people write it abroad. */
export const phoneText = (phone: string): string => parsePhone(phone, '')?.display ?? phone

/** The name of a customer; of one whom a till registered without a name, the phone. An erased customer has neither. */
export const customerName = (
  { name, phone }: { readonly name: string; readonly phone: string | null },
  erased = ''
): string => {
  if (name !== '') return name
  return phone === null ? erased : isolateName(phoneText(phone))
}
