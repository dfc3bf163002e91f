/** Scripts by their ISO 15924 codes, as HarfBuzz wants them named. */

/** Unicode's name of each script that a font of ours has letters of. */
const SCRIPTS: readonly (readonly [code: string, name: string])[] = [
  ['Latn', 'Latin'],
  ['Grek', 'Greek'],
  ['Cyrl', 'Cyrillic'],
  ['Arab', 'Arabic'],
  ['Hebr', 'Hebrew'],
  ['Thai', 'Thai'],
  ['Deva', 'Devanagari'],
  ['Hani', 'Han'],
  ['Hira', 'Hiragana'],
  ['Kana', 'Katakana'],
  ['Hang', 'Hangul'],
  ['Bopo', 'Bopomofo'],
  ['Armn', 'Armenian'],
  ['Geor', 'Georgian'],
  ['Beng', 'Bengali'],
  ['Gujr', 'Gujarati'],
  ['Guru', 'Gurmukhi'],
  ['Knda', 'Kannada'],
  ['Mlym', 'Malayalam'],
  ['Sinh', 'Sinhala'],
  ['Taml', 'Tamil'],
  ['Telu', 'Telugu'],
  ['Khmr', 'Khmer'],
  ['Laoo', 'Lao'],
  ['Mymr', 'Myanmar'],
  ['Ethi', 'Ethiopic']
]

/** Not the letters of any one script: digits, punctuation, signs. They take the script around them. */
const COMMON = /^[\p{Script=Common}\p{Script=Inherited}]/u

const patterns = SCRIPTS.map(([code, name]) => ({ code, pattern: new RegExp(`^\\p{Script=${name}}`, 'u') }))

/** A script's code; `Zyyy` for what belongs to no one script, `Zzzz` for one that no font has. */
export const COMMON_SCRIPT = 'Zyyy'
const UNKNOWN_SCRIPT = 'Zzzz'

/** The script of a grapheme, told by its first character. */
export function scriptOf(grapheme: string): string {
  if (COMMON.test(grapheme)) return COMMON_SCRIPT
  return patterns.find(({ pattern }) => pattern.test(grapheme))?.code ?? UNKNOWN_SCRIPT
}

/** Written without spaces between words: only a dictionary tells where one ends. */
export const WITHOUT_SPACES = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
