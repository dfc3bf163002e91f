import { describe, expect, it } from 'vitest'
import { MAX_BILL_LINK_LENGTH, parseBillLink } from '../../../electron/contract/local-interface.ts'

const NOTHING = { amount: null, points: null, reference: null, phone: null }
const AMOUNT = { ...NOTHING, amount: { value: '12.50', currency: 'EUR' } }

describe('a bill link', () => {
  it.each([
    ['tillpoints://bill?amount=12.50&currency=EUR', AMOUNT],
    // As browsers and shells may write it.
    ['TillPoints://Bill/?currency=EUR&amount=12.50', AMOUNT],
    ['tillpoints://bill?points=75', { ...NOTHING, points: 75 }],
    [
      'tillpoints://bill?amount=1250&currency=JPY',
      { ...NOTHING, amount: { value: '1250', currency: 'JPY' } }
    ],
    ['tillpoints://bill?points=75&reference=R-1042', { ...NOTHING, points: 75, reference: 'R-1042' }],
    [
      'tillpoints://bill?points=75&reference=%CE%91%201%2F2026',
      { ...NOTHING, points: 75, reference: 'Α 1/2026' }
    ],
    ['tillpoints://bill?points=75&phone=+306901234567', { ...NOTHING, points: 75, phone: '+306901234567' }],
    [
      'tillpoints://bill?points=75&phone=%2B30%20690%20123%204567',
      { ...NOTHING, points: 75, phone: '+30 690 123 4567' }
    ]
  ])('%s', (link, bill) => {
    expect(parseBillLink(link)).toEqual(bill)
  })
})

describe('a hostile or wrong link is refused with its fault', () => {
  it.each([
    ['', 'malformed'],
    ['tillpoints:', 'malformed'],
    ['javascript:alert(1)', 'malformed'],
    ['tillpoints:javascript:alert(1)', 'malformed'],
    ['https://bill?points=5', 'malformed'],
    ['tillpoints://bill', 'malformed'],
    ['tillpoints://bill?', 'malformed'],
    ['tillpoints://bills?points=5', 'malformed'],
    ['tillpoints://bill.example?points=5', 'malformed'],
    ['tillpoints://user:secret@bill?points=5', 'malformed'],
    ['tillpoints://bill:80?points=5', 'malformed'],
    ['tillpoints://bill/issue?points=5', 'malformed'],
    ['tillpoints://bill?points=5#now', 'malformed'],
    [' tillpoints://bill?points=5', 'malformed'],
    ['tillpoints://bill?points=5&', 'malformed'],
    ['tillpoints://bill?points', 'malformed'],
    ['tillpoints://bill?points=5&reference=%', 'malformed'],
    ['tillpoints://bill?points=5&reference=%FF', 'malformed'],
    ['tillpoints://bill?points=5&reference=R%00', 'malformed'],
    ['tillpoints://bill?points=5&reference=R%0A1', 'malformed'],
    ['tillpoints://bill?points=5&reference=R\u202e1', 'malformed'],
    ['tillpoints://bill?points=\n5', 'malformed'],
    ['tillpoints://bill?points=5&issue=true', 'parameters'],
    ['tillpoints://bill?points=5&points=6', 'parameters'],
    ['tillpoints://bill?points=5&__proto__=1', 'parameters'],
    ['tillpoints://bill?reference=R-1', 'incomplete'],
    ['tillpoints://bill?amount=5', 'incomplete'],
    ['tillpoints://bill?points=5&currency=EUR', 'incomplete'],
    ['tillpoints://bill?points=5&amount=5&currency=EUR', 'incomplete'],
    ['tillpoints://bill?amount=12,50&currency=EUR', 'amount'],
    ['tillpoints://bill?amount=-5&currency=EUR', 'amount'],
    ['tillpoints://bill?amount=1e3&currency=EUR', 'amount'],
    ['tillpoints://bill?amount=12.505&currency=EUR', 'amount'],
    ['tillpoints://bill?amount=1.5&currency=JPY', 'amount'],
    ['tillpoints://bill?amount=5&currency=eur', 'currency'],
    ['tillpoints://bill?amount=5&currency=%E2%82%AC', 'currency'],
    ['tillpoints://bill?points=0', 'points'],
    ['tillpoints://bill?points=-5', 'points'],
    ['tillpoints://bill?points=5.5', 'points'],
    ['tillpoints://bill?points=0x10', 'points'],
    ['tillpoints://bill?points=10000000', 'points'],
    ['tillpoints://bill?points=', 'points'],
    ['tillpoints://bill?points=5&reference=', 'reference'],
    ['tillpoints://bill?points=5&reference=javascript:alert(1)', 'malformed'],
    ['tillpoints://bill?points=5&phone=JavaScript%3Aalert(1)', 'malformed'],
    ['tillpoints://bill?points=5&reference=%20', 'reference'],
    [`tillpoints://bill?points=5&reference=${'1'.repeat(101)}`, 'reference'],
    ['tillpoints://bill?points=5&phone=', 'phone'],
    [`tillpoints://bill?points=5&phone=${'1'.repeat(61)}`, 'phone'],
    [`tillpoints://bill?points=5&reference=${'1'.repeat(MAX_BILL_LINK_LENGTH)}`, 'too-long'],
    [`tillpoints://bill?points=5&reference=${'1'.repeat(10_000_000)}`, 'too-long']
  ])('%.80s', (link, fault) => {
    expect(parseBillLink(link)).toBe(fault)
  })
})
