import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  nextReturn,
  NOTHING_RETURNED,
  type ReturnedPart
} from '../../../../electron/service/domain/returns.ts'

const purchase = (points: number) => ({ points, returned: 0, part: NOTHING_RETURNED })
const amount = (returned: string, total: string): ReturnedPart => ({ amount: { returned, total } })

/** What each part takes. */
const taken = (points: number, parts: readonly ReturnedPart[]): readonly number[] => {
  let state = purchase(points)
  return parts.map((part) => {
    const { taken: now, ...next } = nextReturn(state, part)
    state = next
    return now
  })
}

it('rounds the sum of the parts down, and ends at all points', () => {
  expect(
    taken(
      100,
      [1, 2, 3].map(() => amount('1.00', '3'))
    )
  ).toEqual([33, 33, 34])
  expect(taken(10, [{ points: 4 }, amount('12.06', '20.10')])).toEqual([4, 6])
  expect(taken(45, [amount('12.50', '45.20'), amount('32.7', '45.20')])).toEqual([12, 33])
  expect(taken(10, [amount('1', '3'), { points: 2 }, { rest: true }])).toEqual([3, 2, 5])
  expect(taken(7, [{ rest: true }])).toEqual([7])
  expect(taken(1, [amount('0.01', '100'), amount('99.99', '100.00')])).toEqual([0, 1])
  // The points that remain after a part that was rounded.
  expect(taken(10, [amount('1', '3'), { points: 7 }])).toEqual([3, 7])
  // No float: 0.1 + 0.2 is 0.3.
  expect(taken(9_999_999, [amount('0.1', '0.3'), amount('0.2', '0.3')])).toEqual([3_333_333, 6_666_666])
})

it('refuses more than remains, and all where nothing remains', () => {
  const tooMuch = { reason: 'return-too-much', details: { remaining: 40 } }
  const { taken: now, ...state } = nextReturn(purchase(100), { points: 60 })
  expect(now).toBe(60)
  for (const part of [{ points: 41 }, amount('4.01', '10'), amount('11', '10')])
    expect(() => nextReturn(state, part)).toThrow(expect.objectContaining(tooMuch))
  const { taken: rest, ...all } = nextReturn(state, amount('4', '10'))
  expect(rest).toBe(40)
  for (const part of [{ points: 1 }, amount('0.01', '10'), { rest: true } as const])
    expect(() => nextReturn(all, part)).toThrow(expect.objectContaining({ reason: 'purchase-returned' }))
})

it('takes nothing that has expired', () => {
  const part = { points: 100, returned: 20, part: '1/5', expired: 50 }
  expect(nextReturn(part, { rest: true })).toMatchObject({
    taken: 30,
    returned: 50,
    part: '1/1',
    remaining: 0
  })
  expect(nextReturn(part, amount('3', '10'))).toMatchObject({ taken: 30, returned: 50, part: '1/2' })
  expect(nextReturn(part, amount('1', '10'))).toMatchObject({ taken: 10, returned: 30, remaining: 20 })
  expect(nextReturn(part, amount('8', '10'))).toMatchObject({ taken: 30, returned: 50, remaining: 0 })
  expect(() => nextReturn(part, { points: 31 })).toThrow(
    expect.objectContaining({ reason: 'return-too-much', details: { remaining: 30 } })
  )
  // More than it gave: points that were given back to it have expired, too.
  expect(() => nextReturn({ ...part, expired: 100 }, { rest: true })).toThrow(
    expect.objectContaining({ reason: 'purchase-returned' })
  )
})

it('takes every point once, whatever the parts of the bill and their order', () => {
  const lines = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9_999_999 }), lines, (points, cents) => {
      const sum = cents.reduce((one, other) => one + other, 0)
      const decimal = (value: number) =>
        `${String(Math.floor(value / 100))}.${String(value % 100).padStart(2, '0')}`
      const state = purchase(points)
      let [returned, part] = [state.returned, state.part]
      for (const line of cents) {
        // Rounding takes the last point with one of the last parts.
        if (returned === points) break
        const next = nextReturn({ points, returned, part }, amount(decimal(line), decimal(sum)))
        expect(next.taken).toBeGreaterThanOrEqual(0)
        expect(next.taken).toBe(next.returned - returned)
        ;[returned, part] = [next.returned, next.part]
      }
      expect(returned).toBe(points)
    })
  )
})
