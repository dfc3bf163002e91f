import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Failure } from '../../../electron/contract/failure.ts'
import type { Customer } from '../../../electron/contract/loyalty.ts'
import {
  calculatePoints,
  type PointsCalculation,
  type PointsRule
} from '../../../electron/contract/points-calculation.ts'
import type { IssuedSlip } from '../../../electron/contract/slips.ts'
import type { CheckoutDraft } from '../../../electron/contract/till.ts'
import { parseAmount, parsePoints } from '../format/numbers.ts'
import type { IpcClient } from './ipc-client.svelte.ts'
import { IssuedSlips } from './issued-slips.svelte.ts'

/** What was asked to be issued: kept apart from the form, which may have moved on when the answer comes. */
interface IssueRequest {
  readonly intentId: string
  readonly points: number
  readonly customer: Customer | null
  /** papers in all; null leaves it to the settings */
  readonly copies: number | null
}

/** What the form goes by. */
export interface FormHabits {
  /** the rule by which points follow from a bill, or null */
  readonly rule: () => PointsRule | null
  /** whether the customer is cleared after each slip */
  readonly clearCustomer: () => boolean
}

/** A till's first ones. */
export const USUAL_HABITS: FormHabits = { rule: () => null, clearCustomer: () => true }

/**
 * Failures after which a code may be there, kept in main: the same intent is asked again, so that it comes out
 * instead of a second one.
 */
const isOpen = (failure: Failure): boolean => failure.kind === 'internal' || failure.kind === 'not-saved'

/**
 * The points form: who gets how many points, and the one intent that this stands for. The intent is made when the
 * form opens; pressing again reuses it, so that main issues it once. It is over when a slip came of it or the service
 * refused it, and the next press is a new one.
 */
export class PointsForm {
  readonly #bridge: Bridge
  readonly #ipc: IpcClient
  readonly #finished: () => void
  readonly #habits: FormHabits
  readonly bill: Bill
  readonly issuedSlips: IssuedSlips
  #points = $state('')
  #customer = $state.raw<Customer | null>(null)
  #intentId = $state(crypto.randomUUID() as string)
  #running = $state.raw<IssueRequest | null>(null)
  #failure = $state.raw<Failure | null>(null)
  #unknown = $state.raw<IssueRequest | null>(null)
  #copies = $state<number | null>(null)

  /** `finished` is called when a slip was handed over and the form is empty again. */
  constructor(bridge: Bridge, ipc: IpcClient, finished: () => void, habits: FormHabits = USUAL_HABITS) {
    this.#bridge = bridge
    this.#ipc = ipc
    this.#finished = finished
    this.#habits = habits
    this.bill = new Bill(habits.rule, (points) => {
      this.#setPoints(points)
    })
    this.issuedSlips = new IssuedSlips(bridge, ipc)
  }

  /** The points as typed. */
  get points(): string {
    return this.#points
  }

