/** Whether two sets of times can be told apart. */

/** The complementary error function (Abramowitz and Stegun 7.1.26; the error is below 1.5e-7). */
const erfc = (x: number): number => {
  const t = 1 / (1 + 0.3275911 * x)
  const factors = [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592]
  return factors.reduce((sum, factor) => (sum + factor) * t, 0) * Math.exp(-x * x)
}

interface Ranked {
  readonly value: number
  readonly isFirst: boolean
}

const ranked = (first: readonly number[], second: readonly number[]): readonly Ranked[] =>
  [
    ...first.map((value) => ({ value, isFirst: true })),
    ...second.map((value) => ({ value, isFirst: false }))
  ].sort((a, b) => a.value - b.value)

/** The probability (two-sided) of such ranks if both come from one distribution: the Mann-Whitney test, by its normal limit. */
export function mannWhitney(first: readonly number[], second: readonly number[]): number {
  const all = ranked(first, second)
  let [sum, ties] = [0, 0]
  for (let from = 0; from < all.length;) {
    let to = from
    while (all[to]?.value === all[from]?.value) to += 1
    // Equal values share the mean of their ranks.
    const rank = (from + 1 + to) / 2
    sum += rank * all.slice(from, to).filter(({ isFirst }) => isFirst).length
    ties += (to - from) ** 3 - (to - from)
    from = to
  }
  const [n, m, total] = [first.length, second.length, all.length]
  const deviation = Math.sqrt(((n * m) / 12) * (total + 1 - ties / (total * (total - 1))))
  const z = (sum - (n * (total + 1)) / 2) / deviation
  return erfc(Math.abs(z) / Math.SQRT2)
}

/** The probability of such a distance between both shares of values below any, if both come from one distribution. */
export function kolmogorovSmirnov(first: readonly number[], second: readonly number[]): number {
  const all = ranked(first, second)
  let [below, distance] = [0, 0]
  all.forEach(({ value, isFirst }, index) => {
    below += isFirst ? 1 / first.length : -1 / second.length
    if (all[index + 1]?.value !== value) distance = Math.max(distance, Math.abs(below))
  })
  const lambda = distance * Math.sqrt((first.length * second.length) / all.length)
  if (lambda < 0.2) return 1
  const terms = Array.from({ length: 100 }, (_, k) => (-1) ** k * Math.exp(-2 * ((k + 1) * lambda) ** 2))
  return Math.min(1, 2 * terms.reduce((sum, term) => sum + term, 0))
}
