import { screenLocale } from './locale.ts'
import { perLocale } from './per-locale.ts'

/** A country's name in the screen's language: `GR` → `Greece`. The code itself if nobody knows it. */
export const countryName = (code: string): string => displayName('region', code)

/** A language's name in the screen's language: `el` → `Greek`. The tag itself if nobody knows it. */
export const languageName = (tag: string): string => displayName('language', tag)

function displayName(type: 'region' | 'language', code: string): string {
  try {
    return new Intl.DisplayNames(screenLocale(), { type }).of(code) ?? code
  } catch {
    return code
  }
}

/** One or two letters that stand for a name where there is no picture: `Maria Papadaki` → `MP`. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/u).filter(Boolean)
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words
  return chosen
    .map((word) => firstLetter(word ?? ''))
    .join('')
    .toLocaleUpperCase(screenLocale())
}

/** Whole letters as a reader sees them: an emoji or a letter with its accent is not cut in two. */
const firstLetter = (word: string): string =>
  letters().segment(word)[Symbol.iterator]().next().value?.segment ?? ''

const letters = perLocale((locale) => new Intl.Segmenter(locale, { granularity: 'grapheme' }))
