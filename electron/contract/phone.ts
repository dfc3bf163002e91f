/**
 * Parses phones in any common format into E.164, the format that the service requires, and formats one that is typed.
 *
 * Uses libphonenumber-js with its smallest metadata, which checks whether a number is possible in a country. The larger
 * metadata checks the number ranges in use, and would reject customers whose range was opened after this build.
 */
import {
  AsYouType,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  type PhoneNumber
} from 'libphonenumber-js/min'
import type { Phone } from './customer-search.ts'
import { asciiDigit } from './text.ts'

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

/** Replaces `00` before the country's own code with `+`: "0057…" in Colombia, where 005 is also a carrier's prefix. */
const homeFromAbroad = (text: string, country: string): string => {
  const home = isSupportedCountry(country) ? getCountryCallingCode(country) : ''
  const digits = text.replace(/\s/g, '')
  return home !== '' && digits.startsWith(`00${home}`) ? `+${digits.slice(2)}` : text
}

/** Returns the possible readings of a text, most likely first. */
const readings = (text: string, country: string): readonly string[] => {
  const open = (spelling: string): string =>
    spelling
      .replace(/[()[\]{}]/g, ' ')
      .replace(/\+\s+/, '+')
      .trim()
  const spelled = open(text)
  return [
    homeFromAbroad(spelled, country),
    spelled,
    // "+34 (0)612…": a trunk prefix that the country does not have.
    open(text.replace(/\(\s*0\s*\)/, ' ')),
    // The international prefix of another country: "00 33…", "011 33…", and "+00 33…" by mistake.
    spelled.replace(/^\+?\s*(?:00|011)\s*(?=[1-9])/, '+')
  ]
}

const numberIn = (text: string, country: string): PhoneNumber | null => {
  const options = { extract: false, ...(isSupportedCountry(country) && { defaultCountry: country }) }
  const number = parsePhoneNumberFromString(text, options)
  // In the Vatican, some are valid without the country code only, and would not be found again.
  const isReadable =
    number?.isValid() === true && parsePhoneNumberFromString(number.number)?.isValid() === true
  return isReadable ? number : null
}

const withoutExtension = (number: PhoneNumber): string =>
  number.format('INTERNATIONAL', { formatExtension: (formatted) => formatted })

/** The one reading of a phone, for what is shown, searched and registered. */
const readPhone = (text: string, country: string): PhoneNumber | null => {
  const spelled = phoneInLink(text.trim()) ?? text
  if (spelled.length > MAX_PHONE_LENGTH || !/\p{Nd}/u.test(spelled)) return null
  for (const reading of readings(plain(spelled), country)) {
    const number = numberIn(reading, country)
    if (number !== null) return number
  }
  return null
}

/**
 * Parses a phone. `country` (ISO 3166-1 alpha-2) applies to numbers without a country code. Ignores an
 * extension. Returns null for a text that cannot be a phone, which is then searched as text.
 */
export const parsePhone = (text: string, country: string): Phone | null => {
  const number = readPhone(text, country)
  return number && { e164: number.number, display: withoutExtension(number) }
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
  const number = readPhone(typed, country)
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
