/** How this service compares texts in a search. The interface document (4.2) does not show the rule. */

/** Letters that carry no separate accent, and so survive the removal of accents. */
const plainLetters: Readonly<Record<string, string>> = {
  đ: 'd',
  ð: 'd',
  ø: 'o',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ς: 'σ'
}

/**
 * Accents of Latin, Greek and Cyrillic, vowel points of Hebrew and Arabic. The signs of Thai, Devanagari and
 * Japanese stay: there they make another word, not another spelling.
 */
const accents = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]/g
const unaccented = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g')
/** What would end a text early inside the database, or separates its fields. */
const controls = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu

/** Removes case, accents, width variants, control characters and needless spaces: "  ÁΝΝΑ " becomes "aννα". */
export const normalise = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(accents, '')
    .replaceAll(unaccented, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFKC')
    .replaceAll(controls, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Stands between the fields of a search text; `normalise` removes it, so no search can reach across two fields. */
const fieldSeparator = '\n'

/** The text that a customer is found by: name, e-mail and phone. */
export const searchTextOf = (customer: {
  readonly name: string
  readonly email: string | null
  readonly phone: string
}): string => [normalise(customer.name), normalise(customer.email ?? ''), customer.phone].join(fieldSeparator)

/**
 * What to look for when somebody searches for `text`: the normalised text, and its digits alone when it can only
 * be part of a phone (three digits or more, no letters). Empty when the text says nothing.
 */
export const searchTermsOf = (text: string): readonly string[] => {
  const plain = normalise(text)
  if (plain === '') return []
  const digits = plain.replaceAll(/\D/g, '')
  const phoneLike = digits.length >= 3 && /^[\d\s()+./-]+$/.test(plain)
  return phoneLike && digits !== plain ? [plain, digits] : [plain]
}
