/** The languages of the till and its slips, and their locales. */

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

/** English for countries without a locale of their own: day before month, 24-hour clock. */
const WORLD_ENGLISH = 'en-GB'

/** Whether `Intl` has the English of a country. Kept, because asking takes as long as the rest of a page. */
const knownEnglish = new Map<string, boolean>()
const isKnownEnglish = (tag: string): boolean => {
  const known = knownEnglish.get(tag) ?? new Intl.NumberFormat(tag).resolvedOptions().locale === tag
  knownEnglish.set(tag, known)
  return known
}

/**
 * Returns the BCP 47 tag for numbers, dates and points: `language` as used in `country` (ISO 3166-1 alpha-2). `Intl`
 * falls back to a language's main country, which for English would put the month first.
 */
export function localeOf(language: Language, country: string): string {
  const tag = `${language}-${country}`
  return language !== 'en' || isKnownEnglish(tag) ? tag : WORLD_ENGLISH
}
