/** Rules of what earns points: cases worked out by hand, what splitting a bill can bring, and many bills against plain fractions. */
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import {
  earningRuleAt,
  earningRulesSchema,
  FIRST_RULES,
  type BonusTime,
  type EarningRules
} from '../../../electron/contract/earning-rules.ts'
import {
  calculatePoints,
  ROUNDING_MODES,
  type BillAmounts
} from '../../../electron/contract/points-calculation.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import {
  ceiling,
  exactPoints,
  floor,
  plainPoints,
  randomCases,
  type Fraction,
  type ZONES
} from './plain-calculation.ts'

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7]
const WHOLE_DAY: BonusTime = {
  ...{ name: 'Bonus', factor: '2', weekdays: EVERY_DAY },
  ...{ from: '00:00', to: '00:00', firstDay: null, lastDay: null }
}
const bonusOf = (changes: Partial<BonusTime>): BonusTime => ({ ...WHOLE_DAY, ...changes })
const GOLD = { name: 'Gold', from: 100, factor: '1.75' }
const rulesOf = (changes: Partial<EarningRules>): EarningRules => ({ ...FIRST_RULES, ...changes })

/** What a bill earns, in words where it is no number. */
const earned = (
  bill: BillAmounts,
  rules: EarningRules,
  { timeZone = 'UTC', at = '2026-11-24T12:00Z' } = {}
): number | string => {
  const rule = earningRuleAt({ version: 3, timeZone, rules }, new Date(at))
  if (rule === null) throw new Error('there are no rules')
  const calculated = calculatePoints(bill, rule)
  if (!calculated.ok) return calculated.failure.kind
  const { value } = calculated
  if (value.kind !== 'points') return value.kind
  return value.isCapped ? `${String(value.points)} capped` : value.points
}

const TOBACCO = { name: 'Tobacco', factor: '0' }
const BOOKS = { name: 'Βιβλία', factor: '2.5' }

