/**
 * Parses phones in any common format into E.164, the format that the service requires, and formats one that is typed.
 * Till and service read every phone here, so that all accept the same ones and store each in one form.
 *
 * Uses libphonenumber-js with its smallest metadata, which checks whether a number is possible in a country. The larger
 * metadata checks the number ranges in use, and would reject customers whose range was opened after this build. That of
 * mobiles decides only between two possible readings.
 */
import {
  AsYouType,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  type PhoneNumber
} from 'libphonenumber-js/min'
import { parsePhoneNumberFromString as parseMobileFromString } from 'libphonenumber-js/mobile'
import type { Phone } from './customer-search.ts'
import { asciiDigit } from './text.ts'

/** E.164: a plus sign, a country code that does not start with 0, at most 15 digits in total. */
const E164_PHONE = /^\+[1-9]\d{6,14}$/

/**
 * Numbers of mobiles that were changed, and what they are now. Other files and contacts still have the old ones, which
 * people of the country write, too.
 */
const RENUMBERED: readonly (readonly [RegExp, string])[] = [
  // Mexico, 2019: no 1 after the country code, and no prefix for mobiles.
  [/^\+52(?:1|01|044|045)(\d{10})$/, '+52$1'],
  // Brazil, until 2016: a ninth digit.
  [/^\+55([1-9]\d)([689]\d{7})$/, '+55$19$2'],
  // Ivory Coast, 2021: a prefix for each network, which the second digit told.
  [/^\+225([04-9][0-3]\d{6})$/, '+22501$1'],
  [/^\+225([04-9][4-6]\d{6})$/, '+22505$1'],
  [/^\+225([04-9][7-9]\d{6})$/, '+22507$1'],
  // Benin, 2024.
  [/^\+229(\d{8})$/, '+22901$1'],
  // Gabon, before 2019: libphonenumber writes the number of seven digits with a 0 at home, and reads that as part of it.
  [/^\+241([2-7]\d{6})$/, '+2410$1']
]

