import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shiftDay } from '../../../../electron/service/domain/days.ts'
import type { EntryKind } from '../../../../electron/service/domain/ledger.ts'
import {
  expiryText,
  firstDayUntil,
  monthsAfter,
  parseExpiry
} from '../../../../electron/service/domain/last-days.ts'
import { Lots, type LotEntry, type LotMerge } from '../../../../electron/service/domain/lots.ts'

/** An entry by its id, kind, points and day, and what else differs from a customer 1 whose points do not end. */
type Line = readonly [string, EntryKind, number, string, Partial<LotEntry>?]

const replay = (lines: readonly Line[], merges: readonly LotMerge[] = []): Lots =>
  new Lots(merges).add(
    lines.map(([id, kind, points, day, more = {}], index) => ({
      ...{ id, kind, points, at: `${day}T12:00:00.000Z`, entry: index + 1, customer: 1 },
      ...{ expiry: null, reverses: null, lot: null, purchase: null },
      ...more
    }))
  )

/** What each lot has left, and its last day. */
const left = (lots: Lots) =>
  Object.fromEntries(lots.all.map((lot) => [lot.id, [lot.left, lot.lastDay] as const]))

const earned = (months: number) => ({ expiry: `earned ${String(months)}` })
const visit = (months: number) => ({ expiry: `visit ${String(months)}` })

describe('the last day', () => {
  it.each([
    ['2027-01-15', 1, '2027-02-15'],
    ['2027-01-31', 1, '2027-02-28'],
    ['2028-01-31', 1, '2028-02-29'],
    ['2028-02-29', 12, '2029-02-28'],
    ['2027-02-28', 12, '2028-02-28'],
    ['2026-12-31', 2, '2027-02-28'],
    ['2026-08-31', 13, '2027-09-30'],
    ['2026-11-30', 120, '2036-11-30']
  ])('of %s and %i months is %s', (day, months, last) => {
    expect(monthsAfter(day, months)).toBe(last)
  })

  it('has a first day from which it is reached', () => {
    expect(firstDayUntil('2027-02-28', 1)).toBe('2027-01-28')
    expect(firstDayUntil('2027-03-31', 1)).toBe('2027-03-01')
    fc.assert(
      fc.property(fc.nat(4000), fc.integer({ min: 1, max: 120 }), (days, months) => {
        const day = shiftDay('2026-01-01', days)
        const first = firstDayUntil(day, months)
        expect(monthsAfter(first, months) >= day).toBe(true)
        expect(monthsAfter(shiftDay(first, -1), months) < day).toBe(true)
      })
    )
  })

  it('is kept as a text, and another text is none', () => {
    for (const since of ['earned', 'visit'] as const)
      expect(parseExpiry(expiryText({ since, months: 12 }))).toEqual({ since, months: 12 })
    expect(parseExpiry('first 12')).toBeNull()
    expect(left(replay([['a', 'credited', 5, '2026-01-01', { expiry: 'first 12' }]]))).toEqual({
      a: [5, null]
    })
  })
})

describe('what is taken', () => {
  it('is first what ends first, then what came first, and at last what never ends', () => {
    const lots: readonly Line[] = [
      ['never', 'credited', 10, '2026-01-01'],
      ['late', 'credited', 10, '2026-01-02', earned(12)],
      ['same', 'credited', 10, '2026-03-02', earned(10)],
      ['soon', 'credited', 10, '2026-03-01', earned(1)]
    ]
    const after = (points: number) => left(replay([...lots, ['x', 'redeemed', -points, '2026-03-03']]))
    expect(after(10)).toMatchObject({ soon: [0, '2026-04-01'], late: [10, '2027-01-02'] })
    expect(after(15)).toMatchObject({
      soon: [0, '2026-04-01'],
      late: [5, '2027-01-02'],
      same: [10, '2027-01-02']
    })
    expect(after(25)).toMatchObject({ late: [0, '2027-01-02'], same: [5, '2027-01-02'], never: [10, null] })
    expect(after(33)).toMatchObject({ same: [0, '2027-01-02'], never: [7, null] })
  })

  it('by a return is first of its own purchase, then in order, and the rest is a debt that later points pay', () => {
    const lines: readonly Line[] = [
      ['a', 'credited', 10, '2026-01-01', earned(1)],
      ['b', 'credited', 10, '2026-01-02', earned(2)],
      ['r', 'returned', -12, '2026-01-03', { purchase: 'b' }]
    ]
    expect(left(replay(lines))).toEqual({ a: [8, '2026-02-01'], b: [0, '2026-03-02'] })
    const returned = replay([...lines, ['s', 'returned', -10, '2026-01-04', { purchase: 'a' }]])
    expect([returned.debt, returned.balance, left(returned)['a']]).toEqual([2, -2, [0, '2026-02-01']])
    const paid = replay([
      ...lines,
      ['s', 'returned', -10, '2026-01-04', { purchase: 'a' }],
      ['c', 'adjusted', 5, '2026-01-05', earned(3)]
    ])
    expect([paid.debt, paid.balance, left(paid)['c']]).toEqual([0, 3, [3, '2026-04-05']])
    expect(paid.all.at(-1)?.brought).toBe(5)
  })

  it('by a reversal is first of what it takes back', () => {
    const lots = replay([
      ['a', 'credited', 10, '2026-01-01', earned(1)],
      ['b', 'credited', 10, '2026-01-02', earned(2)],
      ['x', 'redeemed', -3, '2026-01-03'],
      ['y', 'reversed', -10, '2026-01-04', { reverses: 'b' }]
    ])
    expect(left(lots)).toEqual({ a: [7, '2026-02-01'], b: [0, '2026-03-02'] })
  })
})