describe('points of a bill, worked out by hand', () => {
  it.each<readonly [string, BillAmounts, Partial<EarningRules>, number | string]>([
    // Euro: two decimals.
    ['45.20 × 1 = 45.2', { amount: '45.20' }, {}, 45],
    ['45.20 × 0.5 = 22.6', { amount: '45.20' }, { pointsPerUnit: '0.5' }, 22],
    ['22.6 to the nearest', { amount: '45.20' }, { pointsPerUnit: '0.5', rounding: 'nearest' }, 23],
    ['45 × 0.5 = 22.5 to the nearest', { amount: '45' }, { pointsPerUnit: '0.5', rounding: 'nearest' }, 23],
    ['22.6 up', { amount: '45.20' }, { pointsPerUnit: '0.5', rounding: 'up' }, 23],
    ['one cent up', { amount: '0.01' }, { rounding: 'up' }, 1],
    ['one cent down', { amount: '0.01' }, {}, 'no-points'],
    ['below the smallest bill', { amount: '45.20' }, { minimum: '45.21' }, 'below-minimum'],
    ['the smallest bill', { amount: '45.20' }, { minimum: '45.2' }, 45],
    ['45 of at most 45', { amount: '45.20' }, { maximum: 45 }, 45],
    ['45 of at most 44', { amount: '45.20' }, { maximum: 44 }, '44 capped'],
    [
      '45.20 − 12.30 = 32.90',
      { amount: '45.20', groups: [{ name: 'Tobacco', amount: '12.30' }] },
      { groups: [TOBACCO, BOOKS] },
      32
    ],
    [
      'a group that the rules do not know',
      { amount: '45.20', groups: [{ name: 'tobacco', amount: '12.30' }] },
      { groups: [TOBACCO] },
      45
    ],
    [
      '22.80 + 12.30 × 0 + 10.10 × 2.5 = 48.05',
      {
        amount: '45.20',
        groups: [
          { name: 'Tobacco', amount: '12.30' },
          { name: 'Βιβλία', amount: '10.10' }
        ]
      },
      { groups: [TOBACCO, BOOKS], rounding: 'nearest' },
      48
    ],
    [
      '48.05 × 0.5 × 1.5 = 36.0375',
      {
        amount: '45.20',
        groups: [
          { name: 'Tobacco', amount: '12.30' },
          { name: 'Βιβλία', amount: '10.10' }
        ]
      },
      { groups: [TOBACCO, BOOKS], pointsPerUnit: '0.5', bonusTimes: [bonusOf({ factor: '1.5' })] },
      36
    ],
    [
      '36.0375 up, rounded once',
      {
        amount: '45.20',
        groups: [
          { name: 'Tobacco', amount: '12.30' },
          { name: 'Βιβλία', amount: '10.10' }
        ]
      },
      {
        ...{ groups: [TOBACCO, BOOKS], pointsPerUnit: '0.5', rounding: 'up' },
        bonusTimes: [bonusOf({ factor: '1.5' })]
      },
      37
    ],
    [
      'the smallest bill counts goods that earn nothing: 10 − 9 = 1',
      { amount: '10', groups: [{ name: 'Tobacco', amount: '9' }] },
      { groups: [TOBACCO], minimum: '10' },
      1
    ],
    [
      'goods that earn nothing alone, also rounded up',
      { amount: '10', groups: [{ name: 'Tobacco', amount: '10.00' }] },
      { groups: [TOBACCO], rounding: 'up' },
      'no-points'
    ],
    [
      'more goods of a group than goods',
      { amount: '10', groups: [{ name: 'Tobacco', amount: '10.01' }] },
      { groups: [TOBACCO] },
      'invalid-input'
    ],
    ['45.20 × 2 = 90.4', { amount: '45.20' }, { bonusTimes: [bonusOf({})] }, 90],
    ['90 of at most 50', { amount: '45.20' }, { bonusTimes: [bonusOf({})], maximum: 50 }, '50 capped'],
    [
      'a bonus does not lift a small bill',
      { amount: '4' },
      { bonusTimes: [bonusOf({})], minimum: '5' },
      'below-minimum'
    ],
    ['45.20 × 0.5 = 22.6', { amount: '45.20' }, { bonusTimes: [bonusOf({ factor: '0.5' })] }, 22],
    [
      'of 0.5, 3 and 2 at once 3: 135.6',
      { amount: '45.20' },
      { bonusTimes: ['0.5', '3', '2'].map((factor) => bonusOf({ factor })) },
      135
    ],
    ['more than a code carries', { amount: '9999999' }, { bonusTimes: [bonusOf({})] }, 'points-too-many'],
    ['not more with a limit', { amount: '9999999' }, { bonusTimes: [bonusOf({})], maximum: 9 }, '9 capped'],
    // Yen: no decimals.
    ['4520 × 0.01 = 45.2', { amount: '4520' }, { currency: 'JPY', pointsPerUnit: '0.01' }, 45],
    [
      '4550 × 0.01 = 45.5',
      { amount: '4550' },
      { currency: 'JPY', pointsPerUnit: '0.01', rounding: 'nearest' },
      46
    ],
    [
      '(3520 + 1000 × 2.5) × 0.01 × 2 = 120.4',
      { amount: '4520', groups: [{ name: 'Βιβλία', amount: '1000' }] },
      { currency: 'JPY', pointsPerUnit: '0.01', groups: [BOOKS], bonusTimes: [bonusOf({})] },
      120
    ],
    ['499 of at least 500', { amount: '499' }, { currency: 'JPY', minimum: '500' }, 'below-minimum'],
    // Dinar: three decimals.
    ['4.520 × 10 = 45.2', { amount: '4.520' }, { currency: 'KWD', pointsPerUnit: '10' }, 45],
    [
      '4.555 × 10 = 45.55',
      { amount: '4.555' },
      { currency: 'KWD', pointsPerUnit: '10', rounding: 'nearest' },
      46
    ],
    [
      '0.001 × 10 = 0.01 up',
      { amount: '0.001' },
      { currency: 'KWD', pointsPerUnit: '10', rounding: 'up' },
      1
    ],
    [
      '(3.519 + 1.001 × 0.5) × 10 × 1.25 = 50.24375',
      { amount: '4.520', groups: [{ name: 'Drinks', amount: '1.001' }] },
      {
        ...{ currency: 'KWD', pointsPerUnit: '10', rounding: 'up' },
        ...{ groups: [{ name: 'Drinks', factor: '0.5' }], bonusTimes: [bonusOf({ factor: '1.25' })] }
      },
      51
    ]
  ])('%s', (_worked, bill, changes, expected) => {
    expect(earned(bill, rulesOf(changes))).toBe(expected)
  })

  it('names the version, and of equal bonus times the first one', () => {
    const rules = rulesOf({ bonusTimes: [bonusOf({ name: 'First' }), bonusOf({ name: 'Second' })] })
    expect(earningRuleAt({ version: 7, timeZone: 'UTC', rules }, new Date())).toMatchObject({
      version: 7,
      factors: [{ name: 'First', factor: '2' }]
    })
    expect(earningRuleAt({ version: 8, timeZone: 'UTC', rules: null }, new Date())).toBeNull()
  })
})

