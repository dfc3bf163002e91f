import type { LinkedBill } from '../../../electron/contract/local-interface.ts'
import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Credit } from '../../../electron/contract/credits.ts'
import { needsApproval, ok, type Failure, type Result } from '../../../electron/contract/failure.ts'
import type { Customer } from '../../../electron/contract/loyalty.ts'
import type { IssuedSlip, Slip } from '../../../electron/contract/slips.ts'
import type { CheckoutDraft } from '../../../electron/contract/till.ts'
import { parsePoints, typedAmount } from '../format/numbers.ts'
import { Bill } from './bill.svelte.ts'
import { CustomerStanding } from './customer-standing.svelte.ts'
import { isOutcomeOpen, type IpcClient } from './ipc-client.svelte.ts'
import { IssuedSlips } from './issued-slips.svelte.ts'
import { PointsCalls } from './points-calls.ts'
import { OperationSlip } from './operation-slip.svelte.ts'
import {
  DEFAULT_POINTS_FORM_OPTIONS,
  type PointsRequest,
  type PointsFormOptions,
  type PointsWay
} from './points-form-options.ts'

/**
 * The points form: customer, points, and the intent id of the slip or credit. The intent id stays while the form does, so that
 * the main process issues one slip however often the button is pressed. What is typed or chosen then is another intent. So is
 * the same form once a slip was issued or the service refused it.
 */
export class PointsForm {
  readonly #calls: PointsCalls
  readonly #onFinished: () => void
  readonly #options: PointsFormOptions
  readonly bill: Bill
  readonly standing: CustomerStanding
  readonly issuedSlips: IssuedSlips
  /** number of printed copies of this slip; null for the number in the settings */
  copies = $state<number | null>(null)
  #points = $state('')
  /** how often points or bill were typed or filled in: the same number typed again is another one */
  #edits = 0
  #customer = $state.raw<Customer | null>(null)
  #intentId = $state(crypto.randomUUID() as string)
  #running = $state.raw<PointsRequest | null>(null)
  failure = $state.raw<Failure | null>(null)
  /** The slip with an unknown outcome, which its service does not tell, until the cashier decides. */
  unknown = $state.raw<PointsRequest | null>(null)
  #linkedBill = $state.raw<LinkedBill | null>(null)
  /** whether the cashier switched this sale to a slip */
  #isSwitched = $state(false)
  /** The credit that was answered last, until the next sale starts. */
  credited = $state.raw<Credit | null>(null)
  readonly creditSlip: OperationSlip
  /** The credit or slip whose answer was lost: main asks again with its key, and so does another press. */
  lost = $state.raw<PointsRequest | null>(null)

  /** `onFinished` is called when a slip was issued and the form is empty again. */
  constructor(
    bridge: Bridge,
    ipc: IpcClient,
    onFinished: () => void,
    options: PointsFormOptions = DEFAULT_POINTS_FORM_OPTIONS
  ) {
    this.#calls = new PointsCalls(bridge, ipc)
    this.#onFinished = onFinished
    this.#options = options
    const onChange = this.#followLevel
    this.standing = new CustomerStanding(bridge, ipc, { isOffered: options.hasShopRules, onChange })
    this.bill = new Bill(
      options.rule,
      () => this.standing.level,
      (points) => {
        this.#setPoints(points)
      }
    )
    this.issuedSlips = new IssuedSlips(bridge, ipc)
    this.creditSlip = new OperationSlip(bridge, ipc)
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
    if (text.trim() !== '') this.#clearLast()
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
    if (another) {
      this.#intentId = crypto.randomUUID()
      this.#isSwitched = false
    }
    this.#setCustomer(customer)
    if (customer) this.#clearLast()
  }

