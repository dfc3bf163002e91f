import type { Failure } from '../../../electron/contract/failure.ts'
import {
  calculatePoints,
  type EarningRule,
  type PointsCalculation,
  keptCalculation,
  type Calculation
} from '../../../electron/contract/points-calculation.ts'
import { parseAmount } from '../format/numbers.ts'

/** The result of a bill: its points or why there are none, and the amount as it was parsed. */
export type BillResult = { readonly amount: string; readonly rule: EarningRule } & PointsCalculation

/** The bill amount that points are calculated from, if the settings have a rule. */
export class Bill {
  readonly #rule: () => EarningRule | null
  readonly #onCalculated: (points: string) => void
  #text = $state('')
  /** null if nothing was typed or it cannot be parsed. */
  outcome = $state.raw<BillResult | null>(null)
  /** Why the amount is invalid. */
  failure = $state.raw<Failure | null>(null)

  /** `onCalculated` is called with the points as text at each change of the bill; empty if there are none. */
  constructor(rule: () => EarningRule | null, onCalculated: (points: string) => void) {
    this.#rule = rule
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
    this.#onCalculated(this.outcome?.kind === 'points' ? String(this.outcome.points) : '')
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
    const rule = this.#rule()
    if (!rule || this.#text.trim() === '') return
    const amount = parseAmount(this.#text, rule.currency)
    const outcome = amount.ok ? calculatePoints({ amount: amount.value }, rule) : amount
    if (!outcome.ok) this.failure = outcome.failure
    else if (amount.ok) this.outcome = { amount: amount.value, rule, ...outcome.value }
  }
}
