/** The paces of people and of scanners, for properties: see renderer/src/scanner/README.md for where they come from. */
import fc from 'fast-check'

/** Digits, as many as `least` to `most`. */
export const digits = (least: number, most: number) =>
  fc.string({ unit: fc.constantFrom(...Array.from('0123456789')), minLength: least, maxLength: most })

/** Gaps between the keys of a scanner, ms: a pace of its own, a little uneven. */
export const scanners = fc
  .integer({ min: 1, max: 28 })
  .chain((pace) =>
    fc.array(fc.integer({ min: Math.max(0, pace - 6), max: pace + 6 }), { minLength: 64, maxLength: 64 })
  )

/**
 * Gaps between the keys of a person at their fastest, ms. Up to three fingers of a hand may come down in one roll, 5
 * to 40 ms apart; then the hand has to lift: 60 ms and more.
 */
export const people = fc
  .array(
    fc.tuple(
      fc.array(fc.integer({ min: 5, max: 40 }), { minLength: 0, maxLength: 2 }),
      fc.integer({ min: 60, max: 400 })
    ),
    { minLength: 64, maxLength: 64 }
  )
  .map((rolls) => rolls.flatMap(([roll, lift]) => [...roll, lift]))

/** When each of `count` keys goes down, ms. */
export const times = (count: number, gaps: readonly number[]): readonly number[] => {
  let at = 1000
  return Array.from({ length: count }, (_, place) => {
    if (place > 0) at += gaps[place - 1] ?? 100
    return at
  })
}
