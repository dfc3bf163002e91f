/**
 * Prepares a text for shaping: replaces what no font can show, and divides the rest into items of one font, one script and
 * one direction. Nothing throws later, and nothing disappears silently.
 */
import createBidi from 'bidi-js'
import { type Covers, type Family, familyOrder, type HanStyle } from './fonts.ts'
import { FURTHER_SCRIPTS, WIDESPREAD_SCRIPTS } from './scripts.ts'

const bidi = createBidi()

/** Right-to-left scripts above U+FFFF, as Unicode reserves their blocks. */
const isSupplementaryRightToLeft = (codePoint: number): boolean =>
  (codePoint >= 0x10800 && codePoint <= 0x10fff) || (codePoint >= 0x1e800 && codePoint <= 0x1efff)

/** bidi-js reads UTF-16 units one by one: a surrogate pair is replaced by two units of the same bidi class. */
const withoutSurrogates = (text: string): string =>
  text.replace(/[\u{10000}-\u{10FFFF}]/gu, (character) => {
    if (isSupplementaryRightToLeft(character.codePointAt(0) ?? 0)) return '\u05D0\u05D0'
    return /\p{L}/u.test(character) ? 'aa' : '\uFFFC\uFFFC'
  })

/**
 * The embedding level (UAX 9) of each UTF-16 unit: odd is right to left. The first letter determines the direction of
 * the whole text.
 */
export const bidiLevels = (text: string): Uint8Array =>
  bidi.getEmbeddingLevels(withoutSurrogates(text), 'auto').levels

export const isLeftToRight = (level: number): boolean => level % 2 === 0

/** The runs of one line in visual order, left to right (UAX 9, rule L2). */
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

/** A character as drawn from right to left: brackets are mirrored. */
export const mirrored = (character: string): string => bidi.getMirroredCharacter(character) ?? character

const scriptPatterns = [...WIDESPREAD_SCRIPTS, ...FURTHER_SCRIPTS].map(([code, name]) => ({
  code,
  pattern: new RegExp(`^\\p{Script=${name}}`, 'u')
}))

/** Characters of no single script: digits, punctuation, signs. They take the script of their neighbours. */
const COMMON = /^[\p{Script=Common}\p{Script=Inherited}]/u
const COMMON_SCRIPT = 'Zyyy'
const UNKNOWN_SCRIPT = 'Zzzz'

/** The script of a grapheme, by its first character. */
function scriptOf(grapheme: string): string {
  if (COMMON.test(grapheme)) return COMMON_SCRIPT
  return scriptPatterns.find(({ pattern }) => pattern.test(grapheme))?.code ?? UNKNOWN_SCRIPT
}

/** Scripts written without spaces between words: only a dictionary finds the end of a word. */
export const SCRIPTS_WITHOUT_SPACES = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

const HAN_STYLE_BY_TIME_ZONE: Readonly<Record<string, HanStyle>> = {
  'Asia/Tokyo': 'ja',
  'Asia/Seoul': 'ko',
  'Asia/Pyongyang': 'ko',
  'Asia/Taipei': 'zh-Hant',
  'Asia/Hong_Kong': 'zh-Hant',
  'Asia/Macau': 'zh-Hant'
}

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const HANGUL = /\p{Script=Hangul}/u

function hanStyleOfLocale(locale: string): HanStyle | null {
  try {
    const { language, script } = new Intl.Locale(locale).maximize()
    if (language === 'ja' || language === 'ko') return language
    if (language !== 'zh') return null
    return script === 'Hant' ? 'zh-Hant' : 'zh-Hans'
  } catch {
    return null
  }
}

/** Japanese for a text with kana, Korean for one with hangul, null otherwise: Han characters alone are ambiguous. */
export function hanStyleOfText(text: string): HanStyle | null {
  if (KANA.test(text)) return 'ja'
  return HANGUL.test(text) ? 'ko' : null
}

/** The style of ambiguous Han text: by the business's language, else its time zone, else simplified Chinese. */
export const hanStyleOfSlip = ({ locale, timeZone }: { locale: string; timeZone: string }): HanStyle =>
  hanStyleOfLocale(locale) ?? HAN_STYLE_BY_TIME_ZONE[timeZone] ?? 'zh-Hans'

/** The UTF-16 units from `start` to `end`. */
export interface Item {
  readonly start: number
  readonly end: number
  readonly family: Family
  /** ISO 15924; `Zyyy` when it has no letter of a single script */
  readonly script: string
  /** bidi level: odd is right to left */
  readonly level: number
}

/** Returns the family for a grapheme, null when none has all of it. `current` is the family of the text before. */
export type FamilyFinder = (grapheme: string, current: Family | null) => Family | null

