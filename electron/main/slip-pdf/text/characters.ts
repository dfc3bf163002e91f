/** Normalizes any text to one that the fonts can show: nothing throws later, and nothing disappears silently. */

/** Replaces a character that no font has; Noto Sans draws it as a question mark in a diamond. */
const REPLACEMENT = '\uFFFD'

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** Splits a text into user-perceived characters. */
export const graphemesOf = (text: string): string[] =>
  Array.from(graphemes.segment(text), (part) => part.segment)

/** True for emoji: by default presentation, by a variation selector, or as a sequence. */
export const isEmoji = (grapheme: string): boolean => /\p{Emoji_Presentation}|\p{Emoji}\uFE0F/u.test(grapheme)

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
