import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { retryAfterSeconds } from '../../../../electron/main/loyalty/retry-after.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T10:00:00.500Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

test.each([
  [null, null],
  ['', null],
  ['soon', null],
  ['-1', null],
  ['1.5', null],
  ['2026', 2026],
  ['86400', 86_400],
  ['86401', null],
  ['99999999999999999999', null],
  ['1e3', null],
  ['0', 0],
  [' 120 ', 120],
  ['Sat, 21 Nov 2026 10:00:10 GMT', 10],
  ['Saturday, 21-Nov-26 10:00:10 GMT', 10],
  ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
  ['Fri, 31 Dec 9999 23:59:59 GMT', null],
  ['Sat, never', null]
])('%j is %s', (header, seconds) => {
  expect(retryAfterSeconds(header)).toBe(seconds)
})
