import type { Account, Customer } from '../../../electron/contract/loyalty.ts'
import { memoizeByLocale, screenLocale } from '../i18n/locale.svelte.ts'

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

const letters = memoizeByLocale((locale) => new Intl.Segmenter(locale, { granularity: 'grapheme' }))

/** A name as it is compared with others. */
export const nameKey = ({ name }: Customer): string => name.trim().toLocaleLowerCase()

/** The names that more than one of these customers has: their phones tell them apart. */
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

/** How many of its last digits a masked phone shows, at most: enough to tell two customers apart by. */
const SHOWN = 4

/**
 * A phone that others may see over the counter: `+30 690 123 4567` → `+30 ••• ••• 4567`. The country code stays where
 * it stands apart, and of the digits after it the last four, or half of them where there are fewer than eight.
 */
export function maskPhone(phone: string): string {
  const [, country = '', rest = ''] = /^(\+\p{Nd}+\s)?(.*)$/u.exec(phone.trim()) ?? []
  const digits = rest.match(/\p{Nd}/gu)?.length ?? 0
  const hidden = digits - Math.min(SHOWN, Math.floor(digits / 2))
  let place = 0
  return country + rest.replace(/\p{Nd}/gu, (digit) => (place++ < hidden ? '•' : digit))
}

export type Address = Account['address']

const filled = (parts: readonly string[], separator: string): string =>
  parts
    .map((part) => part.trim())
    .filter(Boolean)
    .join(separator)

/** A postal address on at most two lines, as the slip carries it; parts the service left empty are left out. */
export const addressLines = ({ street, city, state, country, zipCode }: Address): string[] =>
  [street.trim(), filled([filled([zipCode, city], ' '), state, country], ', ')].filter(Boolean)
