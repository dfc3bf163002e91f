/** The languages of the till and its slips, and their locales. */
import { memoized } from './memoized.ts'

/** By ISO 639-1 code. A language needs one line here and its files in `resources/locales/`. */
const DEFINITIONS = {
  en: { name: 'English', direction: 'ltr' },
  de: { name: 'Deutsch', direction: 'ltr' },
  fr: { name: 'Français', direction: 'ltr' },
  es: { name: 'Español', direction: 'ltr' },
  el: { name: 'Ελληνικά', direction: 'ltr' },
  ar: { name: 'العربية', direction: 'rtl' }
} as const

export type Language = keyof typeof DEFINITIONS

const isLanguage = (code: string): code is Language => Object.hasOwn(DEFINITIONS, code)

export const LANGUAGES: readonly Language[] = Object.keys(DEFINITIONS).filter(isLanguage)

/** Returns the name of a language in that language. */
export const languageName = (language: Language): string => DEFINITIONS[language].name

/** Returns the text direction of a language. */
export const directionOf = (language: Language): 'ltr' | 'rtl' => DEFINITIONS[language].direction

/** Returns the language of a BCP 47 tag, or undefined if the till does not have it: `de-AT` is German. */
export function languageOf(tag: string): Language | undefined {
  const primary = tag.split(/[-_]/u)[0]?.toLowerCase()
  return LANGUAGES.find((language) => language === primary)
}

/** Returns the first of `tags` (BCP 47, in order of preference) that the till has, or English. */
export const chooseLanguage = (tags: readonly string[]): Language =>
  tags.map(languageOf).find((language) => language !== undefined) ?? 'en'

/** English for countries without a locale of their own: day before month. */
const WORLD_ENGLISH = 'en-GB'

/** Where `Intl` has 12 hours, as people speak, but shops print 24: countries, a language, and a language in a country. */
const PRINT_24_HOURS: ReadonlySet<string> = new Set(['GR', 'CY', 'el', 'fr-CA'])

/** `Intl` has data of its own for this tag. */
const isKnown = (tag: string): boolean => new Intl.NumberFormat(tag).resolvedOptions().locale === tag

/**
 * Returns the clock of a country; without one, of the locale `base`. A formatter of the country's main language would
 * tell otherwise where a runtime lacks that language: Chromium formats Icelandic as American English.
 */
function clockOf(base: string, country: string | null): string {
  if (PRINT_24_HOURS.has(base) || PRINT_24_HOURS.has(country ?? '')) return 'h23'
  // TypeScript's library does not declare `getHourCycles` yet.
  const locale: Intl.Locale & { getHourCycles?: () => readonly string[] } = new Intl.Locale(
    country === null ? base : `und-${country}`
  )
  return locale.getHourCycles?.()[0] ?? 'h23'
}

/** By language and country, empty if it is not known. Kept: asking `Intl` takes as long as the rest of a page. */
const localeTag = memoized((language: string, country: string): string => {
  const plain = country === '' ? language : `${language}-${country}`
  const base = language === 'en' && (country === '' || !isKnown(plain)) ? WORLD_ENGLISH : plain
  return `${base}-u-ca-gregory-hc-${clockOf(base, country || null)}-nu-latn`
})

/**
 * Returns the BCP 47 tag with which everything writes numbers, dates and points: `language` as used in `country` (ISO
 * 3166-1 alpha-2; null if it is not known). It carries what is the same for the whole shop, so that screen, customer
 * display, slip, report and the service's pages agree in each language:
 *
 * - Latin digits: those of the number pad, of phones and of receipt printers.
 * - The clock of the country, 12 or 24 hours.
 * - The Gregorian calendar.
 *
 * `Intl` falls back to a language's main country, which for English would put the month first.
 */
export const localeOf = (language: Language, country: string | null): string =>
  localeTag(language, country ?? '')
