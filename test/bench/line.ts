/** One line of the table: what was measured, against what, and whether that is good enough. */
import { atRank, round } from './statistics.ts'

/** What a number of a line counts. */
export type Unit = 'ms' | 'kB' | 'MB' | 'requests/s' | 'rows' | 'modules'

/** When a line is good enough. */
export type Target =
  /** ours at most so many times the baseline's, at this rank */
  | { readonly kind: 'at most times'; readonly times: number; readonly rank: 'p50' | 'p95' }
  /** ours at least so many times the baseline's median */
  | { readonly kind: 'at least times'; readonly times: number }
  /** ours at most the baseline's and so many units more, at this rank */
  | { readonly kind: 'at most more'; readonly more: number; readonly rank: 'p50' | 'p95' }
  /** ours at most this, whatever the baseline */
  | { readonly kind: 'at most'; readonly most: number; readonly rank: 'p50' | 'p95' }
  /** told, and judged by nobody */
  | { readonly kind: 'none' }

/** What was measured: the samples, in the line's unit. */
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
  /** what a reader should know beside the numbers */
  readonly note?: string
}

/** What a bench hands in for one line. */
export interface Measured {
  readonly name: string
  readonly unit: Unit
  readonly samples: Samples
  /** name of what it is held against; left out when there is nothing of the kind */
  readonly against?: string
  readonly target: Target
  readonly note?: string
}

const rankOf = (target: Target): 'p50' | 'p95' => ('rank' in target ? target.rank : 'p50')

function sentence(target: Target, unit: Unit): string {
  switch (target.kind) {
    case 'at most times':
      return `${target.rank} ≤ ${target.times}×`
    case 'at least times':
      return `≥ ${target.times}×`
    case 'at most more':
      return `${target.rank} ≤ it + ${target.more} ${unit}`
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
    case 'at most more':
      return ours <= baseline + target.more
    case 'at most':
      return ours <= target.most
    case 'none':
      return true
  }
}

/** Judges what was measured. Throws when there are no samples: a bench that measured nothing has failed. */
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