describe('what is given back', () => {
  const spent: readonly Line[] = [
    ['a', 'credited', 10, '2026-01-31', earned(1)],
    ['b', 'credited', 10, '2026-01-31', earned(2)],
    ['x', 'redeemed', -15, '2026-02-10']
  ]
  it.each(['redeemed', 'adjusted'] as const)('of %s points goes to the same lots', (kind) => {
    const lines = spent.map((line): Line => (line[0] === 'x' ? ['x', kind, -15, '2026-02-10'] : line))
    const reversed = replay([...lines, ['y', 'reversed', 15, '2026-02-28', { reverses: 'x', ...earned(6) }]])
    expect(left(reversed)).toEqual({ a: [10, '2026-02-28'], b: [10, '2026-03-31'] })
  })

  it('is a lot of the reversal where its own has ended', () => {
    const reversed = replay([...spent, ['y', 'reversed', 15, '2026-03-01', { reverses: 'x', ...earned(6) }]])
    expect(left(reversed)).toEqual({
      ...{ a: [0, '2026-02-28'], b: [10, '2026-03-31'], y: [10, '2026-09-01'] }
    })
    expect(reversed.balance).toBe(20)
  })

  it('is a lot of the reversal where its own has expired, by whichever clock', () => {
    const reversed = replay([
      ['a', 'credited', 10, '2026-01-31', earned(1)],
      ['x', 'redeemed', -4, '2026-02-10'],
      ['e', 'expired', -6, '2026-03-02', { lot: 'a' }],
      ['y', 'reversed', 4, '2026-02-27', { reverses: 'x' }]
    ])
    expect(left(reversed)).toEqual({ a: [0, null], y: [4, null] })
    expect(reversed.hasEndedEarly).toBe(false)
  })

  it('pays first what was returned after it was spent', () => {
    const reversed = replay([
      ['a', 'credited', 10, '2026-01-01', earned(12)],
      ['x', 'redeemed', -10, '2026-01-02'],
      ['r', 'returned', -4, '2026-01-03', { purchase: 'a' }],
      ['y', 'reversed', 10, '2026-01-04', { reverses: 'x' }]
    ])
    expect([reversed.debt, left(reversed)]).toEqual([0, { a: [6, '2027-01-01'] }])
  })
})

describe('since the last visit', () => {
  it('counts for all lots of the rule from what a customer does in the shop', () => {
    const lines: readonly Line[] = [
      ['a', 'credited', 10, '2026-01-01', visit(2)],
      ['b', 'adjusted', 10, '2026-01-20', visit(2)],
      ['c', 'welcomed', 10, '2026-01-20', earned(2)]
    ]
    expect(left(replay(lines))).toEqual({
      ...{ a: [10, '2026-03-01'], b: [10, '2026-03-20'], c: [10, '2026-03-20'] }
    })
    const visited = replay([...lines, ['x', 'redeemed', 0, '2026-02-05'], ['d', 'adjusted', 1, '2026-02-07']])
    expect(left(visited)).toMatchObject({
      a: [10, '2026-04-05'],
      b: [10, '2026-04-05'],
      c: [10, '2026-03-20']
    })
  })

  it('never ends earlier by a clock that was set back', () => {
    const lots = replay([
      ['a', 'credited', 10, '2026-02-01', visit(1)],
      ['b', 'collected', 10, '2026-01-01', visit(1)]
    ])
    expect(left(lots)).toEqual({ a: [10, '2026-03-01'], b: [10, '2026-03-01'] })
  })
})

