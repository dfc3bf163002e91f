/** Text normalization that main, the service and the renderer share, so that all searches match the same spellings. */

/** Letters that Unicode does not decompose into a base letter and an accent, and final sigma. */
const BASE_LETTERS: Readonly<Record<string, string>> = {
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
 * Accents of Latin, Greek and Cyrillic, vowel points of Hebrew and Arabic. The marks of Thai, Devanagari and Japanese are
 * kept, because they distinguish words.
 */
const ACCENTS = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]/g
const UNDECOMPOSED = new RegExp(`[${Object.keys(BASE_LETTERS).join('')}]`, 'g')

/** Returns a text for comparison: without case, accents and width variants. "ÁΝΝΑ Åse" becomes "aννα ase". */
export const normalizeForSearch = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(ACCENTS, '')
    .replaceAll(UNDECOMPOSED, (letter) => BASE_LETTERS[letter] ?? letter)
    .normalize('NFKC')

/** Isolates a name inside a sentence of another script (Unicode, UAX 9). */
export const isolateName = (name: string): string => `\u2068${name}\u2069`
