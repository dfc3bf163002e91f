import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Burst, LEAST, SILENCE } from '../../../../renderer/src/scanner/burst.ts'
import { digits, people, scanners, times } from './pace.ts'

const strokesOf = (text: string, at: readonly number[]) =>
  Array.from(text, (key, place) => ({ at: at[place] ?? 0, key, code: `Digit${key}`, shift: false }))

describe('a scanner', () => {
  test('is known at its sixth character, whatever its pace, and all of it is what it read', () => {
    fc.assert(
      fc.property(digits(LEAST, 40), scanners, (text, gaps) => {
        const burst = new Burst()
        const verdicts = strokesOf(text, times(text.length, gaps)).map((stroke) => burst.take(stroke))
        expect(verdicts.slice(0, LEAST)).toEqual(['first', 'maybe', 'maybe', 'maybe', 'maybe', 'known'])
        expect(verdicts.slice(LEAST).every((verdict) => verdict === 'scan')).toBe(true)
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
    const burst = new Burst()
    for (const stroke of strokesOf('123456', [0, 10, 20, 30, 40, 50])) burst.take(stroke)
    expect(burst.take({ at: 50 + SILENCE, key: '7', code: 'Digit7', shift: false })).toBe('scan')
    expect(burst.continues(50 + 2 * SILENCE + 1)).toBe(false)
  })
})

describe('a person', () => {
  test('is never taken for a scanner, however fast, with rollover and all', () => {
    fc.assert(
      fc.property(digits(1, 40), people, (text, gaps) => {
        const burst = new Burst()
        for (const stroke of strokesOf(text, times(text.length, gaps))) burst.take(stroke)
        expect([burst.known, burst.end()]).toEqual([false, []])
      }),
      { numRuns: 1000 }
    )
  })
})

test('a new burst begins after the pause, and knows nothing of the one before', () => {
  const burst = new Burst()
  for (const stroke of strokesOf('12345', [0, 10, 20, 30, 40])) burst.take(stroke)
  expect(burst.take({ at: 200, key: '6', code: 'Digit6', shift: false })).toBe('first')
  expect(burst.end()).toEqual([])
})
