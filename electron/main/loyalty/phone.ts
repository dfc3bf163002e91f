/**
 * Phones, from any spelling a person uses to the international format that the service wants.
 *
 * libphonenumber-js with its smallest metadata: whether a number can exist in a country is all the till asks, never
 * whether it is a mobile. The larger metadata also checks each range that is in use today, and would refuse a
 * customer whose range was opened after this build.
 */
import {
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  type PhoneNumber
} from 'libphonenumber-js/min'
import type { Phone } from '../../contract/customers.ts'

/** More than any number with its punctuation and extension. */
const LONGEST = 60

const decimalSystems = (): readonly string[] =>
  Intl.supportedValuesOf('numberingSystem').map((numberingSystem) =>
    new Intl.NumberFormat('en', { numberingSystem, useGrouping: false }).format(9_876_543_210)
  )

let digits: ReadonlyMap<string, string> | null = null

/** Each digit of the world's positional scripts, by its value: '٣' → '3'. Gathered for the first phone: it takes a while. */
const digitsOfTheWorld = (): ReadonlyMap<string, string> =>
  (digits ??= new Map(
    decimalSystems().flatMap((system) =>
      Array.from(system).length === 10
        ? Array.from(system, (digit, at) => [digit, String(9 - at)] as const)
        : []
    )
  ))

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** `tel:` and its relatives (RFC 3966): the scheme goes, a context of the form `+33` becomes the country code. */
const withoutScheme = (text: string): string => {
  const link = /^(?:tel|callto|sms|whatsapp):(?:\/\/)?([^;?]*)(.*)$/i.exec(text)
  if (link === null) return text
  const context = /;phone-context=(\+\d+)/i.exec(link[2] ?? '')?.[1] ?? ''
  return context + decoded(link[1] ?? '')
}

/** One spelling for what looks alike: digits, dashes, spaces, plus signs; invisible marks go. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\P{ASCII}/gu, (letter) => digitsOfTheWorld().get(letter) ?? letter)
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/[\s·•_|'’,\p{Cc}]+/gu, ' ')
    .replace(/\+[+\s]*/g, '+')
    .trim()

/** The country's own code dialled as from abroad, "0057…" in Colombia, where 005 is also a carrier's prefix. */
const homeFromAbroad = (text: string, country: string): string => {
  const home = isSupportedCountry(country) ? getCountryCallingCode(country) : ''
  const digits = text.replace(/\s/g, '')
  return home !== '' && digits.startsWith(`00${home}`) ? `+${digits.slice(2)}` : text
}

/** How the same text may be meant, likeliest first. */
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
    // "+34 (0)612…": a trunk zero that the country does not have.
    open(text.replace(/\(\s*0\s*\)/, ' ')),
    // Dialled from abroad, by a prefix that is not the shop's own: "00 33…", "011 33…", and "+00 33…" by mistake.
    spelled.replace(/^\+?\s*(?:00|011)\s*(?=[1-9])/, '+')
  ]
}

const numberIn = (text: string, country: string): PhoneNumber | null => {
  const options = { extract: false, ...(isSupportedCountry(country) && { defaultCountry: country }) }
  const number = parsePhoneNumberFromString(text, options)
  return number?.isValid() === true ? number : null
}

const withoutExtension = (number: PhoneNumber): string =>
  number.format('INTERNATIONAL', { formatExtension: (formatted) => formatted })

/**
 * Reads a text as a phone. `country` (ISO 3166-1 alpha-2) is where a number without a country code is from. An
 * extension is read over. Null for everything that cannot be a phone there: that is searched as text.
 */
export const parsePhone = (text: string, country: string): Phone | null => {
  if (text.length > LONGEST || !/\p{Nd}/u.test(text)) return null
  for (const reading of readings(plain(withoutScheme(text.trim())), country)) {
    const number = numberIn(reading, country)
    if (number !== null) return { e164: number.number, display: withoutExtension(number) }
  }
  return null
}
