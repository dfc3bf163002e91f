import type { Customer } from '../../../electron/contract/loyalty.ts'
import { memoizeByLocale, screenLocale } from '../i18n/locale.svelte.ts'

/** Returns one or two letters that are shown instead of a missing picture: `Maria Papadaki` → `MP`. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/u).filter(Boolean)
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words
  return chosen
    .map((word) => firstLetter(word ?? ''))
    .join('')
    .toLocaleUpperCase(screenLocale())
}

/** Returns the first grapheme: an emoji or a letter with an accent is not split. */
const firstLetter = (word: string): string =>
  letters().segment(word)[Symbol.iterator]().next().value?.segment ?? ''

const letters = memoizeByLocale((locale) => new Intl.Segmenter(locale, { granularity: 'grapheme' }))

/** Returns a customer's name for comparison. */
export const nameKey = ({ name }: Customer): string => name.trim().toLocaleLowerCase()

/** Returns the names (as `nameKey` returns them) that several of these customers have. */
export function duplicateNames(customers: readonly Customer[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const twice = new Set<string>()
  for (const customer of customers) {
    const name = nameKey(customer)
    if (seen.has(name)) twice.add(name)
    seen.add(name)
  }
  return twice
}

/** Maximum number of visible digits of a masked phone: enough to tell two customers apart. */
const SHOWN = 4

/**
 * Masks a phone for the screen: `+30 690 123 4567` → `+30 ••• ••• 4567`. The country code stays visible if it is
 * separated, and the last four digits, or half of them if there are fewer than eight.
 */
export function maskPhone(phone: string): string {
  const [, country = '', rest = ''] = /^(\+\p{Nd}+\s)?(.*)$/u.exec(phone.trim()) ?? []
  const digits = rest.match(/\p{Nd}/gu)?.length ?? 0
  const hidden = digits - Math.min(SHOWN, Math.floor(digits / 2))
  let place = 0
  return country + rest.replace(/\p{Nd}/gu, (digit) => (place++ < hidden ? '•' : digit))
}
