/** The words that a customer's name is found by, whatever case and accents it was typed with. */

/** Letters that are not an accented other one, and are typed as others all the same. */
const TYPED_AS: Readonly<Record<string, string>> = {
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
 * Accents of Latin, Greek and Cyrillic, vowel points of Hebrew and Arabic. The signs of Thai, Devanagari and Japanese
 * stay: there they make another word, not another spelling.
 */
const ACCENTS = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]/g

/** Lower-case words without accents: "Μαρία  ÅSE-Øst" gives μαρια, ase, ost. */
export const wordsOf = (name: string): string[] =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(ACCENTS, '')
    .replaceAll(/[đðøłħıßæœþς]/g, (letter) => TYPED_AS[letter] ?? letter)
    .normalize('NFKC')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '')
