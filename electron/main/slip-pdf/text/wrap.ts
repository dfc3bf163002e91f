/** Breaks a paragraph into lines. */
import { graphemeEnds, lineBreaks } from './breaks.ts'
import type { TextLine } from './line.ts'
import type { Paragraph } from './paragraph.ts'

export interface WrapOptions {
  /** dots */
  readonly width: number
  /** what does not fit into so many lines is cut, and the last one ends with an ellipsis */
  readonly mostLines: number
}

const ELLIPSIS = '…'

/** `end` without the spaces before it: they hang over the edge of a line unseen. */
function withoutSpaces(text: string, start: number, end: number): number {
  while (end > start && text.charAt(end - 1) === ' ') end--
  return end
}

/** The places from `start` on whose text, by its advances, is no wider than `width`. */
function reachable({ text, advances }: Paragraph, start: number, width: number): number {
  let used = 0
  let end = start
  while (end < text.length) {
    used += advances[end] ?? 0
    if (used > width && text.charAt(end) !== ' ') break
    end++
  }
  return end
}

/**
 * The widest line from `start` on: up to the last of `places` that fits, or null when none does. Ink may reach past
 * the advances, and shapes change where a text is cut, so each candidate is set before it counts.
 */
function widest(
  paragraph: Paragraph,
  places: readonly number[],
  start: number,
  width: number
): { line: TextLine; next: number } | null {
  const limit = reachable(paragraph, start, width)
  for (let index = places.length - 1; index >= 0; index--) {
    const next = places[index] ?? 0
    if (next <= start) return null
    if (next > limit) continue
    const line = paragraph.line(start, withoutSpaces(paragraph.text, start, next))
    if (line.width <= width) return { line, next }
  }
  return null
}

/** The line from `start` on that is cut and ends with an ellipsis. */
function cut(
  paragraph: Paragraph,
  graphemes: readonly number[],
  start: number,
  width: number,
  remake: (text: string) => Paragraph
): TextLine {
  const limit = reachable(paragraph, start, width)
  const ends = graphemes.filter((end) => end > start && end <= limit)
  for (const end of ends.reverse()) {
    const text = paragraph.text.slice(0, withoutSpaces(paragraph.text, start, end)) + ELLIPSIS
    const line = remake(text).line(start, text.length)
    if (line.width <= width) return line
  }
  return remake(ELLIPSIS).line(0, ELLIPSIS.length)
}

/**
 * Lines no wider than asked: broken where the text allows it, in need between graphemes; a single grapheme that is
 * wider stands alone. `remake` makes the paragraph of a changed text.
 */
export function wrapParagraph(
  paragraph: Paragraph,
  { width, mostLines }: WrapOptions,
  remake: (text: string) => Paragraph
): TextLine[] {
  const { text } = paragraph
  const graphemes = graphemeEnds(text)
  const breaks = lineBreaks(text)
  const places = graphemes.filter((end) => breaks.has(end) || end === text.length)
  const lines: TextLine[] = []
  let start = 0
  while (start < text.length) {
    if (lines.length + 1 === mostLines) {
      const rest = widest(paragraph, [text.length], start, width)
      return [...lines, rest?.line ?? cut(paragraph, graphemes, start, width, remake)]
    }
    const found =
      widest(paragraph, places, start, width) ?? widest(paragraph, graphemes, start, width) ?? alone(start)
    lines.push(found.line)
    start = found.next
    while (text.charAt(start) === ' ') start++
  }
  return lines

  function alone(from: number): { line: TextLine; next: number } {
    const next = graphemes.find((end) => end > from) ?? text.length
    return { line: paragraph.line(from, next), next }
  }
}
