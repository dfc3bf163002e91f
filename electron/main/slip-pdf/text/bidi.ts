/** Right and left in one text, by the Unicode bidirectional algorithm (UAX 9). */
import createBidi from 'bidi-js'

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
