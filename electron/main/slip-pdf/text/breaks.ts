/** Where a line may end. */
import LineBreaker from 'linebreak'
import { graphemesOf } from './characters.ts'
import { WITHOUT_SPACES } from './scripts.ts'

const words = new Intl.Segmenter('th', { granularity: 'word' })

const HANGUL_BEFORE = /\p{Script=Hangul}$/u
const HANGUL_AFTER = /^\p{Script=Hangul}/u

/**
 * Places, as UTF-16 offsets into `text`, where a line may end by UAX 14. In Thai, Lao, Khmer and Burmese a dictionary
 * adds the ends of words; in Korean, as its readers expect, only spaces separate words.
 */
export function lineBreaks(text: string): ReadonlySet<number> {
  const places = new Set<number>()
  const breaker = new LineBreaker(text)
  for (let found = breaker.nextBreak(); found !== null; found = breaker.nextBreak()) {
    const { position } = found
    const insideWord = HANGUL_BEFORE.test(text.slice(0, position)) && HANGUL_AFTER.test(text.slice(position))
    if (!insideWord) places.add(position)
  }
  if (!WITHOUT_SPACES.test(text)) return places
  for (const { index } of words.segment(text)) {
    const between = WITHOUT_SPACES.test(text.charAt(index - 1)) && WITHOUT_SPACES.test(text.charAt(index))
    if (between) places.add(index)
  }
  return places
}

/** Where a line may end in need: between what a reader sees as characters. Sorted. */
export function graphemeEnds(text: string): number[] {
  let end = 0
  return graphemesOf(text).map((grapheme) => (end += grapheme.length))
}
