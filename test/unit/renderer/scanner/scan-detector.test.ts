import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ScanDetector,
  MIN_SCAN_LENGTH,
  SCAN_END_GAP_MS
} from '../../../../renderer/src/scanner/scan-detector.ts'
import { digits, personGaps, scannerGaps, strokeTimes } from './key-strokes.ts'

const strokesOf = (text: string, at: readonly number[]) =>
  Array.from(text, (key, place) => ({ at: at[place] ?? 0, key, code: `Digit${key}`, shift: false }))

describe('ScanDetector with the key gaps of a scanner', () => {
  test('detects the scan at the sixth character and returns all characters', () => {
    fc.assert(
      fc.property(digits(MIN_SCAN_LENGTH, 40), scannerGaps, (text, gaps) => {
        const detector = new ScanDetector()
        const verdicts = strokesOf(text, strokeTimes(text.length, gaps)).map((stroke) =>
          detector.take(stroke)
        )
        expect(verdicts.slice(0, MIN_SCAN_LENGTH)).toEqual([
          'first',
          'maybe',
          'maybe',
          'maybe',
          'maybe',
          'known'
        ])
        expect(verdicts.slice(MIN_SCAN_LENGTH).every((verdict) => verdict === 'scan')).toBe(true)
        expect(detector.end().map((reading) => reading.map(({ key }) => key).join(''))).toEqual([text])
      })
    )
  })

  test('keeps one scan together across a pause after detection', () => {
    const detector = new ScanDetector()
    for (const stroke of strokesOf('123456', [0, 10, 20, 30, 40, 50])) detector.take(stroke)
    expect(detector.take({ at: 50 + SCAN_END_GAP_MS, key: '7', code: 'Digit7', shift: false })).toBe('scan')
    expect(detector.continues(50 + 2 * SCAN_END_GAP_MS + 1)).toBe(false)
  })

  test('may start with the first key, or with the late one', () => {
    const detector = new ScanDetector()
    const verdicts = strokesOf('6900000199', [0, 70, 75, 80, 85, 90, 95, 100, 105, 110]).map((stroke) =>
      detector.take(stroke)
    )
    expect(verdicts.indexOf('known')).toBe(6)
    expect(detector.end().map(({ length }) => length)).toEqual([10, 9])
  })
})

describe('ScanDetector with the key gaps of a person', () => {
  test('never detects a scan, not even with fast key rollover', () => {
    fc.assert(
      fc.property(digits(1, 40), personGaps, (text, gaps) => {
        const detector = new ScanDetector()
        for (const stroke of strokesOf(text, strokeTimes(text.length, gaps))) detector.take(stroke)
        expect(detector.known).toBe(false)
        expect(detector.end()).toEqual([])
      }),
      { numRuns: 1000 }
    )
  })
})

test('starts a new detector after a pause and drops the characters before it', () => {
  const detector = new ScanDetector()
  for (const stroke of strokesOf('12345', [0, 10, 20, 30, 40])) detector.take(stroke)
  expect(detector.take({ at: 41 + SCAN_END_GAP_MS, key: '6', code: 'Digit6', shift: false })).toBe('first')
  expect(detector.end()).toEqual([])
})
