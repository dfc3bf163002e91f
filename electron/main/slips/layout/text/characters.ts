/** Makes any text one that the fonts can show: nothing throws later, and nothing disappears silently. */

/** Stands for a character that no font has; Noto Sans draws it as a question mark in a diamond. */
export const REPLACEMENT = '\uFFFD'

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** Splits a text into what a reader sees as characters. */
export const graphemesOf = (text: string): string[] =>
  Array.from(graphemes.segment(text), (part) => part.segment)

/**
 * Marks without a form of their own: controls, direction marks, joiners, variation selectors. They would come out
 * as boxes. The soft hyphen goes as well, since lines are not hyphenated.
 */
const INVISIBLE = /[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu

/** A mark with no letter to stand on. Unicode shows it on a dotted circle, so that it touches no neighbour. */
const LONE_MARK = /^( ?)(?=\p{M})/u
const DOTTED_CIRCLE = '\u25CC'

/** Marks piled on one letter until they run into the lines above: no script writes so many. */
const PILED_MARKS = /\p{Mn}{4}/u

/**
 * `text` in Unicode's composed form (NFC), blanks as one space each, and each grapheme that `covers` does not know
 * as one replacement mark. A no-break space stays: it keeps a number with its unit.
 */
export function printable(text: string, covers: (codePoint: number) => boolean): string {
  const plain = text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[ \t\n\v\f\r\u0085\u1680\u2000-\u2006\u2008-\u200A\u2028\u2029\u205F\u3000]+/g, ' ')
    .trim()
  return graphemesOf(plain)
    .map((grapheme) => {
      const visible = grapheme.replace(INVISIBLE, '').replace(LONE_MARK, `$1${DOTTED_CIRCLE}`)
      if (PILED_MARKS.test(visible)) return REPLACEMENT
      for (const character of visible) {
        if (!covers(character.codePointAt(0) ?? 0)) return REPLACEMENT
      }
      return visible
    })
    .join('')
}