/** Moments (UTC) at which a bonus time holds in a zone, and at which it does not. */
interface Times {
  readonly zone: (typeof ZONES)[number]
  readonly what: string
  readonly bonus: Partial<BonusTime>
  readonly yes: readonly string[]
  readonly no: readonly string[]
}

const TIMES: readonly Times[] = [
  {
    ...{ zone: 'Europe/Athens', what: 'Tuesdays from 17:00 to 19:00, in winter (+2) and in summer (+3)' },
    bonus: { weekdays: [2], from: '17:00', to: '19:00' },
    yes: ['2026-11-24T15:00Z', '2026-11-24T16:59:59.999Z', '2026-06-16T14:00Z', '2026-06-16T15:59Z'],
    no: ['2026-11-24T14:59:59.999Z', '2026-11-24T17:00Z', '2026-06-16T16:00Z', '2026-11-25T15:00Z']
  },
  {
    ...{ zone: 'Europe/Athens', what: 'an hour that the clocks leave out on 29 March' },
    bonus: { weekdays: [7], from: '03:00', to: '04:00', firstDay: '2026-03-29', lastDay: '2026-03-29' },
    yes: [],
    no: ['2026-03-29T00:59:59.999Z', '2026-03-29T01:00Z', '2026-03-29T01:59Z']
  },
  {
    ...{ zone: 'Europe/Athens', what: 'an hour that the clocks show twice on 25 October' },
    bonus: { weekdays: [7], from: '03:00', to: '04:00', firstDay: '2026-10-25', lastDay: '2026-10-25' },
    yes: ['2026-10-25T00:00Z', '2026-10-25T00:59Z', '2026-10-25T01:00Z', '2026-10-25T01:59Z'],
    no: ['2026-10-24T23:59Z', '2026-10-25T02:00Z']
  },
  {
    ...{ zone: 'Europe/Athens', what: 'Saturday over midnight, while the clocks go back an hour' },
    bonus: { weekdays: [6], from: '22:00', to: '05:00' },
    yes: ['2026-10-24T19:00Z', '2026-10-25T00:30Z', '2026-10-25T01:30Z', '2026-10-25T02:59Z'],
    no: ['2026-10-24T18:59Z', '2026-10-25T03:00Z', '2026-10-25T20:00Z']
  },
  {
    ...{ zone: 'Europe/Athens', what: 'Saturday over midnight, while the clocks go on an hour' },
    bonus: { weekdays: [6], from: '22:00', to: '05:00' },
    yes: ['2026-03-28T20:00Z', '2026-03-29T00:59Z', '2026-03-29T01:00Z', '2026-03-29T01:59Z'],
    no: ['2026-03-28T19:59Z', '2026-03-29T02:00Z']
  },
  {
    ...{ zone: 'America/New_York', what: 'an hour that the clocks show twice on 1 November' },
    bonus: { weekdays: [7], from: '01:00', to: '02:00' },
    yes: ['2026-11-01T05:00Z', '2026-11-01T05:59Z', '2026-11-01T06:00Z', '2026-11-01T06:59Z'],
    no: ['2026-11-01T04:59Z', '2026-11-01T07:00Z']
  },
  {
    ...{ zone: 'America/New_York', what: 'a time that begins within the hour that is left out on 8 March' },
    bonus: { weekdays: [7], from: '02:30', to: '03:30' },
    yes: ['2026-03-08T07:00Z', '2026-03-08T07:29Z'],
    no: ['2026-03-08T06:59Z', '2026-03-08T07:30Z']
  },
  {
    ...{ zone: 'America/New_York', what: 'one day of the calendar' },
    bonus: { firstDay: '2026-12-24', lastDay: '2026-12-24' },
    yes: ['2026-12-24T05:00Z', '2026-12-25T04:59:59.999Z'],
    no: ['2026-12-24T04:59:59.999Z', '2026-12-25T05:00Z']
  },
  {
    ...{ zone: 'America/New_York', what: 'a day of 25 hours' },
    bonus: { weekdays: [7], firstDay: '2026-11-01', lastDay: '2026-11-01' },
    yes: ['2026-11-01T04:00Z', '2026-11-02T04:59Z'],
    no: ['2026-11-01T03:59Z', '2026-11-02T05:00Z']
  },
  {
    ...{ zone: 'Australia/Lord_Howe', what: 'half an hour that the clocks show twice on 5 April' },
    bonus: { weekdays: [7], from: '01:30', to: '02:00' },
    yes: ['2026-04-04T14:30Z', '2026-04-04T14:59Z', '2026-04-04T15:00Z', '2026-04-04T15:29Z'],
    no: ['2026-04-04T14:29Z', '2026-04-04T15:30Z']
  },
  {
    ...{ zone: 'Australia/Lord_Howe', what: 'half an hour that the clocks leave out on 4 October' },
    bonus: { weekdays: [7], from: '02:00', to: '02:30' },
    yes: [],
    no: ['2026-10-03T15:29Z', '2026-10-03T15:30Z', '2026-10-03T16:00Z']
  },
  {
    ...{ zone: 'Australia/Lord_Howe', what: 'a time that ends within that half hour' },
    bonus: { weekdays: [7], from: '01:00', to: '02:15' },
    yes: ['2026-10-03T14:30Z', '2026-10-03T15:29Z'],
    no: ['2026-10-03T14:29Z', '2026-10-03T15:30Z']
  },
  {
    ...{ zone: 'Asia/Kolkata', what: 'an hour, half an hour off those of UTC' },
    bonus: { weekdays: [1], from: '09:00', to: '10:00' },
    yes: ['2026-11-23T03:30Z', '2026-11-23T04:29Z'],
    no: ['2026-11-23T03:29Z', '2026-11-23T04:30Z', '2026-11-24T03:30Z']
  },
  ...(['24:00', '00:00'] as const).map((to): Times => ({
    ...{ zone: 'Asia/Kolkata', what: `the last hour of a day, until ${to}` },
    bonus: { weekdays: [1], from: '23:00', to },
    yes: ['2026-11-23T17:30Z', '2026-11-23T18:29Z'],
    no: ['2026-11-23T17:29Z', '2026-11-23T18:30Z']
  })),
  {
    ...{ zone: 'Asia/Kolkata', what: 'the last night, over midnight' },
    bonus: { from: '22:00', to: '02:00', firstDay: '2026-11-22', lastDay: '2026-11-23' },
    yes: ['2026-11-22T16:30Z', '2026-11-22T20:29Z', '2026-11-23T16:30Z', '2026-11-23T20:29Z'],
    no: ['2026-11-21T20:29Z', '2026-11-22T20:30Z', '2026-11-23T20:30Z', '2026-11-24T16:30Z']
  },
  {
    ...{ zone: 'Asia/Kolkata', what: 'Sunday to Monday: a week begins within it' },
    bonus: { weekdays: [7], from: '20:00', to: '06:00' },
    yes: ['2026-11-22T14:30Z', '2026-11-23T00:29Z'],
    no: ['2026-11-22T14:29Z', '2026-11-23T00:30Z', '2026-11-22T00:29Z']
  }
]