  #setCustomer(customer: Customer | null): void {
    this.#customer = customer
    this.standing.follow(customer)
  }

  /** The level counts for an amount that was typed before. What may have been asked for stays as it is on the screen. */
  readonly #followLevel = (): void => {
    const isOpen = this.failure !== null && isOutcomeOpen(this.failure)
    if (!this.pressed && !isOpen) this.bill.followLevel()
  }

  /** How the points reach the customer. */
  get way(): PointsWay {
    // A credit that may have arrived is asked for again as one: a slip beside it would double its points.
    if (this.#pending?.intentId === this.#intentId) return this.#pending.way
    if (this.#customer === null || this.#isSwitched || this.#options.creditsWait()) return 'slip'
    return this.#options.knownCustomers() === 'slip' ? 'slip' : 'credit'
  }

  /** Whether the cashier decides that for this sale. */
  get canSwitchWay(): boolean {
    const { knownCustomers, creditsWait } = this.#options
    return this.#customer !== null && knownCustomers() === 'cashier' && !creditsWait()
  }

  /** Switches between a credit and a slip, which is another request. */
  switchWay(): void {
    if (!this.canSwitchWay || this.#running) return
    this.#isSwitched = !this.#isSwitched
    this.#intentId = crypto.randomUUID()
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
    return this.#pending?.intentId === this.#intentId
  }

  /** How the points reach the customer, of the request that `pressed` tells of. */
  get draftWay(): PointsWay {
    return this.way
  }

  get #pending(): PointsRequest | null {
    return this.#running ?? this.unknown ?? this.lost
  }

  get running(): boolean {
    return this.#running !== null
  }

  /** The slip that was issued last, until the next one starts. */
  get last(): IssuedSlip | null {
    return this.issuedSlips.last
  }

  /** Issues and prints the slip, or credits the points. Does nothing while a request is running. */
  async print(way = this.way): Promise<void> {
    if (this.#running || this.unknown) return
    // The second press of a double click arrives after the form was emptied: it is not an error.
    if ((this.last ?? this.credited) && this.#points.trim() === '' && !this.#customer) return
    const parsed = parsePoints(this.#points)
    if (!parsed.ok) {
      this.failure = parsed.failure
      return
    }
    await this.#issue({
      intentId: this.#intentId,
      way,
      points: parsed.value,
      customer: this.#customer,
      calculation: this.bill.calculationOf(parsed.value),
      copies: this.copies,
      linkedBill: this.#linkedBill,
      edits: this.#edits
    })
  }

  /**
   * Restores the form after the page was lost. If Print slip had been pressed, the same intent is requested again:
   * the main process returns its outcome and issues nothing twice.
   */
  restore(draft: Omit<CheckoutDraft, 'search' | 'registration'>): void {
    this.bill.typeAmount(draft.bill)
    this.#points = draft.points
    this.#setCustomer(draft.customer)
    this.copies = draft.copies
    this.#linkedBill = draft.linkedBill
    this.#intentId = draft.intentId
    this.#isSwitched = draft.way === 'slip'
    if (draft.pressed) void this.print(draft.way)
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
    this.#followLevel()
  }

  /** Follows what main learns of a slip later: one whose answer came is delivered as if it had come at once. */
  updateSlip(slip: Slip): void {
    this.issuedSlips.update(slip)
    const { lost } = this
    // The answer of a request that is running comes as its result.
    if (slip.intentId !== lost?.intentId || this.#running?.intentId === slip.intentId) return
    if (slip.state === 'unknown' || slip.state === 'requested') return
    this.lost = null
    if (slip.state !== 'discarded') void this.#deliver(lost)
  }

  /** Follows what main learns of a credit later. */
  updateCredit(credit: Credit): void {
    const { lost } = this
    if (credit.intentId === this.credited?.intentId) this.credited = credit
    else if (credit.intentId === lost?.intentId && this.#running?.intentId !== credit.intentId) {
      if (credit.state === 'unknown' || credit.state === 'requested') return
      this.lost = null
      if (credit.state === 'credited') this.#acceptCredit(lost, credit)
      else if (credit.state === 'refused') this.#showFailure(lost, credit.failure ?? { kind: 'internal' })
    }
  }

  #clearLast(): void {
    this.creditSlip.request.reset()
    this.issuedSlips.clear()
    this.credited = null
  }

  async #issue(request: PointsRequest): Promise<void> {
    this.#running = request
    this.failure = null
    if (request.way === 'credit') {
      this.#clearLast()
      const answer = await this.#askForCredit(request)
      this.#settle(request, answer, (credit) => this.#acceptCredit(request, credit))
    } else {
      this.credited = null
      this.issuedSlips.track(request.intentId)
      const answer = await this.#calls.issue(request)
      this.#settle(request, answer, (issued) => this.#acceptResult(request, issued))
    }
  }

  /** Ends a request with its answer; `accept` takes over what was done. */
  #settle<Done>(request: PointsRequest, answer: Result<Done>, accept: (done: Done) => void): void {
    this.#running = null
    // The cashier may have started the next sale meanwhile: it inherits nothing, whatever became of this one.
    if (!this.#isOf(request)) this.#clear(request)
    if (!answer.ok && answer.failure.kind === 'unknown-outcome') {
      this.#keepUnknown(request)
      return
    }
    if (this.lost?.intentId === request.intentId) this.lost = null
    if (answer.ok) accept(answer.value)
    else this.#showFailure(request, answer.failure)
  }

  async #askForCredit(request: PointsRequest): Promise<Result<Credit>> {
    const answer = await this.#calls.credit(request, false)
    if (answer.ok || !needsApproval(answer.failure)) return answer
    // Says why, while the manager's PIN is asked for, and when it is not entered.
    this.failure = answer.failure
    const approved = await this.#calls.credit(request, true)
    if (this.failure === answer.failure) this.failure = null
    return approved.ok || approved.failure.kind !== 'locked' ? approved : answer
  }

  #acceptCredit(request: PointsRequest, credit: Credit): void {
    this.credited = credit
    if (this.#options.printsCredit()) void this.creditSlip.print(credit.intentId)
    const { customer } = request
    if (customer && this.#customer?.id === customer.id && credit.balance !== null) {
      this.#setCustomer({ ...this.#customer, balance: credit.balance })
    }
    if (this.#isOf(request)) this.#finish(request)
  }

  /** Delivers a slip that was issued meanwhile. One that cannot be delivered now needs attention. */
  async #deliver(request: PointsRequest): Promise<void> {
    const answer = await this.#calls.issue(request)
    if (answer.ok) this.#acceptResult(request, answer.value)
  }

  #keepUnknown(request: PointsRequest): void {
    if (request.way === 'credit' || this.#options.asksAgain()) this.lost = request
    else this.unknown = request
  }

  #acceptResult(request: PointsRequest, issued: IssuedSlip): void {
    const { state, failure } = issued.slip
    if (state === 'unknown' || state === 'requested') this.#keepUnknown(request)
    else if (state === 'refused') this.#showFailure(request, failure ?? { kind: 'internal' })
    else {
      this.issuedSlips.add(issued)
      if (this.#isOf(request)) this.#finish(request)
    }
  }

  /** Empties the form of a request that is done. */
  #finish(request: PointsRequest): void {
    const isEmpty = this.#clear(request)
    this.#isSwitched = false
    if (this.#options.clearCustomer()) this.#setCustomer(null)
    if (isEmpty) {
      this.#intentId = crypto.randomUUID()
      this.#onFinished()
    }
  }

  /** Whether the form still has the customer and the bill of a request, perhaps with other points. */
  #isOf({ customer, linkedBill }: PointsRequest): boolean {
    return this.#customer?.id === customer?.id && this.#linkedBill === linkedBill
  }

  #showFailure(request: PointsRequest, failure: Failure): void {
    this.failure = failure
    if (this.#intentId === request.intentId && !isOutcomeOpen(failure)) this.#intentId = crypto.randomUUID()
    this.#followLevel()
  }

  /** Clears what was sent, except for the customer. What was typed since then stays. Returns whether the points are empty. */
  #clear({ edits, copies, linkedBill }: PointsRequest): boolean {
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
