/** Growth of a series of samples, by linear regression. */

/** Share of the samples that is the warm-up: caches fill, code is compiled. */
const WARM_UP_SHARE = 0.4

/** Returns the growth from the first to the last value along the least-squares line. */
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

/** Returns the growth after the warm-up. */
export const growthAfterWarmUp = (values: readonly number[]): number =>
  growth(values.slice(Math.floor(values.length * WARM_UP_SHARE)))
