import { describe, expect, test } from 'vitest'
import { BatchForm } from '../../../../renderer/src/state/batches.svelte.ts'

const filled = (points: string, count: string): BatchForm => {
  const form = new BatchForm(false)
  form.points = points
  form.count = count
  return form
}

describe('many slips', () => {
  test('come to a total that waits for a yes', () => {
    const form = filled('250', '120')
    form.oneJob = true
    expect([form.total, form.check()]).toEqual([30_000, true])
    expect(form.request).toEqual({ batchId: form.batchId, points: 250, count: 120, oneJob: true })
  })

  test('go back to the fields as they were typed', () => {
    const form = filled('250', '120')
    form.check()
    form.back()
    expect([form.request, form.points, form.count]).toEqual([null, '250', '120'])
  })

  test('may be typed on any keyboard', () => {
    expect(filled('٢٥٠', '๑๐').total).toBe(2500)
  })

  test.each([
    ['', 'missing'],
    ['1.5', 'not-a-whole-number'],
    ['0', 'out-of-bounds'],
    ['501', 'out-of-bounds']
  ] as const)('%j of them are refused: %s', (count, fault) => {
    const form = filled('250', count)
    expect([form.check(), form.countFault, form.request, form.total]).toEqual([false, fault, null, null])
    form.count = '500'
    expect([form.countFault, form.check()]).toEqual([null, true])
  })

  test('of no points are refused', () => {
    const form = filled('0', '5')
    expect([form.check(), form.pointsFailure?.kind]).toEqual([false, 'invalid-input'])
  })
})
