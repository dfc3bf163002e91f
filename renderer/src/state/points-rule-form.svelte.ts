import {
  calculatePoints,
  type PointsCalculation,
  type PointsRule,
  type RoundingMode
} from '../../../electron/contract/points-calculation.ts'
import { parseDecimal } from '../format/numbers.ts'
import type { Till } from './till.svelte.ts'

/** A bill for the example beside the form. */
export const EXAMPLE_AMOUNT = '12.50'

/** What can be wrong with the rule's numbers. */
export type RuleFault = 'points-per-unit' | 'minimum'

/** The rule by which points follow from a bill, as it is being changed. */
export class PointsRuleForm {
  readonly #till: Till
  #on = $state(false)
  #fault = $state<RuleFault | null>(null)
  pointsPerUnit = $state('1')
  rounding = $state<RoundingMode>('down')
  minimum = $state('0')
  currency = $state('EUR')

  constructor(till: Till) {
    this.#till = till
    const rule = till.state?.settings.pointsRule
    if (!rule) return
    this.#on = true
    this.pointsPerUnit = rule.pointsPerUnit
    this.rounding = rule.rounding
    this.minimum = rule.minimum
    this.currency = rule.currency
  }

  /** Whether the cashier types bills. */
  get on(): boolean {
    return this.#on
  }

  /** Off is kept at once; on is kept with its rule. */
  async turn(on: boolean): Promise<void> {
    this.#on = on
    this.#fault = null
    if (!on && this.#till.state?.settings.pointsRule) await this.#till.set({ pointsRule: null })
  }

  /** The number that could not be used at the last try to save. */
  get fault(): RuleFault | null {
    return this.#fault
  }

  /** The rule as it stands on the screen; null while its numbers are none. */
  get rule(): PointsRule | null {
    const { pointsPerUnit, minimum } = this.#read()
    if (pointsPerUnit === null || minimum === null) return null
    return { pointsPerUnit, minimum, rounding: this.rounding, currency: this.currency }
  }

  /** What a bill of `EXAMPLE_AMOUNT` comes to; null where that cannot be said. */
  get example(): PointsCalculation | null {
    const { rule } = this
    const answer = rule && calculatePoints(EXAMPLE_AMOUNT, rule)
    return answer?.ok ? answer.value : null
  }

  /** Whether the screen stands otherwise than what is kept. */
  get unsaved(): boolean {
    const saved = this.#till.state?.settings.pointsRule
    const { rule } = this
    if (!saved || !rule) return true
    return (['pointsPerUnit', 'minimum', 'rounding', 'currency'] as const).some(
      (name) => saved[name] !== rule[name]
    )
  }

  /** Keeps the rule, unless one of its numbers is none (`fault`). */
  async save(): Promise<void> {
    const { rule } = this
    this.#fault = rule ? null : this.#read().pointsPerUnit === null ? 'points-per-unit' : 'minimum'
    if (rule) await this.#till.set({ pointsRule: rule })
  }

  #read() {
    const pointsPerUnit = parseDecimal(this.pointsPerUnit)
    return {
      pointsPerUnit: pointsPerUnit !== null && /[1-9]/u.test(pointsPerUnit) ? pointsPerUnit : null,
      minimum: this.minimum.trim() === '' ? '0' : parseDecimal(this.minimum)
    }
  }
}
