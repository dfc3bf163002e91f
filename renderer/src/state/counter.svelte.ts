import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Customer } from '../../../electron/contract/loyalty.ts'
import type { PointsRule } from '../../../electron/contract/points-rule.ts'
import type { Answers } from './answers.svelte.ts'
import { Asking } from './asking.svelte.ts'
import { Find } from './find.svelte.ts'
import { PointsForm } from './points-form.svelte.ts'
import { Registration } from './registration.svelte.ts'

/** How the chosen customer came to be there, where that is worth a word. */
export type Welcome = 'registered' | 'existed'

/** The counter: who is looked for, who is being served, and what they are about to get. */
export class Counter {
  readonly #bridge: Bridge
  readonly #answers: Answers
  readonly #reading: Asking
  readonly find: Find
  readonly form: PointsForm
  #registration = $state.raw<Registration | null>(null)
  #welcome = $state<Welcome | null>(null)
  #served = $state(0)

  /** `rule` gives the rule by which points follow from a bill, or null. */
  constructor(bridge: Bridge, answers: Answers, rule: () => PointsRule | null = () => null) {
    this.#bridge = bridge
    this.#answers = answers
    this.#reading = new Asking(answers.ofService)
    this.find = new Find(bridge, answers)
    this.form = new PointsForm(
      bridge,
      answers,
      () => {
        this.#next()
      },
      rule
    )
  }

  /** Follows what becomes of the slips that were handed over. Gives what ends the following. */
  start(): () => void {
    return this.#bridge.onSlip((slip) => {
      this.form.handedOver.hear(slip)
    })
  }

  get customer(): Customer | null {
    return this.form.customer
  }

  get welcome(): Welcome | null {
    return this.#welcome
  }

  get registration(): Registration | null {
    return this.#registration
  }

  /** How many times the counter became free for the next person; the search takes the focus at each. */
  get served(): number {
    return this.#served
  }

  /** Serves this customer. */
  choose(customer: Customer, welcome: Welcome | null = null): void {
    this.find.clear()
    this.#registration = null
    this.#welcome = welcome
    this.form.customer = customer
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
    this.#served++
  }

  /** Enter in the search: one customer found is the customer meant. Gives whether somebody was chosen. */
  async chooseOnly(): Promise<boolean> {
    await this.find.now()
    const only = this.find.only
    if (only) this.choose(only)
    return only !== null
  }

  /** Opens the form for a new customer, with what was typed in the field it belongs to. */
  openRegistration(): void {
    const { phone } = this.find.finding ?? { phone: null }
    const start = phone ? { name: '', phone: phone.display } : { name: this.find.text.trim(), phone: '' }
    this.#registration = new Registration(this.#bridge, this.#answers, start)
  }

  closeRegistration(): void {
    this.#registration = null
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
    return true
  }

  /** Reading a customer again, for `serve` and `bringBack`. */
  get reading(): Asking {
    return this.#reading
  }

  #next(): void {
    this.#reading.drop()
    this.#welcome = null
    this.#served++
  }
}
