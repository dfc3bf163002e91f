/** Two short periods around the changes of the clocks; `npm run soak:month` runs the month. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { periodsOf, shopTime } from './calendar.ts'
import { flatness, type Sample } from './flatness.ts'
import { runMonth } from './month.ts'

/** For a process that hangs, not for a slow one. */
const TIMEOUT_MS = 300_000

it(
  'an open till does the work of each day once, also when the clocks change, and leaves no timer and no listener',
  { timeout: TIMEOUT_MS },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'month-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const size = { hours: 28, sampleHours: 14, served: 0, slips: 0, lookUps: 0, leak: false }
    const { samples, violations, slips } = await runMonth(folder, size)
    expect(violations).toEqual([])
    expect(slips).toBeGreaterThan(30)
    const grown = flatness(samples, 1, true).filter(({ isFlat }) => !isFlat)
    expect(grown.map(({ name }) => `${name}: ${samples.map((sample) => sample[name]).join(', ')}`)).toEqual(
      []
    )
  }
)

describe('the calendar', () => {
  it('has a whole day of 23 and of 25 hours before the last hour of each period', () => {
    const [spring, autumn] = periodsOf(2027, 28)
    for (const [{ start, hours }, expected] of [
      [spring, 23],
      [autumn, 25]
    ] as const) {
      const days = Array.from({ length: hours }, (_none, hour) => shopTime(start + hour * 3_600_000).day)
      const changing = days.at(-2)
      expect(days.at(-1)).not.toBe(changing)
      expect(days.filter((day) => day === changing)).toHaveLength(expected)
    }
  })
})

describe('flatness', () => {
  const sample = (day: number): Sample =>
    Object.fromEntries(
      flatness([], 0).map(({ name }) => [name, /^page|^log/.test(name) ? 1 : 100 * day])
    ) as Sample

  it('finds what grows after the warm-up, and nothing that stays', () => {
    const flat = flatness(
      Array.from({ length: 30 }, (_none, day) => sample(Math.min(day, 5))),
      5
    )
    expect(flat.filter(({ isFlat }) => !isFlat)).toEqual([])
    const growing = flatness(
      Array.from({ length: 30 }, (_none, day) => sample(day)),
      5
    )
    expect(growing.filter(({ isFlat }) => isFlat).map(({ name }) => name)).toEqual([
      'page: timers',
      'page: listeners',
      'page: nodes',
      'page: heap, MB',
      'page: memory, MB',
      'log, MB'
    ])
  })
})