describe('customers who were merged', () => {
  const lines: readonly Line[] = [
    ['a', 'credited', 10, '2026-01-01', { customer: 1, ...earned(2) }],
    ['b', 'credited', 10, '2026-01-01', { customer: 2, ...earned(1) }],
    ['x', 'redeemed', -4, '2026-01-02', { customer: 1 }],
    ['y', 'redeemed', -9, '2026-01-03', { customer: 1 }]
  ]

  it('spend together from the merge on', () => {
    expect(left(replay(lines, [{ customer: 2, into: 1, entry: 3 }]))).toEqual({
      ...{ a: [6, '2026-03-01'], b: [1, '2026-02-01'] }
    })
    // From the first entry on, as one that was merged by an earlier release.
    expect(left(replay(lines, [{ customer: 2, into: 1, entry: 0 }]))).toEqual({
      ...{ a: [7, '2026-03-01'], b: [0, '2026-02-01'] }
    })
  })

  it('pay what one of them owes, and are one with those merged before', () => {
    const merged = replay(
      [
        ['a', 'credited', 10, '2026-01-01', { customer: 1 }],
        ['x', 'redeemed', -10, '2026-01-01', { customer: 1 }],
        ['r', 'returned', -10, '2026-01-02', { customer: 1, purchase: 'a' }],
        ['b', 'credited', 6, '2026-01-01', { customer: 2 }],
        ['c', 'credited', 6, '2026-01-01', { customer: 3 }]
      ],
      [
        { customer: 1, into: 2, entry: 4 },
        { customer: 2, into: 3, entry: 5 }
      ]
    )
    expect([merged.debt, left(merged)]).toEqual([0, { a: [0, null], b: [0, null], c: [2, null] }])
  })
})

it('owes once what is owed after a merge', () => {
  const merged = replay(
    [
      ['a', 'credited', 10, '2026-01-01', { customer: 2 }],
      ['x', 'redeemed', -10, '2026-01-01', { customer: 2 }],
      ['b', 'credited', 3, '2026-01-01', { customer: 1 }],
      ['r', 'returned', -10, '2026-01-02', { customer: 1, purchase: 'a' }]
    ],
    [{ customer: 2, into: 1, entry: 3 }]
  )
  expect([merged.debt, merged.balance]).toEqual([7, -7])
})

describe('what ends', () => {
  const lots = replay([
    ['a', 'credited', 10, '2026-01-01', earned(1)],
    ['b', 'credited', 20, '2026-01-02', earned(2)],
    ['c', 'credited', 30, '2026-01-02', earned(2)],
    ['d', 'credited', 40, '2026-01-02'],
    ['x', 'redeemed', -4, '2026-01-02']
  ])

  it('is due behind its last day', () => {
    expect(lots.endedBefore('2026-02-01')).toEqual([])
    expect(lots.endedBefore('2026-02-02').map(({ id, left: points }) => [id, points])).toEqual([['a', 6]])
    expect(lots.endedBefore('2026-03-03').map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  })

  it('is announced with all that ends on the same day, unless the day is over', () => {
    expect(lots.ending('2026-02-01')).toEqual({ points: 6, lastDay: '2026-02-01' })
    expect(lots.ending('2026-02-02')).toEqual({ points: 50, lastDay: '2026-03-02' })
    expect(lots.ending('2026-03-03')).toBeNull()
  })

  it('takes elsewhere what another change had taken from the lot, whose rest does not end any more', () => {
    const entries: readonly Line[] = [
      ['a', 'credited', 10, '2026-01-01', earned(1)],
      ['b', 'credited', 10, '2026-01-01', earned(12)],
      ['x', 'redeemed', -4, '2026-02-03'],
      ['e', 'expired', -10, '2026-02-03', { lot: 'a' }]
    ]
    expect(left(replay(entries))).toEqual({ a: [0, null], b: [6, '2027-01-01'] })
    const part: readonly Line[] = [...entries.slice(0, 2), ['e', 'expired', -7, '2026-02-03', { lot: 'a' }]]
    expect(left(replay(part))).toEqual({ a: [3, null], b: [10, '2027-01-01'] })
  })

  it.each([
    ['on the last day', 'a', '2026-02-01', true],
    ['behind it', 'a', '2026-02-02', false],
    ['of points that do not end', 'd', '2036-02-02', true],
    ['of no lot', 'none', '2036-02-02', true]
  ])('is seen to end early: %s', (_, lot, day, isEarly) => {
    const expired = replay([
      ['a', 'credited', 10, '2026-01-01', earned(1)],
      ['d', 'credited', 10, '2026-01-01'],
      ['e', 'expired', -5, day, { lot }]
    ])
    expect([expired.hasEndedEarly, expired.balance]).toEqual([isEarly, 15])
  })
})
