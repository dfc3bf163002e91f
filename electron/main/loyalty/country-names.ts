/** Which country a text names: the address of an account holds whatever the business once typed. */
import { getCountries, isSupportedCountry, type CountryCode } from 'libphonenumber-js/min'
import { ALPHA_2_OF } from './country-codes.ts'

/** Read beside each country's own language. */
const LANGUAGES = [
  'en',
  'fr',
  'es',
  'de',
  'it',
  'pt',
  'nl',
  'el',
  'ru',
  'ar',
  'tr',
  'pl',
  'zh',
  'ja'
] as const

/** Names in use that no list of countries holds. */
const OTHER_NAMES: Readonly<Record<string, CountryCode>> = {
  'Great Britain': 'GB',
  England: 'GB',
  Scotland: 'GB',
  Wales: 'GB',
  'Northern Ireland': 'GB',
  'Czech Republic': 'CZ',
  Holland: 'NL',
  'The Netherlands': 'NL',
  Korea: 'KR',
  'Republic of Korea': 'KR',
  'Republic of Ireland': 'IE',
  'Russian Federation': 'RU',
  'United States of America': 'US',
  America: 'US',
  UAE: 'AE',
  Turkey: 'TR',
  'Viet Nam': 'VN',
  Macedonia: 'MK',
  'Hellenic Republic': 'GR',
  Hellas: 'GR'
}

/** Case, accents, points and spaces tell no countries apart; sigma and the dotless i have spellings of their own. */
const key = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replaceAll('ı', 'i')
    .replace(/&/g, 'and')
    .replace(/[^\p{L}\p{N}]/gu, '')

/** The language most spoken in a country: "und-GR" is likeliest to be Greek. */
const nativeLanguage = (country: CountryCode): string => new Intl.Locale(`und-${country}`).maximize().language

/** The languages in which a country is looked for, in the order in which they have a name to themselves. */
function* languages(): Generator<string, undefined> {
  yield* LANGUAGES
  const read = new Set<string>(LANGUAGES)
  for (const language of getCountries().map(nativeLanguage)) {
    if (!read.has(language)) yield language
    read.add(language)
  }
}

/** Names of every country, a style of a language at a time. */
function* lists(): Generator<readonly (readonly [string, CountryCode])[], undefined> {
  for (const language of languages()) {
    for (const style of ['long', 'short'] as const) {
      const names = new Intl.DisplayNames([language], { type: 'region', style, fallback: 'none' })
      yield getCountries().flatMap((country) => {
        const name = names.of(country)
        if (name === undefined) return []
        // "Myanmar (Burma)" is also Myanmar; "Saint-Martin (partie néerlandaise)" is not the other Saint-Martin.
        return [name, name.replace(/\([^)]*\)/g, '')].map((spelling) => [key(spelling), country] as const)
      })
    }
  }
}

/** What is known so far. The first language to use a name keeps it: English, the widely spoken, each country's own. */
const known = new Map<string, CountryCode>()
const unread = lists()

const add = (name: string, country: CountryCode): void => {
  if (name !== '' && !known.has(name)) known.set(name, country)
}

const addCodes = (): void => {
  for (const country of getCountries()) add(key(country), country)
  for (const [alpha3, alpha2] of ALPHA_2_OF) if (isSupportedCountry(alpha2)) add(key(alpha3), alpha2)
  for (const [name, country] of Object.entries(OTHER_NAMES)) add(key(name), country)
}

/**
 * The country that a text names, as ISO 3166-1 alpha-2: a code of two or three letters, or a name in English, in
 * the country's own language or in a widely spoken one, in any case and with or without accents and points. Null
 * when it names none that has phones. Languages are read as far as it takes: all of them take a quarter of a second.
 */
export const countryNamed = (text: string): CountryCode | null => {
  const asked = key(text)
  if (asked === '') return null
  if (known.size === 0) addCodes()
  for (;;) {
    const found = known.get(asked)
    if (found !== undefined) return found
    const list = unread.next().value
    if (list === undefined) return null
    for (const [name, country] of list) add(name, country)
  }
}
