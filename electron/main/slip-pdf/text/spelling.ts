/**
 * What the glyphs of a run are copied out as. A PDF has its characters in the order they are seen, and its readers
 * turn what was written from right to left round again, character by character.
 */
import { isRightward, mirrored } from './bidi.ts'
import type { Run } from './line.ts'
import type { Glyph } from './shape.ts'

/** Glyphs that stand together for `text`. */
export interface Spelled {
  readonly glyphs: readonly Glyph[]
  /** in the order it is read */
  readonly text: string
  /** as a reader of the PDF expects it for these glyphs */
  readonly seen: string
}

const asSeen = (text: string, rightward: boolean): string =>
  rightward ? text : Array.from(text, mirrored).reverse().join('')

/** The clusters of a run of `source` from left to right. */
export function spell({ glyphs, end, level }: Run, source: string): Spelled[] {
  const starts = [...new Set(glyphs.map(({ cluster }) => cluster))].sort((one, other) => one - other)
  const ends = new Map(starts.map((start, index) => [start, starts[index + 1] ?? end]))
  const members = Map.groupBy(glyphs, ({ cluster }) => cluster)
  return Array.from(members, ([cluster, together]) => {
    const text = source.slice(cluster, ends.get(cluster))
    return { glyphs: together, text, seen: asSeen(text, isRightward(level)) }
  })
}
