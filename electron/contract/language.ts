/** The languages that the till and its slips speak, and how each writes. */

/** ISO 639-1 codes. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'el', 'ar'] as const
export type Language = (typeof LANGUAGES)[number]

/** What a language is called by those who speak it. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  el: 'Ελληνικά',
  ar: 'العربية'
}

/** Which way a language is read. */
export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr')

/** The language of a BCP 47 tag, if the till speaks it: `de-AT` is German. */
export function languageOf(tag: string): Language | undefined {
  const primary = tag.split(/[-_]/u)[0]?.toLowerCase()
  return LANGUAGES.find((language) => language === primary)
}

/** The first language of `tags`, best first, that the till speaks; English when it speaks none of them. */
export const chooseLanguage = (tags: readonly string[]): Language =>
  tags.map(languageOf).find((language) => language !== undefined) ?? 'en'

/** English where a country has none of its own: day before month, 24-hour clock. */
const WORLD_ENGLISH = 'en-GB'

/**
 * The BCP 47 tag that numbers, dates and points are spelled by: the language as it is written in `country` (ISO 3166-1
 * alpha-2). `Intl` falls back to a language's main country by itself; for English that would be the month first.
 */
export function localeOf(language: Language, country: string): string {
  const tag = `${language}-${country}`
  const resolved = new Intl.NumberFormat(tag).resolvedOptions().locale
  return language === 'en' && resolved !== tag ? WORLD_ENGLISH : tag
}
