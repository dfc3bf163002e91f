/** Text matching of the customer search. `GET /customers/` does not specify it. */

import { parsePhone } from '../../contract/phone.ts'
import { normalizeForSearch } from '../../contract/text.ts'

/** Characters that end a text inside SQLite, or separate the fields of a search text. */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu

/** Removes case, accents, width variants, control characters and extra spaces: "  ÁΝΝΑ " becomes "aννα". */
export const normalizeText = (text: string): string =>
  normalizeForSearch(text).replaceAll(CONTROL_CHARACTERS, ' ').replaceAll(/\s+/g, ' ').trim()

/** `normalizeText` removes it from a search, so that no search matches across two fields. */
export const FIELD_SEPARATOR = '\n'

/** Returns the text that a search is matched against: name, e-mail and phone. */
export const customerSearchText = (customer: {
  readonly name: string
  readonly email: string | null
  readonly phone: string
}): string =>
  [normalizeText(customer.name), normalizeText(customer.email ?? ''), customer.phone].join(FIELD_SEPARATOR)

/** Digits of which customers are searched. */
const MIN_DIGITS = 3

/**
 * Returns the terms to search for, of which a customer has to match one: the normalized text, the phone (E.164) that it is
 * where its country code is left out in `country`, and of a text that can only be a part of a phone its digits, with the
 * zeros before them and without. Empty for a blank text.
 */
export const searchTerms = (text: string, country: string): readonly string[] => {
  const normalized = normalizeText(text)
  if (normalized === '') return []
  const phone = parsePhone(text, country)
  const digits = /^[\d\s()+./-]+$/.test(normalized) ? normalized.replaceAll(/\D/g, '') : ''
  const parts = [digits, digits.replace(/^0+/, '')].filter(({ length }) => length >= MIN_DIGITS)
  return [...new Set([normalized, ...(phone === null ? [] : [phone.e164]), ...parts])]
}