/** Characters of no single script keep the current family, so that a comma or a digit looks like its neighbours. */
export function createFamilyFinder(covers: Covers, han: HanStyle): FamilyFinder {
  const order = familyOrder(han)
  return (grapheme, current) => {
    const codePoints = visibleCodePoints(grapheme)
    const shows = (family: Family): boolean => codePoints.every((codePoint) => covers(family, codePoint))
    if (isEmoji(grapheme)) return order.emoji.find(shows) ?? null
    const keepsCurrent = current !== null && current !== 'NotoEmoji' && scriptOf(grapheme) === COMMON_SCRIPT
    return keepsCurrent && shows(current) ? current : (order.text.find(shows) ?? null)
  }
}

/** Divides `text`; `find` must return a family for each of its graphemes. */
export function itemize(text: string, find: FamilyFinder): Item[] {
  const levels = bidiLevels(text)
  const items: Item[] = []
  let start = 0
  for (const grapheme of graphemesOf(text)) {
    const end = start + grapheme.length
    const last = items.at(-1)
    const level = levels[start] ?? 0
    const family = find(grapheme, last?.family ?? null) ?? last?.family
    if (family === undefined) throw new Error('A character without a font was not replaced')
    const script = scriptOf(grapheme)
    const isSameScript = last?.script === script || last?.script === COMMON_SCRIPT || script === COMMON_SCRIPT
    if (last?.family === family && last.level === level && isSameScript) {
      items[items.length - 1] = { ...last, end, script: last.script === COMMON_SCRIPT ? script : last.script }
    } else {
      items.push({ start, end, family, script, level })
    }
    start = end
  }
  return items
}

/** Replaces a character that no font has; Noto Sans draws it as a question mark in a diamond. */
const REPLACEMENT = '\uFFFD'

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** Splits a text into user-perceived characters. */
export const graphemesOf = (text: string): string[] =>
  Array.from(graphemes.segment(text), (part) => part.segment)

/** True for emoji: by default presentation, by a variation selector, or as a sequence. */
const isEmoji = (grapheme: string): boolean => /\p{Emoji_Presentation}|\p{Emoji}\uFE0F/u.test(grapheme)

const BLANKS = /[ \t\n\v\f\r\u0085\u1680\u2000-\u2006\u2008-\u200A\u2028\u2029\u205F\u3000]+/g

/** Characters without a glyph. Fonts need not have them; HarfBuzz removes them. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

/**
 * Controls and invisible characters without use on paper are removed: direction overrides and embeddings would affect
 * the text after them, and lines are not hyphenated at soft hyphens. Kept is what shaping, order and line breaks need:
 * joiners, direction marks, zero-width spaces, and in emoji variation selectors and tags.
 */
const KEPT = /[\u200B-\u200F\u061C\u2060]|\p{Variation_Selector}|[\u{E0020}-\u{E007F}]/u
const REMOVED = new RegExp(`(?!${KEPT.source})[\\p{Cc}\\p{Default_Ignorable_Code_Point}]`, 'gu')
const ONLY_IN_EMOJI = /\p{Variation_Selector}|[\u{E0020}-\u{E007F}]/gu

/** A combining mark without a base letter. Unicode shows it on a dotted circle, so that it touches no neighbour. */
const ORPHAN_MARK = /(?<=^| )(?=\p{M})/gu
const DOTTED_CIRCLE = '\u25CC'

/** More marks on one letter than any script has: they would overlap the lines above. */
const STACKED_MARKS = /\p{Mn}{5}/u

/** The code points of a grapheme that need a glyph. */
export const visibleCodePoints = (grapheme: string): number[] =>
  Array.from(grapheme.replace(INVISIBLE, ''), (character) => character.codePointAt(0) ?? 0)

interface PrintableText {
  readonly text: string
  /** the graphemes that were replaced by a replacement mark, in the order of the text */
  readonly missing: readonly string[]
}

/**
 * Returns `text` in composed form (NFC), with each run of blanks as one space and each grapheme that no font has, as
 * `isShown` decides, as one replacement mark. A no-break space stays: it keeps a number with its unit.
 */
export function toPrintable(text: string, isShown: (grapheme: string) => boolean): PrintableText {
  const plain = text
    .toWellFormed()
    .normalize('NFC')
    .replace(BLANKS, ' ')
    .replace(REMOVED, '')
    .trim()
    .replace(ORPHAN_MARK, DOTTED_CIRCLE)
  const missing: string[] = []
  const shown = graphemesOf(plain).map((grapheme) => {
    const kept = isEmoji(grapheme) ? grapheme : grapheme.replace(ONLY_IN_EMOJI, '')
    if (!STACKED_MARKS.test(kept) && isShown(kept)) return kept
    missing.push(grapheme)
    return REPLACEMENT
  })
  const joined = shown.join('').trim()
  return { text: visibleCodePoints(joined).length === 0 ? '' : joined, missing }
}
