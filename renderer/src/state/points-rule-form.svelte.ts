import {
  calculatePoints,
  ownRule,
  type PointsCalculation,
  type PointsRule,
  type RoundingMode
} from '../../../electron/contract/points-calculation.ts'
import { parseDecimal } from '../format/numbers.ts'
import type { Till } from './till.svelte.ts'

/** The bill amount of the example in the settings. */
export const EXAMPLE_AMOUNT = '12.50'

/** Which number of the rule is invalid. */
export type RuleFault = 'points-per-unit' | 'minimum'

/** The form of the rule that calculates points from a bill. */
export class PointsRuleForm {
  readonly #till: Till
  /** whether the fields of a rule that is not saved yet are shown */
  #isNew = $state(false)
  /** The number that was invalid at the last attempt to save. */
  fault = $state<RuleFault | null>(null)
  pointsPerUnit = $state('1')
  rounding = $state<RoundingMode>('down')
  minimum = $state('0')
  currency = $state('EUR')

  constructor(till: Till) {
    this.#till = till
    const rule = till.state?.settings.pointsRule
    if (!rule) return
    this.pointsPerUnit = rule.pointsPerUnit
    this.rounding = rule.rounding
    this.minimum = rule.minimum
    this.currency = rule.currency
  }

  /** Whether the cashier types bill amounts, or a rule is being typed. */
  get enabled(): boolean {
    return this.#isNew || Boolean(this.#till.state?.settings.pointsRule)
  }

  /** Turns the rule on or off. Off is saved at once, on with `save`. */
  async setEnabled(enabled: boolean): Promise<void> {
    this.#isNew = enabled
    this.fault = null
    // A rule that is being saved is removed, too.
    const isSaving = this.#till.request.running
    if (!enabled && (isSaving || this.#till.state?.settings.pointsRule))
      await this.#till.set({ pointsRule: null })
  }

  /** The rule of the form; null if a number is invalid. */
  get rule(): PointsRule | null {
    const { pointsPerUnit, minimum } = this.#parse()
    if (pointsPerUnit === null || minimum === null) return null
    return { pointsPerUnit, minimum, rounding: this.rounding, currency: this.currency }
  }

  /** The result of `EXAMPLE_AMOUNT` by the shop's rules, or else by the form; null if its rule is invalid. */
  get example(): (PointsCalculation & Pick<PointsRule, 'currency'>) | null {
    const { rule } = this
    const earning = this.#till.state?.shopRule ?? (rule && ownRule(rule))
    if (!earning) return null
    const answer = calculatePoints({ amount: EXAMPLE_AMOUNT }, earning)
    return answer.ok ? { ...answer.value, currency: earning.currency } : null
  }

  /** Whether the form differs from the settings. */
  get unsaved(): boolean {
    const saved = this.#till.state?.settings.pointsRule
    const { rule } = this
    if (!saved || !rule) return true
    return (['pointsPerUnit', 'minimum', 'rounding', 'currency'] as const).some(
      (name) => saved[name] !== rule[name]
    )
  }

  /** Saves the rule, or sets `fault` if a number is invalid. */
  async save(): Promise<void> {
    const { rule } = this
    this.fault = rule ? null : this.#parse().pointsPerUnit === null ? 'points-per-unit' : 'minimum'
    if (rule && (await this.#till.set({ pointsRule: rule }))) this.#isNew = false
  }

  #parse() {
    const pointsPerUnit = parseDecimal(this.pointsPerUnit)
    return {
      pointsPerUnit: pointsPerUnit !== null && /[1-9]/u.test(pointsPerUnit) ? pointsPerUnit : null,
      minimum: this.minimum.trim() === '' ? '0' : parseDecimal(this.minimum)
    }
  }
}
