import type { LinkedBill } from '../../../electron/contract/local-interface.ts'
import type { Bridge } from '../../../electron/contract/bridge.ts'
import { ok, type Failure } from '../../../electron/contract/failure.ts'
import type { Customer } from '../../../electron/contract/loyalty.ts'
import {
  calculatePoints,
  type PointsCalculation,
  type PointsRule
} from '../../../electron/contract/points-calculation.ts'
import type { IssuedSlip } from '../../../electron/contract/slips.ts'
import type { CheckoutDraft } from '../../../electron/contract/till.ts'
import { parseAmount, parsePoints, typedAmount } from '../format/numbers.ts'
import { isOutcomeOpen, type IpcClient } from './ipc-client.svelte.ts'
import { IssuedSlips } from './issued-slips.svelte.ts'

/**
 * One request to issue a slip. It is separate from the form, which may have changed when the response arrives.
 */
interface IssueRequest {
  readonly intentId: string
  readonly points: number
  readonly customer: Customer | null
  /** number of printed copies; null for the number in the settings */
  readonly copies: number | null
  /** the bill of another program */
  readonly linkedBill: LinkedBill | null
  /** the number of edits at that time */
  readonly edits: number
}

/** The settings that the form depends on. */
export interface PointsFormOptions {
  /** the rule to calculate points from a bill, or null */
  readonly rule: () => PointsRule | null
  /** whether the customer is cleared after each slip */
  readonly clearCustomer: () => boolean
}

/** The options of a new till. */
export const DEFAULT_POINTS_FORM_OPTIONS: PointsFormOptions = { rule: () => null, clearCustomer: () => true }

/**
 * The points form: customer, points, and the intent id of the slip. The intent id stays while the form does, so that the
 * main process issues one slip however often the button is pressed. What is typed or chosen then is another intent. So is
 * the same form once a slip was issued or the service refused it.
 */
export class PointsForm {
  readonly #bridge: Bridge
  readonly #ipc: IpcClient
  readonly #onFinished: () => void
  readonly #options: PointsFormOptions
  readonly bill: Bill
  readonly issuedSlips: IssuedSlips
  /** number of printed copies of this slip; null for the number in the settings */
  copies = $state<number | null>(null)
  #points = $state('')
  /** how often points or bill were typed or filled in: the same number typed again is another one */
  #edits = 0
  #customer = $state.raw<Customer | null>(null)
  #intentId = $state(crypto.randomUUID() as string)
  #running = $state.raw<IssueRequest | null>(null)
  failure = $state.raw<Failure | null>(null)
  /** The request with an unknown outcome, until the cashier decides. */
  unknown = $state.raw<IssueRequest | null>(null)
  #linkedBill = $state.raw<LinkedBill | null>(null)

  /** `onFinished` is called when a slip was issued and the form is empty again. */
  constructor(
    bridge: Bridge,
    ipc: IpcClient,
    onFinished: () => void,
    options: PointsFormOptions = DEFAULT_POINTS_FORM_OPTIONS
  ) {
    this.#bridge = bridge
    this.#ipc = ipc
    this.#onFinished = onFinished
    this.#options = options
    this.bill = new Bill(options.rule, (points) => {
      this.#setPoints(points)
    })
    this.issuedSlips = new IssuedSlips(bridge, ipc)
  }

  /** The points as typed. */
  get points(): string {
    return this.#points
  }

  /** Replaces the points, and clears the bill. */
  typePoints(text: string): void {
    if (text === this.#points) return
    this.bill.clear()
    this.#setPoints(text)
  }

  /** Adds points to those that are typed. Text that is no number stays as typed, with a failure. */
  addPoints(points: number): void {
    const typed = this.#points.trim() === '' ? ok(0) : parsePoints(this.#points)
    if (typed.ok) this.typePoints(String(typed.value + points))
    else this.failure = typed.failure
  }

  #setPoints(text: string): void {
    this.#intentId = crypto.randomUUID()
    this.#points = text
    this.#edits++
    const parsed = parsePoints(text)
    // Said at once, because more digits make it no better. Other text may become a number.
    this.failure = !parsed.ok && parsed.failure.kind === 'points-too-many' ? parsed.failure : null
    if (text.trim() !== '') this.issuedSlips.clear()
  }

  /** The bill of another program that the form was filled in from, without its phone; null if there is none. */
  get linkedBill(): LinkedBill | null {
    return this.#linkedBill
  }

  /** Whether neither points nor a bill are in the form. */
  get empty(): boolean {
    return this.#points.trim() === '' && this.bill.text.trim() === '' && this.#linkedBill === null
  }

