/** Ranks of samples. */

const RANKS = { p50: 0.5, p95: 0.95, p99: 0.99, max: 1 } as const

export type Rank = keyof typeof RANKS

/** The sample at a rank, by the nearest one. Throws without samples. */
export function atRank(samples: readonly number[], rank: Rank): number {
  const sorted = samples.toSorted((a, b) => a - b)
  const found = sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * RANKS[rank]) - 1)]
  if (found === undefined) throw new Error('Nothing was measured')
  return found
}

/** Three significant digits: machines are noisy. */
export const round = (value: number): number =>
  Number.isFinite(value) ? Number(value.toPrecision(3)) : value
