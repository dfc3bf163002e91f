/** What a till did within a range of days, added up from its journal. */
import type { ReportPart, ReportRange, SlipsReport } from '../../../contract/report.ts'
import { SLIP_STATES, type SlipState } from '../../../contract/till.ts'
import type { Report, StateSum } from '../journal/report.ts'
import type { Scope } from '../journal/scope.ts'
import { stepOf, stretchesOf } from './stretches.ts'

const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

/** Somebody holds the code, or may: a discarded one went to nobody. */
const wentOut = ({ state }: StateSum): boolean => state !== 'discarded'

const partOf = (start: string, sums: readonly StateSum[]): ReportPart => {
  const out = sums.filter(wentOut)
  return {
    start,
    slips: total(out.map(({ withCode }) => withCode)),
    points: total(out.map(({ points }) => points))
  }
}

const countOf = (sums: readonly StateSum[], state: SlipState): number =>
  total(sums.filter((sum) => sum.state === state).map(({ count }) => count))

/** Adds up the slips of `scope` that were asked for on the days of `range` in `timeZone`. Throws as the journal does. */
export function reportOf(journal: Report, scope: Scope, range: ReportRange, timeZone: string): SlipsReport {
  const step = stepOf(range)
  const summed = stretchesOf(range, step, timeZone).map(({ from, until }) => ({
    start: from,
    sums: journal.sums(scope, from, until)
  }))
  const all = summed.flatMap(({ sums }) => sums)
  const parts = summed.map(({ start, sums }) => partOf(start, sums))
  const states = Object.fromEntries(SLIP_STATES.map((state) => [state, countOf(all, state)]))
  return {
    range,
    timeZone,
    step,
    parts,
    slips: total(parts.map(({ slips }) => slips)),
    points: total(parts.map(({ points }) => points)),
    copies: total(all.map(({ copies }) => copies)),
    // One entry for each of SLIP_STATES: Object.fromEntries forgets their names.
    states: states as Record<SlipState, number>
  }
}
