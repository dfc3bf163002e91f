/** Ranks of samples, and how a cost grows with size. */

const RANKS = { p50: 0.5, p95: 0.95 } as const

/** The sample at a rank, by the nearest one. Throws without samples. */
export function atRank(samples: readonly number[], rank: keyof typeof RANKS): number {
  const sorted = samples.toSorted((a, b) => a - b)
  const found = sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * RANKS[rank]) - 1)]
  if (found === undefined) throw new Error('Nothing was measured')
  return found
}

/** Three significant digits: machines are noisy. */
export const round = (value: number): number =>
  Number.isFinite(value) ? Number(value.toPrecision(3)) : value

/** A cost at a size. */
export interface CostAtSize {
  /** how many customers, rows, modules … */
  readonly size: number
  /** in any unit, the same for each size */
  readonly cost: number
}

/** How a cost grows. */
export type Growth = 'O(1)' | 'O(log n)' | 'O(√n)' | 'O(n)' | 'O(n log n)' | 'O(n²)'

const SHAPES: readonly { readonly growth: Growth; readonly of: (size: number) => number }[] = [
  { growth: 'O(1)', of: () => 0 },
  { growth: 'O(log n)', of: (size) => Math.log2(size) },
  { growth: 'O(√n)', of: (size) => Math.sqrt(size) },
  { growth: 'O(n)', of: (size) => size },
  { growth: 'O(n log n)', of: (size) => size * Math.log2(size) },
  { growth: 'O(n²)', of: (size) => size * size }
]

/** Least squares of `cost = fixed + slope × shape`, relative to the cost, so that small sizes count as much as large. */
function misfit(points: readonly CostAtSize[], of: (size: number) => number): number {
  let [weights, x, y, xx, xy] = [0, 0, 0, 0, 0]
  for (const { size, cost } of points) {
    const weight = 1 / (cost * cost)
    const shape = of(size)
    weights += weight
    x += weight * shape
    y += weight * cost
    xx += weight * shape * shape
    xy += weight * shape * cost
  }
  const spread = weights * xx - x * x
  // A cost does not fall with size: a falling line is noise around a flat one.
  const slope = spread > 1e-9 * weights * xx ? Math.max(0, (weights * xy - x * y) / spread) : 0
  const fixed = (y - slope * x) / weights
  return points.reduce((sum, { size, cost }) => sum + ((fixed + slope * of(size)) / cost - 1) ** 2, 0)
}

/**
 * The slowest growth that explains the costs: a faster one has to halve the misfit. Costs that stay within a fifth of
 * each other do not grow.
 */
export function growthOf(points: readonly CostAtSize[]): Growth {
  const costs = points.map(({ cost }) => cost)
  if (Math.max(...costs) <= Math.min(...costs) * 1.2) return 'O(1)'
  let best: { readonly growth: Growth; readonly misfit: number } | undefined
  for (const { growth, of } of SHAPES) {
    const found = misfit(points, of)
    if (best === undefined || found < best.misfit / 2) best = { growth, misfit: found }
  }
  return best?.growth ?? 'O(1)'
}

/** Whether a growth is more than O(log n), which the table names. */
export const growsFast = (growth: Growth): boolean => growth !== 'O(1)' && growth !== 'O(log n)'
