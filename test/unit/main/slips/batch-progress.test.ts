import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  BatchProgressThrottle,
  PROGRESS_INTERVAL_MS
} from '../../../../electron/main/slips/batch-progress.ts'

/** A throttle on a fake clock, and the batch ids that it reported. */
function createThrottle() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const reported: string[] = []
  const throttle = new BatchProgressThrottle((_scope, batchId) => reported.push(batchId))
  const change = (batchId: string): void =>
    throttle.rowChanged(
      { businessId: 'business-1', slip: { training: false, batch: { batchId, position: 1 } } },
      'state'
    )
  return { throttle, reported, change }
}

describe('BatchProgressThrottle', () => {
  it('reports the first change at once, and later ones once per interval, the last one included', () => {
    const { reported, change } = createThrottle()
    for (let count = 0; count < 50; count++) change('a')
    expect(reported).toEqual(['a'])
    change('b')
    vi.advanceTimersByTime(PROGRESS_INTERVAL_MS)
    expect(reported).toEqual(['a', 'a', 'b'])
    vi.advanceTimersByTime(10 * PROGRESS_INTERVAL_MS)
    expect(reported).toEqual(['a', 'a', 'b'])
    change('a')
    expect(reported).toEqual(['a', 'a', 'b', 'a'])
  })

  it('reports pending changes when the journal closes, and nothing later', () => {
    const { throttle, reported, change } = createThrottle()
    change('a')
    change('a')
    throttle.closing()
    expect(reported).toEqual(['a', 'a'])
    vi.advanceTimersByTime(10 * PROGRESS_INTERVAL_MS)
    expect(reported).toEqual(['a', 'a'])
  })
})
