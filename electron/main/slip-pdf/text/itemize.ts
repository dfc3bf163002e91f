/** Cuts a text into stretches that can be shaped at once: one font, one script, one direction. */
import createBidi from 'bidi-js'
import { graphemesOf, isEmoji, visibleCodePoints } from './characters.ts'
import { familyOrder, type Covers, type Family, type HanStyle } from './fonts.ts'

/** A stretch from UTF-16 unit `start` up to `end`. */
export interface Item {
  readonly start: number
  readonly end: number
  readonly family: Family
  /** ISO 15924; `Zyyy` when nothing in it belongs to one script */
  readonly script: string
  /** by UAX 9: odd is read from the right */
  readonly level: number
}

/** Finds the family for a grapheme: null when none has all of it. */
export type FamilyFinder = (grapheme: string, current: Family | null) => Family | null

/** `current` is kept for what belongs to every script, so that a comma or a digit looks like its neighbours. */
export function createFamilyFinder(covers: Covers, han: HanStyle): FamilyFinder {
  const order = familyOrder(han)
  return (grapheme, current) => {
    const codePoints = visibleCodePoints(grapheme)
    const shows = (family: Family): boolean => codePoints.every((codePoint) => covers(family, codePoint))
    if (isEmoji(grapheme)) return order.emoji.find(shows) ?? null
    const keeps = current !== null && current !== 'NotoEmoji' && scriptOf(grapheme) === COMMON_SCRIPT
    return keeps && shows(current) ? current : (order.text.find(shows) ?? null)
  }
}

/** The style of Han in `text`, given the slip's own: kana and hangul tell more. */
export const hanStyleFor = (text: string, ofSlip: HanStyle): HanStyle => styleOfText(text) ?? ofSlip

/** Cuts up `text`, every grapheme of which `find` knows a family for. */
export function itemize(text: string, find: FamilyFinder): Item[] {
  const levels = levelsOf(text)
  const items: Item[] = []
  let start = 0
  for (const grapheme of graphemesOf(text)) {
    const end = start + grapheme.length
    const last = items.at(-1)
    const level = levels[start] ?? 0
    const family = find(grapheme, last?.family ?? null) ?? last?.family
    if (family === undefined) throw new Error('A character without a font was not replaced')
    const script = scriptOf(grapheme)
    const sameScript = last?.script === script || last?.script === COMMON_SCRIPT || script === COMMON_SCRIPT
    if (last?.family === family && last.level === level && sameScript) {
      const joint = last.script === COMMON_SCRIPT ? script : last.script
      items[items.length - 1] = { ...last, end, script: joint }
    } else {
      items.push({ start, end, family, script, level })
    }
    start = end
  }
  return items
}

export const readsRightward = ({ level }: Item): boolean => isRightward(level)

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
const COMMON_SCRIPT = 'Zyyy'
const UNKNOWN_SCRIPT = 'Zzzz'

/** The script of a grapheme, told by its first character. */
function scriptOf(grapheme: string): string {
  if (COMMON.test(grapheme)) return COMMON_SCRIPT
  return patterns.find(({ pattern }) => pattern.test(grapheme))?.code ?? UNKNOWN_SCRIPT
}

/** Written without spaces between words: only a dictionary tells where one ends. */
export const WITHOUT_SPACES = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/* from han.ts: How Han characters are drawn on a slip: the same character looks different in Tokyo, Beijing, Taipei and Seoul. */

const ZONES: Readonly<Record<string, HanStyle>> = {
  'Asia/Tokyo': 'ja',
  'Asia/Seoul': 'ko',
  'Asia/Pyongyang': 'ko',
  'Asia/Taipei': 'zh-Hant',
  'Asia/Hong_Kong': 'zh-Hant',
  'Asia/Macau': 'zh-Hant'
}

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const HANGUL = /\p{Script=Hangul}/u

function styleOfLocale(locale: string): HanStyle | null {
  try {
    const { language, script } = new Intl.Locale(locale).maximize()
    if (language === 'ja' || language === 'ko') return language
    if (language !== 'zh') return null
    return script === 'Hant' ? 'zh-Hant' : 'zh-Hans'
  } catch {
    return null
  }
}

/** What a text itself tells: kana are Japanese, hangul is Korean, and bare Han says nothing. */
export function styleOfText(text: string): HanStyle | null {
  if (KANA.test(text)) return 'ja'
  return HANGUL.test(text) ? 'ko' : null
}

/** The style where a text does not tell: the business's language, else its time zone, else simplified Chinese. */
export const hanStyle = ({ locale, timeZone }: { locale: string; timeZone: string }): HanStyle =>
  styleOfLocale(locale) ?? ZONES[timeZone] ?? 'zh-Hans'

/* from bidi.ts: Right and left in one text, by the Unicode bidirectional algorithm (UAX 9). */

const bidi = createBidi()

/** Right-to-left scripts above U+FFFF, as Unicode sets their blocks aside. */
const isRightToLeft = (codePoint: number): boolean =>
  (codePoint >= 0x10800 && codePoint <= 0x10fff) || (codePoint >= 0x1e800 && codePoint <= 0x1efff)

/** bidi-js looks at UTF-16 units one by one: a character of two units is replaced by two of its own kind. */
const inSingleUnits = (text: string): string =>
  text.replace(/[\u{10000}-\u{10FFFF}]/gu, (character) => {
    if (isRightToLeft(character.codePointAt(0) ?? 0)) return '\u05D0\u05D0'
    return /\p{L}/u.test(character) ? 'aa' : '\uFFFC\uFFFC'
  })

/**
 * The embedding level of each UTF-16 unit, odd where it is read from the right. The first letter decides which side
 * the whole text begins at.
 */
export const levelsOf = (text: string): Uint8Array =>
  bidi.getEmbeddingLevels(inSingleUnits(text), 'auto').levels

export const isRightward = (level: number): boolean => level % 2 === 0

/** The runs of one line from left to right, as they are seen (rule L2). */
export function visualOrder<Run extends { readonly level: number }>(runs: readonly Run[]): Run[] {
  const ordered = [...runs]
  const highest = Math.max(0, ...runs.map(({ level }) => level))
  for (let level = highest; level >= 1; level--) {
    for (let start = 0; start < ordered.length; start++) {
      let end = start
      while ((ordered[end]?.level ?? 0) >= level) end++
      if (end > start) ordered.splice(start, end - start, ...ordered.slice(start, end).reverse())
      start = Math.max(start, end)
    }
  }
  return ordered
}

/** A character as it is drawn when read from the right: brackets turn round. */
export const mirrored = (character: string): string => bidi.getMirroredCharacter(character) ?? character