describe('a bonus time by the clock of the shop', () => {
  it.each(TIMES)('$zone: $what', ({ zone, bonus, yes, no }) => {
    const rules = rulesOf({ bonusTimes: [bonusOf(bonus)] })
    const at = (moment: string) => earned({ amount: '10' }, rules, { timeZone: zone, at: moment })
    expect(yes.map((moment) => [moment, at(moment)])).toEqual(yes.map((moment) => [moment, 20]))
    expect(no.map((moment) => [moment, at(moment)])).toEqual(no.map((moment) => [moment, 10]))
  })

  it('earns with groups and a limit in each zone: (30 + 10 × 2.5) × 2 = 110, of at most 100', () => {
    const bill = { amount: '40', groups: [{ name: 'Βιβλία', amount: '10' }] }
    const rules = rulesOf({ groups: [BOOKS], bonusTimes: [bonusOf({ from: '12:00', to: '13:00' })] })
    for (const [timeZone, at] of [
      ['Europe/Athens', '2026-11-24T10:00Z'],
      ['America/New_York', '2026-11-24T17:00Z'],
      ['Australia/Lord_Howe', '2026-11-24T01:00Z'],
      ['Asia/Kolkata', '2026-11-24T06:30Z']
    ] as const) {
      expect(earned(bill, rules, { timeZone, at })).toBe(110)
      expect(earned(bill, { ...rules, maximum: 100 }, { timeZone, at })).toBe('100 capped')
    }
  })
})

