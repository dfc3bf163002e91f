/** Makes any text one that the fonts can show: nothing throws later, and nothing disappears silently. */

/** Stands for a character that no font has; Noto Sans draws it as a question mark in a diamond. */
export const REPLACEMENT = '\uFFFD'

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** Splits a text into what a reader sees as characters. */
export const graphemesOf = (text: string): string[] =>
  Array.from(graphemes.segment(text), (part) => part.segment)

/** Asks for a picture: by its nature, by a variation selector, or as a sequence. */
export const isEmoji = (grapheme: string): boolean => /\p{Emoji_Presentation}|\p{Emoji}\uFE0F/u.test(grapheme)

const BLANKS = /[ \t\n\v\f\r\u0085\u1680\u2000-\u2006\u2008-\u200A\u2028\u2029\u205F\u3000]+/g

/** Characters without a form of their own. Fonts need not have them; HarfBuzz lets them vanish. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

/**
 * Controls, and invisible characters that change nothing for the better on paper: overrides and embeddings of
 * direction would reach past their text, and lines are not hyphenated at soft hyphens. What shaping, order and line
 * breaks do need stays: joiners, direction marks, zero-width spaces, and in pictures selectors and tags.
 */
const KEPT = /[\u200B-\u200F\u061C\u2060]|\p{Variation_Selector}|[\u{E0020}-\u{E007F}]/u
const USELESS = new RegExp(`(?!${KEPT.source})[\\p{Cc}\\p{Default_Ignorable_Code_Point}]`, 'gu')
const ONLY_IN_EMOJI = /\p{Variation_Selector}|[\u{E0020}-\u{E007F}]/gu

/** A mark with no letter to stand on. Unicode shows it on a dotted circle, so that it touches no neighbour. */
const LONE_MARK = /(?<=^| )(?=\p{M})/gu
const DOTTED_CIRCLE = '\u25CC'

/** Marks piled on one letter until they run into the lines above: no script writes so many. */
const PILED_MARKS = /\p{Mn}{5}/u

/** The code points of a grapheme that a font must have to show it. */
export const visibleCodePoints = (grapheme: string): number[] =>
  Array.from(grapheme.replace(INVISIBLE, ''), (character) => character.codePointAt(0) ?? 0)

export interface Printable {
  readonly text: string
  /** the graphemes that a replacement mark stands for, in the order of the text */
  readonly missing: readonly string[]
}

/**
 * `text` in Unicode's composed form (NFC), blanks as one space each, and each grapheme that nothing `shows` as one
 * replacement mark. A no-break space stays: it keeps a number with its unit.
 */
export function printable(text: string, shows: (grapheme: string) => boolean): Printable {
  const plain = text
    .toWellFormed()
    .normalize('NFC')
    .replace(BLANKS, ' ')
    .replace(USELESS, '')
    .trim()
    .replace(LONE_MARK, DOTTED_CIRCLE)
  const missing: string[] = []
  const shown = graphemesOf(plain).map((grapheme) => {
    const kept = isEmoji(grapheme) ? grapheme : grapheme.replace(ONLY_IN_EMOJI, '')
    if (!PILED_MARKS.test(kept) && shows(kept)) return kept
    missing.push(grapheme)
    return REPLACEMENT
  })
  const joined = shown.join('').trim()
  return { text: visibleCodePoints(joined).length === 0 ? '' : joined, missing }
}
