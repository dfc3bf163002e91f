import { formatNumber } from './numbers.ts'

/** A count as messages take it: `count` chooses the plural, `number` is what is read. */
export interface Counted {
  readonly count: number
  readonly number: string
}

/** `m.customersFound(counted(3))`. */
export const counted = (count: number): Counted => ({ count, number: formatNumber(count) })
