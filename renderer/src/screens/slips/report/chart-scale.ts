/** The scale of a chart: round numbers that a person would have chosen. */

/** Lines across a chart, from nothing up. */
export interface Scale {
  /** the value at the upper edge */
  readonly top: number
  readonly ticks: readonly number[]
}

const STEPS = [1, 2, 5, 10]
/** As many spaces between the lines as are read at a glance. */
const MOST_SPACES = 4

/** A scale that holds `largest`, in whole numbers: nobody issues half a slip. */
export function scaleFor(largest: number): Scale {
  const least = Math.max(1, largest) / MOST_SPACES
  const magnitude = 10 ** Math.max(0, Math.floor(Math.log10(least)))
  const factor = STEPS.find((step) => step * magnitude >= least) ?? 10
  const step = factor * magnitude
  const spaces = Math.max(1, Math.ceil(largest / step))
  return {
    top: spaces * step,
    ticks: Array.from({ length: spaces + 1 }, (_, index) => index * step)
  }
}