/** Longer than any number with its punctuation and extension. */
const MAX_PHONE_LENGTH = 60

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A link of a messenger to a phone, with its country code but often without a plus sign. */
const MESSENGER_LINK =
  /^(?:(?:https?:\/\/)?(?:www\.)?(?:wa\.me\/|t\.me\/\+|signal\.me\/#p\/|(?:api|web)\.whatsapp\.com\/send\/?\?(?:.*&)?phone=)|(?:whatsapp|viber|tg):\/\/\w+\/?\?(?:.*&)?(?:phone|number)=)(?:\+|%2B)?([\d\s().-]{7,})(?=$|[/?&#])/i

/** `tel:` (RFC 3966) and similar URIs: the number, then parameters or a message. */
const PHONE_URI = /^(?:tel|callto|sms|smsto|mms|mmsto|whatsapp|facetime(?:-audio)?):(?:\/\/)?([^;?:]*)(.*)$/is

/** The phones of a contact card: a vCard (RFC 6350), or a MECARD. Pasted into a field, a vCard loses its line breaks. */
const CARD = /^(?:BEGIN:VCARD|MECARD:)/i
const CARD_PHONE = /TEL(;[^:\n]*)?:(?:tel:)?([+\d(][\d\s().-]*)/gi
/** Where a phone stands in a card as it was written: in `HOTEL:5` there is none. */
const CARD_PHONE_FIELD = new RegExp(`(?<=^|[\\n\\r;:.])${CARD_PHONE.source}`, 'gi')

/** A mobile phone counts before any other, and a fax last. */
const cardRank = (parameters: string): number => {
  if (/cell/i.test(parameters)) return 0
  return /fax|pager/i.test(parameters) ? 2 : 1
}

const phoneInCard = (text: string): string | null => {
  const fields = Array.from(text.matchAll(CARD_PHONE_FIELD))
  const found = fields.length > 0 ? fields : Array.from(text.matchAll(CARD_PHONE))
  const [best] = found
    .map(([, parameters = '', phone = '']) => ({ rank: cardRank(parameters), phone: phone.trim() }))
    .sort((one, other) => one.rank - other.rank)
  return best?.phone ?? null
}

/**
 * Returns the phone that a link (`tel:`, `https://wa.me/…`) or a contact card names, as it is written there; null for any
 * other text. A phone context such as `+33` becomes the country code. Of several phones a mobile one counts first, a fax last.
 */
export const phoneInLink = (text: string): string | null => {
  if (CARD.test(text)) return phoneInCard(text)
  const messenger = MESSENGER_LINK.exec(text)?.[1]
  if (messenger !== undefined) return `+${messenger}`
  const [, number = '', parameters = ''] = PHONE_URI.exec(text) ?? []
  const context = /;phone-context=(\+[\d().-]+)/i.exec(parameters)?.[1] ?? ''
  const phone = context + decoded(number)
  return /\p{Nd}/u.test(phone) ? phone : null
}

/** Normalizes digits, dashes, spaces and plus signs, and removes invisible characters. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Nd}/gu, asciiDigit)
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/[\s·•_|'’,\p{Cc}]+/gu, ' ')
    .replace(/\+[+\s]*/g, '+')
    .trim()

/**
 * Returns the possible readings of a text, most likely first. Of those of one group, the first that is a mobile counts
 * before the others: `4917612345678` in Germany is not a phone of Leer, nor `(55) 97677-9361` in Brazil one of São Paulo.
 */
const readings = (text: string, country: string): readonly (readonly string[])[] => {
  const open = (spelling: string): string =>
    spelling
      .replace(/[()[\]{}]/g, ' ')
      .replace(/\+\s+/, '+')
      .trim()
  const spelled = open(text)
  const home = isSupportedCountry(country) ? getCountryCallingCode(country) : null
  const compact = spelled.replace(/\s/g, '')
  const fromHome = (prefix: string): readonly string[] =>
    home !== null && compact.startsWith(prefix + home) ? [`+${compact.slice(prefix.length)}`] : []
  return [
    // `00` before the country's own code: "0057…" in Colombia, where 005 is also a carrier's prefix.
    fromHome('00'),
    // The country's own code without a plus sign, and "+34 (0)612…": a trunk prefix that the country does not have.
    [...fromHome(''), spelled, open(text.replace(/\(\s*0\s*\)/, ' '))],
    // The international prefix of another country: "00 33…", "011 33…", and "+00 33…" by mistake.
    [spelled.replace(/^\+?\s*(?:00|011)\s*(?=[1-9])/, '+')]
  ]
}

/** A number, and the old one that was read; null where they are the same. */
interface ReadNumber {
  readonly number: PhoneNumber
  readonly former: string | null
}

const numberIn = (text: string, country: string): ReadNumber | null => {
  const options = { extract: false, ...(isSupportedCountry(country) && { defaultCountry: country }) }
  const read = parsePhoneNumberFromString(text, options)
  if (read === undefined) return null
  const rule = RENUMBERED.find(([old]) => old.test(read.number))
  if (rule === undefined && !read.isValid()) return null
  const e164 = rule === undefined ? read.number : read.number.replace(...rule)
  // In the Vatican, some are valid without the country code only, and would not be found again.
  const number = text === e164 ? read : parsePhoneNumberFromString(e164)
  return E164_PHONE.test(e164) && number?.isValid() === true
    ? { number, former: rule === undefined ? null : read.number }
    : null
}

const isMobile = ({ number }: ReadNumber): boolean => parseMobileFromString(number.number)?.isValid() === true

const withoutExtension = (number: PhoneNumber): string =>
  number.format('INTERNATIONAL', { formatExtension: (formatted) => formatted })

/** The one reading of a phone, for what is shown, searched and registered. */
const readPhone = (text: string, country: string): ReadNumber | null => {
  const spelled = phoneInLink(text.trim()) ?? text
  if (spelled.length > MAX_PHONE_LENGTH || !/\p{Nd}/u.test(spelled)) return null
  for (const group of readings(plain(spelled), country)) {
    const found = [...new Set(group)].flatMap((reading) => numberIn(reading, country) ?? [])
    const [first = null] = found
    if (first !== null) return found.length === 1 ? first : (found.find(isMobile) ?? first)
  }
  return null
}

/**
 * Parses a phone. `country` (ISO 3166-1 alpha-2) applies to numbers without a country code. Ignores an
 * extension, and reads an old number as the one that it is now. Returns null for a text that cannot be a phone, which is
 * then searched as text.
 */
export const parsePhone = (text: string, country: string): Phone | null => {
  const read = readPhone(text, country)
  if (read === null) return null
  const { number, former } = read
  return { e164: number.number, display: withoutExtension(number), ...(former !== null && { former }) }
}

/** Returns digits as they are written in a country, and the E.164 number that they are so far. */
const formatDigits = (typed: string, country: string): { readonly text: string; readonly e164?: string } => {
  const formatter = new AsYouType(isSupportedCountry(country) ? country : undefined)
  try {
    const text = formatter.input(typed)
    const e164 = formatter.getNumberValue()
    return { text, ...(e164 !== undefined && { e164 }) }
  } catch {
    // libphonenumber-js 1.13.16 throws a TypeError for "02" in Cabo Verde and Samoa.
    return { text: typed }
  }
}

/**
 * Formats a phone while it is typed, in ASCII digits. `prefix` is the country code that stands before `text` because the
 * shop's country is assumed; empty if the country code, an international prefix or the trunk prefix was typed. Prefix and
 * text are the number that `parsePhone` reads, once there is one.
 */
export const formatTypedPhone = (
  typed: string,
  country: string
): { readonly prefix: string; readonly text: string } => {
  const home = isSupportedCountry(country) ? `+${getCountryCallingCode(country)}` : ''
  const { text, e164 } = formatDigits(typed, country)
  const number = readPhone(typed, country)?.number ?? null
  if (number === null) {
    const isAbroad = /^0(?:0|11)/.test(typed)
    const isHome = typed === '' || (e164 === home + typed && !isAbroad)
    return { prefix: isHome ? home : '', text }
  }
  if (number.number === home + typed) return { prefix: home, text }
  if (number.number === e164) return { prefix: '', text }
  // The formatter takes it for a national number: an international prefix that the country does not have, for example.
  const [, before = typed] = new RegExp(`^(.*)${number.number.slice(1)}$`).exec(typed) ?? []
  return {
    prefix: '',
    text: before === typed ? typed : `${before} ${withoutExtension(number).slice(1)}`.trim()
  }
}
