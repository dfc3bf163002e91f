/** The report of a busy day, for pictures. */
import {
  SLIP_STATES,
  type ReportRange,
  type SlipsReport,
  type SlipState
} from '../../../electron/contract/slips.ts'

/** Slips of each hour from seven o'clock on. */
const SLIPS = [3, 9, 14, 11, 6, 8, 17, 12, 5, 4, 7, 13, 9, 2]
const POINTS_EACH = 85
const DAY = 24 * 60 * 60 * 1000

/** Empty when the till of the picture has issued nothing. */
export function fakeReport(range: ReportRange, issued: readonly unknown[]): SlipsReport {
  const count = (index: number): number => (issued.length === 0 ? 0 : (SLIPS[index] ?? 0))
  const isDay = range.from === range.to
  const first = Date.parse(`${range.from}T00:00:00+02:00`)
  const days = (Date.parse(range.to) - Date.parse(range.from)) / DAY + 1
  const parts = Array.from({ length: isDay ? 24 : days }, (_, index) => {
    const slips = isDay ? count(index - 7) : count(index % SLIPS.length) * 7
    return {
      start: new Date(first + index * (isDay ? DAY / 24 : DAY)).toISOString(),
      slips,
      points: slips * POINTS_EACH + (slips % 3) * 40
    }
  })
  const total = (of: (part: (typeof parts)[number]) => number): number =>
    parts.reduce((sum, part) => sum + of(part), 0)
  const slips = total((part) => part.slips)
  const some: Partial<Record<SlipState, number>> =
    slips === 0 ? {} : { printed: slips - 2, 'print-failed': 1, unknown: 1, refused: 2, discarded: 1 }
  return {
    range,
    timeZone: 'Europe/Athens',
    step: isDay ? 'hour' : 'day',
    parts,
    slips,
    points: total((part) => part.points),
    copies: slips === 0 ? 0 : 6,
    states: Object.fromEntries(SLIP_STATES.map((state) => [state, some[state] ?? 0])) as Record<
      SlipState,
      number
    >
  }
}
