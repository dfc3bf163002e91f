/** Generators of key timings for property tests. The numbers come from renderer/src/scanner/README.md. */
import fc from 'fast-check'

/** Generates strings of `min` to `max` digits. */
export const digits = (min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...Array.from('0123456789')), minLength: min, maxLength: max })

/** Gaps between the keys of a scanner, in ms: one pace per scanner, with a small jitter. */
export const scannerGaps = fc
  .integer({ min: 1, max: 28 })
  .chain((pace) =>
    fc.array(fc.integer({ min: Math.max(0, pace - 6), max: pace + 6 }), { minLength: 64, maxLength: 64 })
  )

/**
 * Gaps between the keys of a fast typist, in ms: rollover of up to three keys 5 to 40 ms apart, then 60 ms or more.
 */
export const personGaps = fc
  .array(
    fc.tuple(
      fc.array(fc.integer({ min: 5, max: 40 }), { minLength: 0, maxLength: 2 }),
      fc.integer({ min: 60, max: 400 })
    ),
    { minLength: 64, maxLength: 64 }
  )
  .map((rolls) => rolls.flatMap(([roll, lift]) => [...roll, lift]))

/** Returns the time of each of `count` key presses, in ms. */
export const strokeTimes = (count: number, gaps: readonly number[]): readonly number[] => {
  let at = 1000
  return Array.from({ length: count }, (_, index) => {
    if (index > 0) at += gaps[index - 1] ?? 100
    return at
  })
}
