/** Text matching of the customer search. `GET /customers/` does not specify it. */

import { normalizeForSearch } from '../../contract/text.ts'

/** Characters that end a text inside SQLite, or separate the fields of a search text. */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu

/** Removes case, accents, width variants, control characters and extra spaces: "  ÁΝΝΑ " becomes "aννα". */
export const normalizeText = (text: string): string =>
  normalizeForSearch(text).replaceAll(CONTROL_CHARACTERS, ' ').replaceAll(/\s+/g, ' ').trim()

/** `normalizeText` removes it from a search, so that no search matches across two fields. */
const FIELD_SEPARATOR = '\n'

/** Returns the text that a search is matched against: name, e-mail and phone. */
export const customerSearchText = (customer: {
  readonly name: string
  readonly email: string | null
  readonly phone: string
}): string =>
  [normalizeText(customer.name), normalizeText(customer.email ?? ''), customer.phone].join(FIELD_SEPARATOR)

/**
 * Returns the terms to search for, of which a customer has to match one: the normalized text and, if it can only be part
 * of a phone (at least three digits, no letters), its digits. Empty for a blank text.
 */
export const searchTerms = (text: string): readonly string[] => {
  const normalized = normalizeText(text)
  if (normalized === '') return []
  const digits = normalized.replaceAll(/\D/g, '')
  const isPhonePart = digits.length >= 3 && /^[\d\s()+./-]+$/.test(normalized)
  return isPhonePart && digits !== normalized ? [normalized, digits] : [normalized]
}
