import { expect, test } from 'vitest'
import { Bill } from '../../../../renderer/src/state/points-form.svelte.ts'

const billRule = { pointsPerUnit: '0.1', rounding: 'down', minimum: '5', currency: 'EUR' } as const

const makeBill = (text: string) => {
  const points: string[] = []
  const bill = new Bill(
    () => billRule,
    (calculated) => points.push(calculated)
  )
  bill.text = text
  return { bill, points }
}

test.each([
  ['25', '2', 'points'],
  ['3', '', 'below-minimum'],
  ['6', '', 'no-points']
] as const)('a bill of %s gives %j: %s', (text, points, kind) => {
  const made = makeBill(text)
  expect([made.points, made.bill.outcome?.kind, made.bill.outcome?.amount]).toEqual([[points], kind, text])
})

test('a bill that cannot be read says so', () => {
  const { bill, points } = makeBill('1.250')
  expect([points, bill.outcome, bill.failure?.kind]).toEqual([[''], null, 'invalid-input'])
})

test('a bill that comes to more points than one slip carries says so', () => {
  expect(makeBill('999999999').bill.failure?.kind).toBe('points-too-many')
})

test('forgotten, it leaves the points alone', () => {
  const { bill, points } = makeBill('25')
  bill.clear()
  expect([bill.text, bill.outcome, points]).toEqual(['', null, ['2']])
})
