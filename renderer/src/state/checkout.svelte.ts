import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Customer } from '../../../electron/contract/loyalty.ts'
import { MAX_TYPED_LENGTH, type CheckoutDraft } from '../../../electron/contract/till.ts'
import { CustomerSearch, RecentlyServed } from './customer-search.svelte.ts'
import { FocusController } from './focus.svelte.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'
import { PointsForm, USUAL_HABITS, type FormHabits } from './points-form.svelte.ts'

/** How the chosen customer came to be there, where that is worth a word. */
export type Welcome = 'registered' | 'existed'

const nameOf = ({ name }: Customer): string => name.trim().toLocaleLowerCase()

const hasDuplicateName = (customer: Customer, others: readonly Customer[]): boolean =>
  others.some((other) => other.id !== customer.id && nameOf(other) === nameOf(customer))
const kept = (typed: string): string => typed.slice(0, MAX_TYPED_LENGTH)

/** The counter: who is looked for, who is being served, and what they are about to get. */
export class Checkout {
  readonly #bridge: Bridge
  readonly #ipc: IpcClient
  readonly #reading: AsyncRequest
  readonly focus: FocusController
  readonly search: CustomerSearch
  readonly recent: RecentlyServed
  readonly form: PointsForm
  #registration = $state.raw<Registration | null>(null)
  /** a form that was left, and what was looked for then */
  #left: { readonly form: Registration; readonly text: string } | null = null
  #welcome = $state<Welcome | null>(null)
  #hasDuplicateName = $state(false)

  constructor(
    bridge: Bridge,
    ipc: IpcClient,
    habits: FormHabits = USUAL_HABITS,
    focus = new FocusController()
  ) {
    this.#bridge = bridge
    this.#ipc = ipc
    this.#reading = new AsyncRequest(ipc)
    this.focus = focus
    this.search = new CustomerSearch(bridge, ipc, 'till')
    this.recent = new RecentlyServed(bridge, ipc)
    this.form = new PointsForm(
      bridge,
      ipc,
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
      this.form.issuedSlips.update(slip)
    })
    const stopFinding = this.search.start()
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
  get hasDuplicateName(): boolean {
    return this.#hasDuplicateName
  }

  get registration(): Registration | null {
    return this.#registration
  }

