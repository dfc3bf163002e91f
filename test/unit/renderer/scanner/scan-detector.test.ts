import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ScanDetector,
  MIN_SCAN_LENGTH,
  SCAN_END_GAP_MS
} from '../../../../renderer/src/scanner/scan-detector.ts'
import { digits, people, scanners, times } from './key-strokes.ts'

const strokesOf = (text: string, at: readonly number[]) =>
  Array.from(text, (key, place) => ({ at: at[place] ?? 0, key, code: `Digit${key}`, shift: false }))

describe('a scanner', () => {
  test('is known at its sixth character, whatever its pace, and all of it is what it read', () => {
    fc.assert(
      fc.property(digits(MIN_SCAN_LENGTH, 40), scanners, (text, gaps) => {
        const burst = new ScanDetector()
        const verdicts = strokesOf(text, times(text.length, gaps)).map((stroke) => burst.take(stroke))
        expect(verdicts.slice(0, MIN_SCAN_LENGTH)).toEqual([
          'first',
          'maybe',
          'maybe',
          'maybe',
          'maybe',
          'known'
        ])
        expect(verdicts.slice(MIN_SCAN_LENGTH).every((verdict) => verdict === 'scan')).toBe(true)
        expect(
          burst
            .end()
            .map(({ key }) => key)
            .join('')
        ).toBe(text)
      })
    )
  })

  test('that hesitates once it is known still reads one thing', () => {
    const burst = new ScanDetector()
    for (const stroke of strokesOf('123456', [0, 10, 20, 30, 40, 50])) burst.take(stroke)
    expect(burst.take({ at: 50 + SCAN_END_GAP_MS, key: '7', code: 'Digit7', shift: false })).toBe('scan')
    expect(burst.continues(50 + 2 * SCAN_END_GAP_MS + 1)).toBe(false)
  })
})

describe('a person', () => {
  test('is never taken for a scanner, however fast, with rollover and all', () => {
    fc.assert(
      fc.property(digits(1, 40), people, (text, gaps) => {
        const burst = new ScanDetector()
        for (const stroke of strokesOf(text, times(text.length, gaps))) burst.take(stroke)
        expect(burst.known).toBe(false)
        expect(burst.end()).toEqual([])
      }),
      { numRuns: 1000 }
    )
  })
})

test('a new burst begins after the pause, and knows nothing of the one before', () => {
  const burst = new ScanDetector()
  for (const stroke of strokesOf('12345', [0, 10, 20, 30, 40])) burst.take(stroke)
  expect(burst.take({ at: 200, key: '6', code: 'Digit6', shift: false })).toBe('first')
  expect(burst.end()).toEqual([])
})
