import { mapResult, type Failure } from '../../../electron/contract/failure.ts'
import {
  calculatePoints,
  type BillAmounts,
  type EarningRule,
  type PointsCalculation,
  keptCalculation,
  type Calculation
} from '../../../electron/contract/points-calculation.ts'
import { parseAmount } from '../format/numbers.ts'

/** The result of a bill: its points or why there are none, the amount as it was parsed, and the customer's level. */
export type BillResult = Pick<BillAmounts, 'amount' | 'level'> & {
  readonly rule: EarningRule
} & PointsCalculation

/** The bill amount that points are calculated from, if the settings have a rule. */
export class Bill {
  readonly #rule: () => EarningRule | null
  readonly #level: () => string | undefined
  readonly #onCalculated: (points: string) => void
  #text = $state('')
  /** the level of the last calculation */
  #countedLevel: string | undefined
  /** null if nothing was typed or it cannot be parsed. */
  outcome = $state.raw<BillResult | null>(null)
  /** Why the amount is invalid. */
  failure = $state.raw<Failure | null>(null)

  /**
   * @param level name of the customer's level; undefined: none
   * @param onCalculated called with the points as text at each change of the bill; empty if there are none
   */
  constructor(
    rule: () => EarningRule | null,
    level: () => string | undefined,
    onCalculated: (points: string) => void
  ) {
    this.#rule = rule
    this.#level = level
    this.#onCalculated = onCalculated
  }

  /** The amount as typed. */
  get text(): string {
    return this.#text
  }

  /** Replaces the amount, and calculates the points. */
  typeAmount(text: string): void {
    if (text === this.#text) return
    this.#text = text
    this.#calculate()
  }

  /** Calculates the points again if they were calculated for another level of the customer. */
  followLevel(): void {
    if (this.#text.trim() !== '' && this.#countedLevel !== this.#level()) this.#calculate()
  }

  /** Returns what these points were calculated from by the shop's rules; null if they were not. */
  calculationOf(points: number): Calculation | null {
    const { outcome } = this
    return outcome?.kind === 'points' && outcome.points === points
      ? keptCalculation(outcome, outcome.rule)
      : null
  }

  /** Clears the amount; the points stay. */
  clear(): void {
    this.#text = ''
    this.outcome = null
    this.failure = null
  }

  #calculate(): void {
    this.outcome = null
    this.failure = null
    this.#countedLevel = this.#level()
    const rule = this.#rule()
    this.#onCalculated(rule && this.#text.trim() !== '' ? this.#calculateWith(rule) : '')
  }

  /** Returns the points as text. */
  #calculateWith(rule: EarningRule): string {
    const level = this.#countedLevel
    const bill = mapResult(parseAmount(this.#text, rule.currency), (amount) => ({
      ...{ amount, ...(level !== undefined && { level }) }
    }))
    const outcome = bill.ok ? calculatePoints(bill.value, rule) : bill
    if (!outcome.ok) {
      this.failure = outcome.failure
      return ''
    }
    if (bill.ok) this.outcome = { ...bill.value, rule, ...outcome.value }
    return outcome.value.kind === 'points' ? String(outcome.value.points) : ''
  }
}