describe('splitting a bill', () => {
  /** Cents of a bill, and of those the cents of its group. */
  const part = fc
    .tuple(fc.nat({ max: 20_000 }), fc.nat({ max: 20_000 }))
    .map(([one, other]): readonly [number, number] => [Math.max(one, other), Math.min(one, other)])
  const decimal = (cents: number): string => (cents / 100).toFixed(2)
  const billOf = ([whole, group]: readonly [number, number]): BillAmounts => ({
    amount: decimal(whole),
    groups: [{ name: 'Βιβλία', amount: decimal(group) }],
    level: 'Gold'
  })
  const rules = fc.record({
    pointsPerUnit: fc.constantFrom('1', '0.5', '0.333333', '10', '0.01'),
    rounding: fc.constantFrom(...ROUNDING_MODES),
    minimum: fc.constantFrom('0', '5', '20'),
    maximum: fc.constantFrom(null, 1, 30, 200),
    groups: fc.constantFrom<EarningRules['groups']>([], [BOOKS], [{ ...BOOKS, factor: '0' }]),
    bonusTimes: fc.constantFrom<EarningRules['bonusTimes']>([], [bonusOf({ factor: '1.5' })]),
    levels: fc.constantFrom<EarningRules['levels']>([], [GOLD], [{ ...GOLD, factor: '0.3' }])
  })

  /**
   * The most points of `count` bills with exact points E together: E rounded down; with each rounded to the nearest, half a
   * point more for each bill, rounded down; with each rounded up, E rounded up and a point more for each bill but one. And for
   * each bill that reaches the smallest one at most the largest number. No smaller bound holds: see the examples.
   */
  const bound = (
    exact: Fraction,
    count: number,
    reaching: number,
    { rounding, maximum }: EarningRules
  ): bigint => {
    const [counter, denominator] = exact
    const most = {
      down: floor(exact),
      nearest: floor([2n * counter + BigInt(count) * denominator, 2n * denominator]),
      up: ceiling(exact) + BigInt(count) - 1n
    }[rounding]
    const limit = maximum === null ? most : BigInt(maximum) * BigInt(reaching)
    return limit < most ? limit : most
  }

  const pointsOf = (bill: BillAmounts, each: EarningRules): number => {
    const points = earned(bill, each)
    return typeof points === 'number' ? points : Number.parseInt(points, 10) || 0
  }

  it('never earns more than its rounding and its limits allow', () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), rules, (parts, changes) => {
        const each = rulesOf(changes)
        const whole = parts.reduce<readonly [number, number]>(([a, b], [c, d]) => [a + c, b + d], [0, 0])
        const exact = exactPoints(billOf(whole), each, 'UTC', new Date('2026-11-24T12:00Z'))
        if (exact === null) throw new Error('the bill is malformed')
        const reaching = parts.filter(([cents]) => cents >= 100 * Number(each.minimum)).length
        const sum = parts.reduce((total, cents) => total + pointsOf(billOf(cents), each), 0)
        expect(BigInt(sum)).toBeLessThanOrEqual(bound(exact, parts.length, reaching, each))
        // Rounded down and without a limit for a bill, one bill earns at least as much as its parts.
        if (each.rounding === 'down' && each.maximum === null)
          expect(sum).toBeLessThanOrEqual(pointsOf(billOf(whole), { ...each, minimum: '0' }))
      }),
      { numRuns: 3000 }
    )
  })

  it.each([
    ['down', '1', ['1.00', '2.00', '3.00'], null, 6],
    ['nearest', '1', ['0.50', '0.50', '0.50'], null, 3],
    ['up', '1', ['0.01', '0.01', '0.01'], null, 3],
    ['down', '1', ['50', '50'], 30, 60]
  ] as const)(
    'reaches that bound %s at %s a unit: %j',
    (rounding, pointsPerUnit, amounts, maximum, points) => {
      const each = rulesOf({ rounding, pointsPerUnit, maximum })
      const total = amounts.reduce((cents, amount) => cents + Math.round(100 * Number(amount)), 0)
      const exact: Fraction = [BigInt(total), 100n]
      expect(amounts.reduce((sum, amount) => sum + pointsOf({ amount }, each), 0)).toBe(points)
      expect(bound(exact, amounts.length, amounts.length, each)).toBe(BigInt(points))
    }
  )
})

