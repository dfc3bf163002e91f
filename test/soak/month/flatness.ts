/** What the till has open and uses, once a day, and how much of it grows. */
import { growth } from '../growth.ts'

/** One value for each measured quantity, by its name in `QUANTITIES`. */
export type Sample = Readonly<Record<Quantity, number>>

/**
 * The greatest growth from the end of the warm-up to the end of the month. Heaps are measured after a garbage collection;
 * memory is what no other process has, in which the operating system's caches of the process oscillate. The page's heap grows
 * by compiled code, less each day.
 */
const QUANTITIES = {
  'main: timers': 0,
  'main: listeners': 0,
  'main: handles': 6,
  'main: file descriptors': 6,
  'main: heap, MB': 1.5,
  'main: memory, MB': 15,
  'page: timers': 0,
  'page: listeners': 20,
  'page: nodes': 200,
  'page: heap, MB': 1,
  'page: memory, MB': 15,
  'display: listeners': 20,
  'display: nodes': 200,
  'display: heap, MB': 1,
  'PDF worker: memory, MB': 15,
  'settings, kB': 2,
  'log, MB': 5.1
} as const

type Quantity = keyof typeof QUANTITIES

/** A line of the table. */
export interface Flatness {
  readonly name: Quantity
  readonly first: number
  readonly warm: number
  readonly last: number
  /** along the regression line of the samples after the warm-up; of the log its largest size */
  readonly growth: number
  readonly limit: number
  readonly isFlat: boolean
}

const names = Object.keys(QUANTITIES) as Quantity[]

/**
 * Returns a line for each quantity of the samples, of which the first `warmUp` are excluded from the growth. With `counts`
 * only, heaps and memory are left out: their warm-up takes days.
 */
export function flatness(samples: readonly Sample[], warmUp: number, counts = false): Flatness[] {
  return names
    .filter((name) => !counts || !/heap|memory/.test(name))
    .map((name) => {
      const values = samples.map((sample) => sample[name])
      const [first = 0, warm = 0, last = 0] = [values[0], values[warmUp], values.at(-1)]
      const limit = QUANTITIES[name]
      // The log grows until its oldest file is removed.
      const grown = name === 'log, MB' ? Math.max(...values) : growth(values.slice(warmUp))
      return { name, first, warm, last, growth: grown, limit, isFlat: grown <= limit + 1e-9 }
    })
}
