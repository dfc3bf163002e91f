/** One line of the table: samples, baseline, target and verdict. */
import { atRank, round, type Rank } from './statistics.ts'

/** The unit of a line. */
type Unit = 'ms' | 'kB' | 'MB' | 'requests' | 'requests/s' | 'rows' | 'modules'

/** When a line is good enough. */
export type Target =
  /** ours at most so many times the baseline's, at this rank */
  | { readonly kind: 'at most times'; readonly times: number; readonly rank: Rank }
  /** ours at least so many times the baseline's, at this rank */
  | { readonly kind: 'at least times'; readonly times: number; readonly rank: Rank }
  /** ours at most this, whatever the baseline */
  | { readonly kind: 'at most'; readonly most: number; readonly rank: Rank }
  /** reported only */
  | { readonly kind: 'none' }

/** Samples in the line's unit. */
export interface Samples {
  readonly ours: readonly number[]
  readonly baseline: readonly number[]
}

/** A line as `out/bench.json` keeps it. */
export interface Line {
  /** `look-up` or `layout: Arabic against jsPDF` */
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
  readonly samples: Samples
  /** name of the baseline, where there is one */
  readonly against?: string
  readonly target: Target
  readonly note?: string
}

const rankOf = (target: Target): Rank => ('rank' in target ? target.rank : 'p50')

function sentence(target: Target, unit: Unit): string {
  switch (target.kind) {
    case 'at most times':
      return `${target.rank} ≤ ${target.times}×`
    case 'at least times':
      return `${target.rank} ≥ ${target.times}×`
    case 'at most':
      return `${target.rank} ≤ ${target.most} ${unit}`
    case 'none':
      return ''
  }
}

function holds(target: Target, ours: number, baseline: number): boolean {
  switch (target.kind) {
    case 'at most times':
      return ours <= baseline * target.times
    case 'at least times':
      return ours >= baseline * target.times
    case 'at most':
      return ours <= target.most
    case 'none':
      return true
  }
}

/** Compares a line with its target. Throws without samples. */
export function judge({ name, unit, samples, against, target, note }: Measured): Line {
  const rank = rankOf(target)
  const ours = atRank(samples.ours, rank)
  const baseline = against === undefined ? Number.NaN : atRank(samples.baseline, rank)
  return {
    name,
    unit,
    n: samples.ours.length,
    p50: round(atRank(samples.ours, 'p50')),
    p95: round(atRank(samples.ours, 'p95')),
    baseline:
      against === undefined
        ? null
        : {
            name: against,
            p50: round(atRank(samples.baseline, 'p50')),
            p95: round(atRank(samples.baseline, 'p95'))
          },
    ratio: against === undefined ? null : round(ours / baseline),
    target: sentence(target, unit),
    ok: holds(target, ours, baseline),
    ...(note !== undefined && { note })
  }
}
