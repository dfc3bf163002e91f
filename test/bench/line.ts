/** One line of the table: samples, baseline, target and verdict. */
import { atRank, round, type Rank } from './statistics.ts'

/** The unit of a line. */
type Unit = 'ms' | 'kB' | 'MB' | 'requests' | 'requests/s' | 'rows' | '×'

/** When a line is good enough: a limit for the sample at a rank, or for its ratio to the baseline's. Null: reported only. */
export type Target = {
  readonly is: '≤' | '≥'
  readonly limit: number
  readonly of: 'sample' | 'ratio'
  readonly rank: Rank
} | null

/** Ours at most this, whatever the baseline. */
export const atMost = (limit: number, rank: Rank = 'p95'): Target => ({
  ...{ is: '≤', limit, of: 'sample', rank }
})

/** Ours at most so many times the baseline's. */
export const atMostTimes = (limit: number, rank: Rank = 'p50'): Target => ({
  ...{ is: '≤', limit, of: 'ratio', rank }
})

/** Ours at least so many times the baseline's. */
export const atLeastTimes = (limit: number, rank: Rank = 'p50'): Target => ({
  ...{ is: '≥', limit, of: 'ratio', rank }
})

/** Samples in the line's unit. */
export interface Samples {
  readonly ours: readonly number[]
  readonly baseline: readonly number[]
}

/** A line as `out/bench.json` keeps it. */
export interface Line {
  /** `look-up: Enter to the card` */
  readonly name: string
  readonly unit: Unit
  readonly n: number
  readonly p50: number
  readonly p95: number
  readonly baseline: { readonly name: string; readonly p50: number; readonly p95: number } | null
  /** ours by the baseline's, at the rank that the target names; null without a baseline */
  readonly ratio: number | null
  readonly target: string
  readonly ok: boolean
  /** a remark on the numbers */
  readonly note?: string
}

/** A line as a bench returns it. */
export interface Measured {
  readonly name: string
  readonly unit: Unit
  /** the baseline's only with `against` */
  readonly samples: Pick<Samples, 'ours'> & Partial<Samples>
  /** name of the baseline, where there is one */
  readonly against?: string
  readonly target: Target
  readonly note?: string
}

/** Compares a line with its target. Throws without samples. */
export function judge({ name, unit, samples, against, target, note }: Measured): Line {
  const rank = target?.rank ?? 'p50'
  const both = (values: readonly number[]) => ({
    p50: round(atRank(values, 'p50')),
    p95: round(atRank(values, 'p95'))
  })
  const ours = atRank(samples.ours, rank)
  const compared = samples.baseline ?? []
  const ratio = against === undefined ? null : ours / atRank(compared, rank)
  const value = target?.of === 'ratio' ? (ratio ?? Number.NaN) : ours
  return {
    name,
    unit,
    n: samples.ours.length,
    ...both(samples.ours),
    baseline: against === undefined ? null : { name: against, ...both(compared) },
    ratio: ratio === null ? null : round(ratio),
    target:
      target === null
        ? ''
        : `${target.rank} ${target.is} ${target.limit}${target.of === 'ratio' ? '×' : ` ${unit}`}`,
    ok: target === null || (target.is === '≤' ? value <= target.limit : value >= target.limit),
    ...(note !== undefined && { note })
  }
}