  /** Replaces points and bill by those of another program. Without a rule, the points of an amount stay empty. */
  fillIn(bill: LinkedBill): void {
    this.bill.clear()
    this.copies = null
    this.#linkedBill = { ...bill, phone: null }
    if (bill.amount && this.#options.rule()) this.bill.typeAmount(typedAmount(bill.amount.value))
    else this.#setPoints(bill.points === null ? '' : String(bill.points))
  }

  /** Removes that bill with its points. */
  removeLinkedBill(): void {
    this.#linkedBill = null
    this.bill.clear()
    this.#setPoints('')
  }

  get customer(): Customer | null {
    return this.#customer
  }

  /** Chooses a customer, or none. Another customer is another request, with a new intent id. */
  chooseCustomer(customer: Customer | null): void {
    const another = customer?.id !== this.#customer?.id
    this.#customer = customer
    if (another) this.#intentId = crypto.randomUUID()
    if (customer) this.issuedSlips.clear()
  }

  get intentId(): string {
    return this.#intentId
  }

  /** The typed points as a number; null if they are invalid. */
  get parsedPoints(): number | null {
    const parsed = parsePoints(this.#points)
    return parsed.ok ? parsed.value : null
  }

  /** Whether Print slip was pressed for this form and the outcome is open. */
  get pressed(): boolean {
    return (this.#running ?? this.unknown)?.intentId === this.#intentId
  }

  get running(): boolean {
    return this.#running !== null
  }

  /** The slip that was issued last, until the next one starts. */
  get last(): IssuedSlip | null {
    return this.issuedSlips.last
  }

  /** Issues and prints the slip. Does nothing while a request is running. */
  async print(): Promise<void> {
    if (this.#running || this.unknown) return
    // The second press of a double click arrives after the form was emptied: it is not an error.
    if (this.last && this.#points.trim() === '' && !this.#customer) return
    const parsed = parsePoints(this.#points)
    if (!parsed.ok) {
      this.failure = parsed.failure
      return
    }
    await this.#issue({
      intentId: this.#intentId,
      points: parsed.value,
      customer: this.#customer,
      copies: this.copies,
      linkedBill: this.#linkedBill,
      edits: this.#edits
    })
  }

  /**
   * Restores the form after the page was lost. If Print slip had been pressed, the same intent is requested again:
   * the main process returns its outcome and issues nothing twice.
   */
  restore(
    draft: Pick<
      CheckoutDraft,
      'intentId' | 'pressed' | 'customer' | 'points' | 'bill' | 'copies' | 'linkedBill'
    >
  ): void {
    this.bill.typeAmount(draft.bill)
    this.#points = draft.points
    this.#customer = draft.customer
    this.copies = draft.copies
    this.#linkedBill = draft.linkedBill
    this.#intentId = draft.intentId
    if (draft.pressed) void this.print()
  }

  /** After an unknown outcome: issues the same points again with a new intent id. */
  async issueAgain(): Promise<void> {
    const request = this.unknown
    if (!request || this.#running) return
    this.unknown = null
    const intentId = crypto.randomUUID()
    if (this.#intentId === request.intentId) this.#intentId = intentId
    await this.#issue({ ...request, intentId })
  }

  /** After an unknown outcome: keeps it as unknown. The form keeps its values. */
  keepUnknown(): void {
    if (this.unknown?.intentId === this.#intentId) this.#intentId = crypto.randomUUID()
    this.unknown = null
  }

  async #issue(request: IssueRequest): Promise<void> {
    this.#running = request
    this.failure = null
    this.issuedSlips.track(request.intentId)
    const { intentId, points, copies } = request
    const reference = request.linkedBill?.reference ?? null
    const customer = request.customer && { id: request.customer.id, name: request.customer.name }
    const answer = await this.#ipc.invoke(() =>
      this.#bridge.slips.issue({
        intentId,
        points,
        customer,
        ...(copies === null ? {} : { copies }),
        ...(reference === null ? {} : { reference })
      })
    )
    this.#running = null
    // The cashier may have started the next slip meanwhile: it inherits nothing, whatever became of this one.
    if (!this.#isOf(request)) this.#clear(request)
    if (answer.ok) this.#acceptResult(request, answer.value)
    else if (answer.failure.kind === 'unknown-outcome') this.unknown = request
    else this.#showFailure(request, answer.failure)
  }

  #acceptResult(request: IssueRequest, issued: IssuedSlip): void {
    const { state, failure } = issued.slip
    if (state === 'unknown' || state === 'requested') this.unknown = request
    else if (state === 'refused') this.#showFailure(request, failure ?? { kind: 'internal' })
    else {
      this.issuedSlips.add(issued)
      if (!this.#isOf(request)) return
      const isEmpty = this.#clear(request)
      if (this.#options.clearCustomer()) this.#customer = null
      if (isEmpty) {
        this.#intentId = crypto.randomUUID()
        this.#onFinished()
      }
    }
  }

  /** Whether the form still has the customer and the bill of a request, perhaps with other points. */
  #isOf({ customer, linkedBill }: IssueRequest): boolean {
    return this.#customer?.id === customer?.id && this.#linkedBill === linkedBill
  }

  #showFailure(request: IssueRequest, failure: Failure): void {
    this.failure = failure
    if (this.#intentId === request.intentId && !isOutcomeOpen(failure)) this.#intentId = crypto.randomUUID()
  }

  /** Clears what was sent, except for the customer. What was typed since then stays. Returns whether the points are empty. */
  #clear({ edits, copies, linkedBill }: IssueRequest): boolean {
    const isUnchanged = this.#edits === edits
    if (isUnchanged) {
      this.#points = ''
      this.bill.clear()
    }
    if (this.copies === copies) this.copies = null
    if (this.#linkedBill === linkedBill) this.#linkedBill = null
    return isUnchanged
  }
}

/** The result of a bill: its points or why there are none, and the amount as it was parsed. */
export type BillResult = { readonly amount: string; readonly rule: PointsRule } & PointsCalculation

/** The bill amount that points are calculated from, if the settings have a rule. */
export class Bill {
  readonly #rule: () => PointsRule | null
  readonly #onCalculated: (points: string) => void
  #text = $state('')
  /** null if nothing was typed or it cannot be parsed. */
  outcome = $state.raw<BillResult | null>(null)
  /** Why the amount is invalid. */
  failure = $state.raw<Failure | null>(null)

  /** `onCalculated` is called with the points as text at each change of the bill; empty if there are none. */
  constructor(rule: () => PointsRule | null, onCalculated: (points: string) => void) {
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
    const outcome = amount.ok ? calculatePoints(amount.value, rule) : amount
    if (!outcome.ok) this.failure = outcome.failure
    else if (amount.ok) this.outcome = { amount: amount.value, rule, ...outcome.value }
  }
}
