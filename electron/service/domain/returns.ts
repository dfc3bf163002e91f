/**
 * How many points go back with goods. The parts of a purchase are added up as exact fractions and rounded down once, so that
 * they end at all points when all goods are back, in whichever order they come.
 */
import { Refusal } from './refusal.ts'

/** A part of a purchase: its counter and its denominator. */
type Part = readonly [bigint, bigint]

/** What a purchase gave, and what of it went back before. */
export interface PurchaseState {
  /** that it gave */
  readonly points: number
  /** of them, those that went back */
  readonly returned: number
  /** the part of the goods that went back, such as `3/8` */
  readonly part: string
  /** of the points, those that have expired, which do not go back; 0 unless given */
  readonly expired?: number
}

/** What goes back: points, goods by their amounts, which are decimal texts in the currency of the bill, or all that remains. */
export type ReturnedPart =
  | { readonly points: number }
  | { readonly amount: { readonly returned: string; readonly total: string } }
  | { readonly rest: true }

/** Before anything went back. */
export const NOTHING_RETURNED = '0/1'

const parsePart = (text: string): Part => {
  const [counter = '0', denominator = '1'] = text.split('/')
  return [BigInt(counter), BigInt(denominator)]
}

const greatestDivisor = (one: bigint, other: bigint): bigint =>
  other === 0n ? one : greatestDivisor(other, one % other)

const plus = ([counter, denominator]: Part, [other, otherDenominator]: Part): Part => {
  const sum: Part = [counter * otherDenominator + other * denominator, denominator * otherDenominator]
  const divisor = greatestDivisor(...sum)
  return [sum[0] / divisor, sum[1] / divisor]
}

/** An amount as a fraction. */
const parseAmount = (text: string): Part => {
  const [whole = '', decimals = ''] = text.split('.')
  return [BigInt(whole + decimals), 10n ** BigInt(decimals.length)]
}

/** More is asked than remains. */
class ReturnTooMuch extends Refusal {
  constructor(remaining: number) {
    super('return-too-much', `Of this purchase ${remaining} points remain.`, { remaining })
  }
}

/**
 * Returns the points that go back now, and the state behind it. Throws a `Refusal` when nothing remains, or less than is
 * asked. @param part its numbers are above zero
 */
export const nextReturn = (
  { points, returned, part, expired = 0 }: PurchaseState,
  asked: ReturnedPart
): PurchaseState & { readonly taken: number; readonly remaining: number } => {
  const remaining = Math.max(0, points - returned - expired)
  if (remaining === 0) throw new Refusal('purchase-returned', 'All points of this purchase went back.')
  const whole = BigInt(points)
  let next: Part
  if ('rest' in asked) {
    next = [1n, 1n]
  } else if ('points' in asked) {
    if (asked.points > remaining) throw new ReturnTooMuch(remaining)
    // The rest of the points are all of the goods, though earlier parts were rounded.
    next = asked.points === remaining ? [1n, 1n] : plus(parsePart(part), [BigInt(asked.points), whole])
  } else {
    const [counter, denominator] = parseAmount(asked.amount.returned)
    const [total, totalDenominator] = parseAmount(asked.amount.total)
    next = plus(parsePart(part), [counter * totalDenominator, denominator * total])
  }
  const [counter, denominator] = next
  if (counter > denominator) throw new ReturnTooMuch(remaining)
  const taken = Math.min(Number((whole * counter) / denominator) - returned, remaining)
  const now = { returned: returned + taken, part: `${String(counter)}/${String(denominator)}` }
  return { points, ...now, expired, taken, remaining: remaining - taken }
}
