import { expect, it, onTestFinished, vi } from 'vitest'
import { BETWEEN_TELLINGS, createTelling } from '../../../../../electron/main/slips/batches/telling.ts'

const scope = { training: false, businessId: 'business-1' }

function openTelling() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const told: string[] = []
  const telling = createTelling((_scope, batchId) => told.push(batchId))
  return { telling, told }
}

it('tells of the first change at once, and of all that follow once in a while, the last one too', () => {
  const { telling, told } = openTelling()
  for (let change = 0; change < 50; change++) telling.changed(scope, 'a')
  expect(told).toEqual(['a'])
  telling.changed(scope, 'b')
  vi.advanceTimersByTime(BETWEEN_TELLINGS)
  expect(told).toEqual(['a', 'a', 'b'])
  vi.advanceTimersByTime(10 * BETWEEN_TELLINGS)
  expect(told).toEqual(['a', 'a', 'b'])
  telling.changed(scope, 'a')
  expect(told).toEqual(['a', 'a', 'b', 'a'])
})

it('tells the rest when it is closed, and nothing later', () => {
  const { telling, told } = openTelling()
  telling.changed(scope, 'a')
  telling.changed(scope, 'a')
  telling.close()
  expect(told).toEqual(['a', 'a'])
  vi.advanceTimersByTime(10 * BETWEEN_TELLINGS)
  expect(told).toEqual(['a', 'a'])
})