  /** Typing points: a bill that gave others no longer counts. */
  set points(text: string) {
    if (text === this.#points) return
    this.bill.clear()
    this.#setPoints(text)
  }

  #setPoints(text: string): void {
    // Other points are another wish, even after a failure that left the last one open.
    if (this.#failure && isOpen(this.#failure)) this.#intentId = crypto.randomUUID()
    this.#points = text
    this.#failure = null
    if (text.trim() !== '') this.issuedSlips.clear()
  }

  /** How many papers this slip gets; null for as many as the settings say. */
  get copies(): number | null {
    return this.#copies
  }

  set copies(copies: number | null) {
    this.#copies = copies
  }

  get customer(): Customer | null {
    return this.#customer
  }

  /** Choosing or clearing a customer opens the form anew. */
  set customer(customer: Customer | null) {
    const another = customer?.id !== this.#customer?.id
    this.#customer = customer
    if (another) this.#intentId = crypto.randomUUID()
    if (customer) this.issuedSlips.clear()
  }

  get intentId(): string {
    return this.#intentId
  }

  /** The typed points as a number; null while they cannot be issued. */
  get amount(): number | null {
    const parsed = parsePoints(this.#points)
    return parsed.ok ? parsed.value : null
  }

  /** Whether Print slip was pressed for what stands in the form, and what came of it is not settled. */
  get pressed(): boolean {
    return (this.#running ?? this.#unknown)?.intentId === this.#intentId
  }

  get running(): boolean {
    return this.#running !== null
  }

  get failure(): Failure | null {
    return this.#failure
  }

  /** What nobody knows the outcome of, until the cashier decides. */
  get unknown(): IssueRequest | null {
    return this.#unknown
  }

  /** The slip that was issued last, in sight until the next one starts. */
  get last(): IssuedSlip | null {
    return this.issuedSlips.last
  }

  /** Issues what stands in the form, and prints it. A press while one is under way changes nothing. */
  async print(): Promise<void> {
    if (this.#running || this.#unknown) return
    // The second half of a double click must not complain about the form that the first half emptied.
    if (this.last && this.#points.trim() === '' && !this.#customer) return
    const parsed = parsePoints(this.#points)
    if (!parsed.ok) {
      this.#failure = parsed.failure
      return
    }
    await this.#issue({
      intentId: this.#intentId,
      points: parsed.value,
      customer: this.#customer,
      copies: this.#copies
    })
  }

  /**
   * Puts the form back as it stood when the page was lost. Where Print slip had been pressed, the same intent is asked
   * again: main gives what came of it, and issues nothing twice.
   */
  restore(
    draft: Pick<CheckoutDraft, 'intentId' | 'pressed' | 'customer' | 'points' | 'bill' | 'copies'>
  ): void {
    this.bill.text = draft.bill
    this.#points = draft.points
    this.#customer = draft.customer
    this.#copies = draft.copies
    this.#intentId = draft.intentId
    if (draft.pressed) void this.print()
  }

  /** After an unknown outcome: issues the same again, as a new intent. */
  async issueAgain(): Promise<void> {
    const wish = this.#unknown
    if (!wish || this.#running) return
    this.#unknown = null
    const intentId = crypto.randomUUID()
    if (this.#intentId === wish.intentId) this.#intentId = intentId
    await this.#issue({ ...wish, intentId })
  }

  /** After an unknown outcome: leaves it at that. What was typed stays. */
  leaveUnknown(): void {
    if (this.#unknown?.intentId === this.#intentId) this.#intentId = crypto.randomUUID()
    this.#unknown = null
  }

  async #issue(wish: IssueRequest): Promise<void> {
    this.#running = wish
    this.#failure = null
    this.issuedSlips.expect(wish.intentId)
    const { intentId, points, copies } = wish
    const customer = wish.customer && { id: wish.customer.id, name: wish.customer.name }
    const answer = await this.#ipc.invoke(() =>
      this.#bridge.slips.issue({ intentId, points, customer, ...(copies === null ? {} : { copies }) })
    )
    this.#running = null
    if (answer.ok) this.#settle(wish, answer.value)
    else if (answer.failure.kind === 'unknown-outcome') this.#unknown = wish
    else this.#refused(wish, answer.failure)
  }

  #settle(wish: IssueRequest, issued: IssuedSlip): void {
    const { state, failure } = issued.slip
    if (state === 'unknown' || state === 'requested') this.#unknown = wish
    else if (state === 'refused') this.#refused(wish, failure ?? { kind: 'internal' })
    else {
      this.issuedSlips.take(issued)
      // The cashier may have begun the next one while this was under way.
      if (this.#intentId === wish.intentId) {
        this.#empty()
        this.#finished()
      }
    }
  }

  #refused(wish: IssueRequest, failure: Failure): void {
    this.#failure = failure
    if (this.#intentId === wish.intentId && !isOpen(failure)) this.#intentId = crypto.randomUUID()
  }

  #empty(): void {
    this.#points = ''
    this.bill.clear()
    this.#copies = null
    if (this.#habits.clearCustomer()) this.#customer = null
    this.#intentId = crypto.randomUUID()
  }
}

/** What a typed bill comes to: its points or why it has none, with the amount as it was read. */
export type BillResult = { readonly amount: string; readonly rule: PointsRule } & PointsCalculation

/** The bill that points are reckoned from, where the settings have a rule for it. */
export class Bill {
  readonly #rule: () => PointsRule | null
  readonly #calculated: (points: string) => void
  #text = $state('')
  #outcome = $state.raw<BillResult | null>(null)
  #failure = $state.raw<Failure | null>(null)

  /** `reckoned` is called with the points as text, empty where the bill gives none, whenever the bill changes. */
  constructor(rule: () => PointsRule | null, calculated: (points: string) => void) {
    this.#rule = rule
    this.#calculated = calculated
  }

  /** The bill as typed. */
  get text(): string {
    return this.#text
  }

  set text(text: string) {
    if (text === this.#text) return
    this.#text = text
    this.#calculate()
    this.#calculated(this.#outcome?.kind === 'points' ? String(this.#outcome.points) : '')
  }

  /** null while nothing was typed, or nothing that can be read. */
  get outcome(): BillResult | null {
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

  #calculate(): void {
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
