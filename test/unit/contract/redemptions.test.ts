import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { accountSchema } from '../../../electron/contract/loyalty.ts'
import { canUndo, offers } from '../../../electron/contract/operations.ts'
import {
  redeemRequestSchema,
  REDEMPTION_ATTENTION_STATES,
  REDEMPTION_STATES
} from '../../../electron/contract/redemptions.ts'

describe('what the account says of extensions', () => {
  test.each([
    [undefined, false],
    [null, false],
    ['redemptions/1', false],
    [{ 'redemptions/1': true }, false],
    [[], false],
    [['redemptions/2', 'redemptions', 'Redemptions/1', 1, null], false],
    [['collections/1'], false],
    [['redemptions/1'], true],
    [['other/7', 'redemptions/1', 'redemptions/1', { name: 'x' }], true]
  ])('%j: redeeming is offered: %s', (extensions, isOffered) => {
    const account = v.parse(accountSchema, { id: 'b1', name: 'Bistro', extensions })
    expect(offers(account, 'redemptions/1')).toBe(isOffered)
  })

  test('a till without a profile offers nothing', () => {
    expect(offers(null, 'redemptions/1')).toBe(false)
  })
})

describe('canUndo', () => {
  const now = new Date('2026-11-25T10:00:00.000Z')
  const redeemed = {
    state: 'redeemed',
    requestedAt: '2026-11-25T09:00:00.000Z',
    doneAt: '2026-11-25T09:00:00.000Z'
  } as const

  test.each([
    ['2026-11-25T10:00:00.000Z', true],
    ['2026-11-25T09:59:59.999Z', false],
    [null, true]
  ])('a redemption that is reversible until %s: %s', (reversibleUntil, isPossible) => {
    expect(canUndo({ ...redeemed, reversibleUntil }, now)).toBe(isPossible)
  })

  test.each([
    ['a day ahead', '2026-11-24T09:00:00.000Z', '2026-11-24T10:00:00.000Z', true],
    ['a day ahead, when the time is over', '2026-11-24T09:00:00.000Z', '2026-11-24T09:59:59.999Z', false],
    // The service refuses what is too late.
    ['a day behind', '2026-11-26T09:00:00.000Z', '2026-11-26T09:59:59.999Z', true]
  ])('with a clock that is %s', (_name, doneAt, reversibleUntil, isPossible) => {
    expect(canUndo({ ...redeemed, doneAt, reversibleUntil }, now)).toBe(isPossible)
  })

  test('is true in the state redeemed only', () => {
    const states = REDEMPTION_STATES.filter((state) =>
      canUndo({ ...redeemed, state, reversibleUntil: null }, now)
    )
    expect(states).toEqual(['redeemed'])
  })
})

test('every state whose answer is lost needs attention', () => {
  expect(REDEMPTION_ATTENTION_STATES).toEqual(REDEMPTION_STATES.filter((state) => state.endsWith('unknown')))
})

describe('what the page may send to redeem', () => {
  const request = {
    intentId: '0b8f6c2e-1f0a-4a53-9a3e-3a1d2f4b5c6d',
    customer: { id: 'c1', name: 'Ada' },
    reward: { id: 'r1', name: 'Coffee' },
    cost: 120,
    balanceBefore: 300
  }

  test.each([
    [{}, true],
    [{ balanceBefore: null }, true],
    [{ cost: 0 }, false],
    [{ cost: 1.5 }, false],
    [{ intentId: 'once' }, false],
    [{ customer: { id: '', name: '' } }, false],
    [{ key: 'x' }, false]
  ])('%j: %s', (change, isAccepted) => {
    expect(v.is(redeemRequestSchema, { ...request, ...change })).toBe(isAccepted)
  })
})
