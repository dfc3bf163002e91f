import type { Bridge } from '../../../electron/contract/bridge.ts'
import { MAX_TYPED_LENGTH, type CheckoutDraft } from '../../../electron/contract/till.ts'
import type { Customer } from '../../../electron/contract/loyalty.ts'
import type { Answers } from './answers.svelte.ts'
import { Asking } from './asking.svelte.ts'
import { Find } from './find.svelte.ts'
import { Focus } from './focus.svelte.ts'
import { PointsForm, USUAL_HABITS, type FormHabits } from './points-form.svelte.ts'
import { Recent } from './recent.svelte.ts'
import { Registration } from './registration.svelte.ts'

/** How the chosen customer came to be there, where that is worth a word. */
export type Welcome = 'registered' | 'existed'

const nameOf = ({ name }: Customer): string => name.trim().toLocaleLowerCase()

const hasNamesake = (customer: Customer, others: readonly Customer[]): boolean =>
  others.some((other) => other.id !== customer.id && nameOf(other) === nameOf(customer))
const kept = (typed: string): string => typed.slice(0, MAX_TYPED_LENGTH)

/** The counter: who is looked for, who is being served, and what they are about to get. */
export class Counter {
  readonly #bridge: Bridge
  readonly #answers: Answers
  readonly #reading: Asking
  readonly focus: Focus
  readonly find: Find
  readonly recent: Recent
  readonly form: PointsForm
  #registration = $state.raw<Registration | null>(null)
  /** a form that was left, and what was looked for then */
  #left: { readonly form: Registration; readonly text: string } | null = null
  #welcome = $state<Welcome | null>(null)
  #hasNamesake = $state(false)

  constructor(bridge: Bridge, answers: Answers, habits: FormHabits = USUAL_HABITS, focus = new Focus()) {
    this.#bridge = bridge
    this.#answers = answers
    this.#reading = new Asking(answers.hear)
    this.focus = focus
    this.find = new Find(bridge, answers, 'till')
    this.recent = new Recent(bridge, answers)
    this.form = new PointsForm(
      bridge,
      answers,
      () => {
        this.#next()
      },
      habits
    )
  }

  /** Follows what becomes of the slips that were handed over, and of a search. Gives what ends the following. */
  start(): () => void {
    void this.recent.read()
    const stopHearing = this.#bridge.onSlip((slip) => {
      this.form.handedOver.hear(slip)
    })
    const stopFinding = this.find.start()
    return () => {
      stopHearing()
      stopFinding()
    }
  }

  get customer(): Customer | null {
    return this.form.customer
  }

  get welcome(): Welcome | null {
    return this.#welcome
  }

  /** Whether somebody else of the same name was in sight: the phone tells them apart. */
  get hasNamesake(): boolean {
    return this.#hasNamesake
  }

  get registration(): Registration | null {
    return this.#registration
  }

  /** Serves this customer. */
  choose(customer: Customer, welcome: Welcome | null = null): void {
    this.#hasNamesake = hasNamesake(customer, [
      ...(this.find.finding?.customers ?? []),
      ...this.recent.customers
    ])
    this.find.clear()
    this.#registration = null
    this.#left = null
    this.#welcome = welcome
    this.form.customer = customer
    this.focus.to('figures')
  }

  /** Serves a customer from a list that may be old: reads them again, for a fresh balance. */
  async serve(customer: Customer): Promise<void> {
    this.choose(customer)
    const fresh = await this.#reading.ask(() => this.#bridge.customers.read({ id: customer.id }))
    if (fresh && this.form.customer?.id === fresh.id) this.form.customer = fresh
  }

  clearCustomer(): void {
    this.#reading.drop()
    this.#welcome = null
    this.form.customer = null
    this.focus.to('search')
  }

  /** Enter in the search: one customer found is the customer meant. Gives whether somebody was chosen. */
  async chooseOnly(): Promise<boolean> {
    let chosen = false
    await this.find.now(() => {
      const { only } = this.find
      if (!only) return
      this.choose(only)
      chosen = true
    })
    return chosen
  }

  /**
   * Opens the form for a new customer, with what was typed in the field it belongs to. A form that was left is there
   * again as it was, as long as nobody else is looked for.
   */
  openRegistration(): void {
    const typed = this.find.text.trim()
    const left = this.#left?.text === typed ? this.#left.form : null
    this.#registration ??= left ?? new Registration(this.#bridge, this.#answers, this.#beginning(typed))
    this.focus.to('registration')
  }

  /** What a registration begins with: the text as a phone where it reads as one, as a name otherwise. */
  #beginning(typed: string): { readonly name: string; readonly phone: string } {
    const finding = this.find.finding
    const phone = finding?.text === typed ? finding.phone?.display : undefined
    if (phone !== undefined) return { name: '', phone }
    return /^[+\p{Nd}\s().-]{5,}$/u.test(typed) ? { name: '', phone: typed } : { name: typed, phone: '' }
  }

  /** Leaves the form. What was typed in the search is there again. */
  closeRegistration(): void {
    const form = this.#registration
    this.#left = form && { form, text: this.find.text.trim() }
    this.#registration = null
    this.focus.to('search')
  }

  /** Registers what stands in the form, and serves that customer. */
  async register(): Promise<void> {
    const form = this.#registration
    const done = await form?.submit()
    if (!done || this.#registration !== form) return
    this.choose(done.customer, done.existed ? 'existed' : 'registered')
  }

  /** Puts a slip whose outcome is not known back on the counter. Gives whether its customer could be read. */
  async bringBack(slip: { points: number; customer: { id: string } | null }): Promise<boolean> {
    const { customer, points } = slip
    if (customer) {
      const read = await this.#reading.ask(() => this.#bridge.customers.read({ id: customer.id }))
      if (!read) return false
      this.find.clear()
      this.#welcome = null
      this.form.customer = read
    } else {
      this.clearCustomer()
    }
    this.form.points = String(points)
    this.focus.to('points')
    return true
  }

  /** What stands on the counter, for the case that the page is lost. */
  get draft(): CheckoutDraft {
    const { form, find, registration } = this
    return {
      intentId: form.intentId,
      pressed: form.pressed,
      customer: form.customer,
      points: kept(form.points),
      bill: kept(form.bill.text),
      copies: form.copies,
      search: kept(find.text),
      registration: registration && { name: kept(registration.name), phone: kept(registration.phone) }
    }
  }

  /** Puts back what stood on the counter when the page was lost. */
  restore(draft: CheckoutDraft): void {
    this.form.restore(draft)
    this.find.text = draft.search
    if (draft.registration)
      this.#registration = new Registration(this.#bridge, this.#answers, draft.registration)
  }

  /** Reading a customer again, for `serve` and `bringBack`. */
  get reading(): Asking {
    return this.#reading
  }

  /** A slip was handed over: ready for the next person, or for another slip for the one who stays. */
  #next(): void {
    this.#reading.drop()
    this.#welcome = null
    this.focus.to(this.customer ? 'figures' : 'search')
    void this.recent.read()
  }
}
