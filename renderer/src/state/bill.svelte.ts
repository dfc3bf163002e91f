import type { Failure } from '../../../electron/contract/failure.ts'
import {
  calculatePoints,
  type PointsCalculation,
  type PointsRule
} from '../../../electron/contract/points-calculation.ts'
import { parseAmount } from '../format/amounts.ts'

/** What a typed bill comes to: its points or why it has none, with the amount as it was read. */
export type BillOutcome = { readonly amount: string; readonly rule: PointsRule } & PointsCalculation

/** The bill that points are reckoned from, where the settings have a rule for it. */
export class Bill {
  readonly #rule: () => PointsRule | null
  readonly #reckoned: (points: string) => void
  #text = $state('')
  #outcome = $state.raw<BillOutcome | null>(null)
  #failure = $state.raw<Failure | null>(null)

  /** `reckoned` is called with the points as text, empty where the bill gives none, whenever the bill changes. */
  constructor(rule: () => PointsRule | null, reckoned: (points: string) => void) {
    this.#rule = rule
    this.#reckoned = reckoned
  }

  /** The bill as typed. */
  get text(): string {
    return this.#text
  }

  set text(text: string) {
    if (text === this.#text) return
    this.#text = text
    this.#reckon()
    this.#reckoned(this.#outcome?.kind === 'points' ? String(this.#outcome.points) : '')
  }

  /** null while nothing was typed, or nothing that can be read. */
  get outcome(): BillOutcome | null {
    return this.#outcome
  }

  /** Why what was typed cannot be a bill. */
  get failure(): Failure | null {
    return this.#failure
  }

  /** Forgets the bill; the points stay as they are. */
  clear(): void {
    this.#text = ''
    this.#outcome = null
    this.#failure = null
  }

  #reckon(): void {
    this.#outcome = null
    this.#failure = null
    const rule = this.#rule()
    if (!rule || this.#text.trim() === '') return
    const amount = parseAmount(this.#text, rule.currency)
    const outcome = amount.ok ? calculatePoints(amount.value, rule) : amount
    if (!outcome.ok) this.#failure = outcome.failure
    else if (amount.ok) this.#outcome = { amount: amount.value, rule, ...outcome.value }
  }
}
