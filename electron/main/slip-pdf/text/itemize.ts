/** Cuts a text into stretches that can be shaped at once: one font, one script, one direction. */
import { isRightward, levelsOf } from './bidi.ts'
import { graphemesOf, isEmoji, visibleCodePoints } from './characters.ts'
import type { Covers } from './coverage.ts'
import { familyOrder, type Family, type HanStyle } from './families.ts'
import { styleOfText } from './han.ts'
import { COMMON_SCRIPT, scriptOf } from './scripts.ts'

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
