/**
 * Text that main, the service and the renderer share: normalization, so that all searches match the same spellings, the
 * digits of all keyboards, and the cells of spreadsheets.
 */

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

const DIGIT = /\p{Nd}/u

/** Decimal digits but those of ASCII. */
export const OTHER_DIGITS = /(?!\d)\p{Nd}/gu

/** Returns a decimal digit of any script as an ASCII digit. Unicode has those of a script in a row, from 0 on (4.6). */
export function asciiDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0
  let start = point
  while (DIGIT.test(String.fromCodePoint(start - 1))) start--
  return String((point - start) % 10)
}

/**
 * Returns a typed number in ASCII digits. Spaces, and the invisible direction marks of pasted text, are removed;
 * everything else stays.
 */
export const toAsciiDigits = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\s\p{Bidi_Control}]/gu, '')
    .replace(OTHER_DIGITS, asciiDigit)

/** Graphemes: an emoji or a letter with an accent is not split. They are the same in each language. */
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

const firstLetter = (word: string): string =>
  graphemes.segment(word)[Symbol.iterator]().next().value?.segment ?? ''

/** Returns one or two letters that stand for a name without a picture: `Maria Papadaki` → `MP`. */
export function initialsOf(name: string, locale: string): string {
  const words = name.trim().split(/\s+/u).filter(Boolean)
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words
  return chosen
    .map((word) => firstLetter(word ?? ''))
    .join('')
    .toLocaleUpperCase(locale)
}

/** Isolates a name inside a sentence of another script (Unicode, UAX 9). */
export const isolateName = (name: string): string => `\u2068${name}\u2069`

/** The byte order mark from which spreadsheets recognise UTF-8. */
export const BYTE_ORDER_MARK = '\u{FEFF}'

/** What spreadsheets begin a cell at, in any locale, beside their own separator. */
const SEPARATORS = new Set(',;|\t\r\n')

/** The beginnings of a formula, full-width ones included (owasp.org, CSV Injection). */
const FORMULA = new Set('=+-@＝＋－＠')

/** What some spreadsheets skip before a formula. */
const SKIPPED = /^["'\s\p{Cc}]/u

/** One field of comma-separated values (RFC 4180). */
export type CsvValue = string | number | null

/**
 * Returns the separator that a spreadsheet expects in a locale (BCP 47): the semicolon where the comma is the decimal
 * separator, as in Excel's default. The digits of a spreadsheet are those of its country.
 */
export const csvSeparator = (locale: string): ',' | ';' => {
  const parts = new Intl.NumberFormat(new Intl.Locale(locale).baseName).formatToParts(0.5)
  return parts.some(({ type, value }) => type === 'decimal' && value === '.') ? ',' : ';'
}

/** Returns the characters of a text, after `change` of what precedes each that could begin a formula. */
const beforeFormulas = (characters: Iterable<string>, change: (before: string[]) => void): string => {
  const text: string[] = []
  let isCellStart = true
  for (const character of characters) {
    if (isCellStart && FORMULA.has(character)) change(text)
    isCellStart = SEPARATORS.has(character) || (isCellStart && SKIPPED.test(character))
    text.push(character)
  }
  return text.join('')
}

/**
 * Returns the characters of a text, with an apostrophe before each that a spreadsheet would take for the beginning of a
 * formula. Goes over the text once, however it is made.
 */
export const guardFormulas = (characters: Iterable<string>): string =>
  beforeFormulas(characters, (before) => before.push("'"))

/** Returns the text that `guardFormulas` was given. Other texts lose an apostrophe before a formula. */
export const unguardFormulas = (guarded: string): string =>
  beforeFormulas(guarded, (before) => {
    if (before.at(-1) === "'") before.pop()
  })

const quoted = (text: string): string => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Formats one field. A text that a spreadsheet would run as a formula gets an apostrophe before it. */
export const csvField = (value: CsvValue): string => {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const guarded = guardFormulas(value)
  return quoted(/^\p{Cc}/u.test(guarded) ? `'${guarded}` : guarded)
}

/** Formats one record with its line end. */
export const csvRecord = (fields: readonly CsvValue[], separator: ',' | ';'): string =>
  `${fields.map(csvField).join(separator)}\r\n`

/** How a file of comma-separated values is written. */
export interface CsvFormat {
  /** what the file begins with */
  readonly start: string
  readonly record: (fields: readonly CsvValue[]) => string
}

/** For spreadsheets, which would run formulas. */
export const spreadsheetCsv = (separator: ',' | ';'): CsvFormat => ({
  start: BYTE_ORDER_MARK,
  record: (fields) => csvRecord(fields, separator)
})

/** For programs: RFC 4180, each cell as it is. */
export const PROGRAM_CSV: CsvFormat = {
  start: '',
  record: (fields) => `${fields.map((field) => quoted(String(field ?? ''))).join(',')}\r\n`
}