  /** Serves this customer. */
  choose(customer: Customer, welcome: Welcome | null = null): void {
    this.#hasDuplicateName = hasDuplicateName(customer, [
      ...(this.search.result?.customers ?? []),
      ...this.recent.customers
    ])
    this.search.clear()
    this.#registration = null
    this.#left = null
    this.#welcome = welcome
    this.form.customer = customer
    this.focus.to('figures')
  }

  /** Serves a customer from a list that may be old: reads them again, for a fresh balance. */
  async serve(customer: Customer): Promise<void> {
    this.choose(customer)
    const fresh = await this.#reading.run(() => this.#bridge.customers.read({ id: customer.id }))
    if (fresh && this.form.customer?.id === fresh.id) this.form.customer = fresh
  }

  clearCustomer(): void {
    this.#reading.reset()
    this.#welcome = null
    this.form.customer = null
    this.focus.to('search')
  }

  /** Enter in the search: one customer found is the customer meant. Gives whether somebody was chosen. */
  async chooseOnly(): Promise<boolean> {
    let chosen = false
    await this.search.now(() => {
      const { only } = this.search
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
    const typed = this.search.text.trim()
    const left = this.#left?.text === typed ? this.#left.form : null
    this.#registration ??= left ?? new Registration(this.#bridge, this.#ipc, this.#beginning(typed))
    this.focus.to('registration')
  }

  /** What a registration begins with: the text as a phone where it reads as one, as a name otherwise. */
  #beginning(typed: string): { readonly name: string; readonly phone: string } {
    const result = this.search.result
    const phone = result?.text === typed ? result.phone?.display : undefined
    if (phone !== undefined) return { name: '', phone }
    return /^[+\p{Nd}\s().-]{5,}$/u.test(typed) ? { name: '', phone: typed } : { name: typed, phone: '' }
  }

  /** Leaves the form. What was typed in the search is there again. */
  closeRegistration(): void {
    const form = this.#registration
    this.#left = form && { form, text: this.search.text.trim() }
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
  async restoreSlip(slip: { points: number; customer: { id: string } | null }): Promise<boolean> {
    const { customer, points } = slip
    if (customer) {
      const read = await this.#reading.run(() => this.#bridge.customers.read({ id: customer.id }))
      if (!read) return false
      this.search.clear()
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
    const { form, search, registration } = this
    return {
      intentId: form.intentId,
      pressed: form.pressed,
      customer: form.customer,
      points: kept(form.points),
      bill: kept(form.bill.text),
      copies: form.copies,
      search: kept(search.text),
      registration: registration && { name: kept(registration.name), phone: kept(registration.phone) }
    }
  }

  /** Puts back what stood on the counter when the page was lost. */
  restore(draft: CheckoutDraft): void {
    this.form.restore(draft)
    this.search.text = draft.search
    if (draft.registration) this.#registration = new Registration(this.#bridge, this.#ipc, draft.registration)
  }

  /** Reading a customer again, for `serve` and `bringBack`. */
  get reading(): AsyncRequest {
    return this.#reading
  }

  /** A slip was handed over: ready for the next person, or for another slip for the one who stays. */
  #next(): void {
    this.#reading.reset()
    this.#welcome = null
    this.focus.to(this.customer ? 'figures' : 'search')
    void this.recent.read()
  }
}

/** The form that registers a new customer. What was typed stays until it is closed. */
export class Registration {
  readonly #bridge: Bridge
  readonly #request: AsyncRequest
  name = $state('')
  phone = $state('')

  constructor(bridge: Bridge, ipc: IpcClient, start: { readonly name: string; readonly phone: string }) {
    this.#bridge = bridge
    this.#request = new AsyncRequest(ipc)
    this.name = start.name
    this.phone = start.phone
  }

  get request(): AsyncRequest {
    return this.#request
  }

  /** Registers. Gives the customer, and whether they were there before; undefined when it failed. */
  async submit(): Promise<{ customer: Customer; existed: boolean } | undefined> {
    if (this.#request.running) return undefined
    const empty = this.name.trim() === '' ? 'name' : this.phone.trim() === '' ? 'phone' : null
    if (empty) {
      this.#request.fail({ kind: 'invalid-input', field: empty, fault: 'missing' })
      return undefined
    }
    return this.#request.run(() =>
      this.#bridge.customers.register({ name: this.name.trim(), phone: this.phone.trim() })
    )
  }
}

/** Has main keep what stands on the counter, and puts it back where the page was lost. */
export class DraftSync {
  readonly #bridge: Bridge
  readonly #ipc: IpcClient
  readonly #checkout: Checkout

  constructor(bridge: Bridge, ipc: IpcClient, checkout: Checkout) {
    this.#bridge = bridge
    this.#ipc = ipc
    this.#checkout = checkout
  }

  /** Puts back what main has kept, and from then on tells main of each change. Gives what ends the telling. */
  start(): () => void {
    let stop: (() => void) | null = null
    let ended = false
    void this.#ipc
      .invoke(() => this.#bridge.till.draft())
      .then((answer) => {
        if (ended) return
        if (answer.ok && answer.value) this.#checkout.restore(answer.value)
        // What stands there now, main knows, or it is an empty counter.
        let known = JSON.stringify(this.#checkout.draft)
        stop = $effect.root(() => {
          $effect(() => {
            const { draft } = this.#checkout
            const text = JSON.stringify(draft)
            if (text === known) return
            known = text
            void this.#ipc.invoke(() => this.#bridge.till.saveDraft(draft))
          })
        })
      })
    return () => {
      ended = true
      stop?.()
    }
  }
}
