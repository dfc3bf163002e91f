/** Whether something stays as it is while the till works, by the line that fits its samples best. */

/** How much of a run counts as warming up: caches fill, code is compiled. */
const WARM_UP = 0.4

/** Least squares: what `values` grow by from the first to the last of them, along the line through all. */
export function growth(values: readonly number[]): number {
  const count = values.length
  if (count < 2) return 0
  const middle = (count - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / count
  let along = 0
  let square = 0
  for (const [index, value] of values.entries()) {
    along += (index - middle) * (value - mean)
    square += (index - middle) ** 2
  }
  return (along / square) * (count - 1)
}

/** What they grow by once warm. */
export const growthOnceWarm = (values: readonly number[]): number =>
  growth(values.slice(Math.floor(values.length * WARM_UP)))