it('gives 100,000 random bills what a plain calculation with fractions gives them', () => {
  const cases = randomCases(seededRandom(20_261_129))
  const kinds = { earning: 0, capped: 0, none: 0, refused: 0, bonus: 0 }
  for (let set = 0; set < 1000; set += 1) {
    const [rules, timeZone] = [v.parse(earningRulesSchema, cases.rules()), cases.timeZone()]
    for (let count = 0; count < 100; count += 1) {
      const [bill, moment] = [cases.bill(), cases.moment()]
      const rule = earningRuleAt({ version: set, timeZone, rules }, moment)
      const plain = plainPoints(bill, rules, timeZone, moment)
      const calculated = rule === null ? null : calculatePoints(bill, rule)
      const points =
        calculated?.ok !== true ? null : calculated.value.kind === 'points' ? calculated.value.points : 0
      if (points !== plain) expect.fail(JSON.stringify({ bill, rules, timeZone, moment, points, plain }))
      if (rule?.factors.length === 1) kinds.bonus += 1
      if (points === null) kinds.refused += 1
      else if (points === 0) kinds.none += 1
      else if (points === rules.maximum) kinds.capped += 1
      else kinds.earning += 1
    }
  }
  // Each kind of bill is there.
  expect(Math.min(...Object.values(kinds))).toBeGreaterThan(1000)
})

describe('rules that are read', () => {
  it.each([
    ['no rate', { pointsPerUnit: '0' }],
    ['a group twice', { groups: [TOBACCO, TOBACCO] }],
    ['a factor above 100', { groups: [{ ...TOBACCO, factor: '100.01' }] }],
    ['a bonus of nothing', { bonusTimes: [bonusOf({ factor: '0.0' })] }],
    ['no day', { bonusTimes: [bonusOf({ weekdays: [] })] }],
    ['an eighth day', { bonusTimes: [bonusOf({ weekdays: [8] })] }],
    ['a time from 24:00', { bonusTimes: [bonusOf({ from: '24:00' })] }],
    ['no minute of a day', { bonusTimes: [bonusOf({ to: '24:01' })] }],
    ['a point and a half', { maximum: 1.5 }],
    ['21 groups', { groups: Array.from({ length: 21 }, (_, index) => ({ ...TOBACCO, name: String(index) })) }]
  ])('are refused with %s', (_what, changes) => {
    expect(v.is(earningRulesSchema, rulesOf({}))).toBe(true)
    expect(v.is(earningRulesSchema, { ...rulesOf({}), ...changes })).toBe(false)
  })
})
