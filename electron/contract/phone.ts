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
import { phoneInLink } from './phone-link.ts'
import { asciiDigit, OTHER_DIGITS } from './text.ts'

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

/** Normalizes digits, dashes, spaces and plus signs, and removes invisible characters. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(OTHER_DIGITS, asciiDigit)
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
  // The form in which phones are stored and sent has no other reading.
  if (E164_PHONE.test(text)) return numberIn(text, country)
  const spelled = phoneInLink(text.trim()) ?? text
  if (spelled.length > MAX_PHONE_LENGTH || !/\p{Nd}/u.test(spelled)) return null
  for (const group of readings(plain(spelled), country)) {
    const found = [...new Set(group)].flatMap((reading) => numberIn(reading, country) ?? [])
    const [first = null] = found
    if (first !== null) return found.length === 1 ? first : (found.find(isMobile) ?? first)
  }
  return null
}

/** Does as `parsePhone`, without the form that people read: to make it takes as long as to read the phone. */
export const parseE164 = (text: string, country: string): Omit<Phone, 'display'> | null => {
  const read = readPhone(text, country)
  if (read === null) return null
  const { number, former } = read
  return { e164: number.number, ...(former !== null && { former }) }
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
