import type { LinkedBill } from '../../../electron/contract/local-interface.ts'
import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Customer } from '../../../electron/contract/loyalty.ts'
import type { Slip } from '../../../electron/contract/slips.ts'
import { MAX_TYPED_LENGTH, type CheckoutDraft } from '../../../electron/contract/till.ts'
import { nameKey } from '../format/people.ts'
import { CustomerSearch, RecentlyServed } from './customer-search.svelte.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'
import { Reprint } from './issued-slips.svelte.ts'
import { FocusController } from './navigation.svelte.ts'
import { PhoneRequest } from './phone-request.svelte.ts'
import { PointsForm } from './points-form.svelte.ts'
import { DEFAULT_POINTS_FORM_OPTIONS, type PointsFormOptions } from './points-form-options.ts'

/** How the customer was chosen, if the screen shows it: just registered, registered before, or merged into since the list. */
export type Welcome = 'registered' | 'existed' | 'merged'

const hasDuplicateName = (customer: Customer, others: readonly Customer[]): boolean =>
  others.some((other) => other.id !== customer.id && nameKey(other) === nameKey(customer))

const truncate = (typed: string): string => typed.slice(0, MAX_TYPED_LENGTH)

/** The sale in progress: customer search, chosen customer, registration, and the points form. */
export class Checkout {
  readonly #bridge: Bridge
  readonly #ipc: IpcClient
  /** the read of a customer, by `readCustomer` and `restoreSlip` */
  readonly reading: AsyncRequest
  readonly focus: FocusController
  readonly search: CustomerSearch
  readonly recent: RecentlyServed
  readonly form: PointsForm
  readonly reprint: Reprint
  registration = $state.raw<Registration | null>(null)
  /** the form that was closed last, and the search text at that time */
  #closedRegistration: { readonly form: Registration; readonly text: string } | null = null
  /** null for a customer who was found, not registered. */
  welcome = $state<Welcome | null>(null)
  /** Whether another customer of the same name was listed: the screen shows the phone to tell them apart. */
  hasDuplicateName = $state(false)

  constructor(
    bridge: Bridge,
    ipc: IpcClient,
    options: PointsFormOptions = DEFAULT_POINTS_FORM_OPTIONS,
    focus = new FocusController()
  ) {
    this.#bridge = bridge
    this.#ipc = ipc
    this.reading = new AsyncRequest(ipc)
    this.focus = focus
    this.search = new CustomerSearch(bridge, ipc, 'till')
    this.recent = new RecentlyServed(bridge, ipc)
    this.reprint = new Reprint(bridge, ipc)
    this.form = new PointsForm(
      bridge,
      ipc,
      () => {
        this.#prepareNextSlip()
      },
      options
    )
  }

  /** Follows the slips that were issued here and partial search results. Returns a function that stops. */
  start(): () => void {
    void this.recent.read()
    const stopSlips = this.#bridge.onSlip((slip) => {
      this.form.updateSlip(slip)
    })
    const stopCredits = this.#bridge.onCredit((credit) => {
      this.form.updateCredit(credit)
    })
    const stopSearch = this.search.start()
    return () => {
      stopSlips()
      stopCredits()
      stopSearch()
    }
  }

  get customer(): Customer | null {
    return this.form.customer
  }

  /** Chooses a customer. */
  choose(customer: Customer, welcome: Welcome | null = null): void {
    this.hasDuplicateName = hasDuplicateName(customer, [
      ...(this.search.result?.customers ?? []),
      ...this.recent.customers
    ])
    this.reading.reset()
    this.search.clear()
    this.registration = null
    this.#closedRegistration = null
    this.welcome = welcome
    this.form.chooseCustomer(customer)
    this.focus.to('bill-or-points')
  }

  /** Chooses a customer of a list that may be outdated, and reads the current balance. */
  async serve(customer: Customer): Promise<void> {
    this.choose(customer)
    await this.readCustomer()
  }

  /** Whether the balance of the chosen customer is not known because it could not be read. */
  get isBalanceUnread(): boolean {
    return this.customer?.balance === null && this.reading.failure !== null
  }

  /**
   * Reads the chosen customer. The answer is the customer whom they were merged into, if they were. After a failure no
   * balance is shown: the one of the list may be outdated.
   */
  async readCustomer(): Promise<void> {
    const { customer } = this
    if (customer === null) return
    const fresh = await this.reading.run(() => this.#bridge.customers.read({ id: customer.id }))
    // Also of the same one, when an operation told the balance meanwhile.
    if (this.customer !== customer) return
    if (fresh) {
      if (fresh.id !== customer.id) {
        this.welcome = 'merged'
        this.hasDuplicateName = false
      }
      this.form.chooseCustomer(fresh)
    } else if (this.reading.failure) {
      this.form.chooseCustomer({ ...customer, balance: null, lifetimePoints: null })
    }
  }

  /** Shows what the chosen customer has after an operation; does nothing for another one. */
  updateBalance(customerId: string, balance: number): void {
    const { customer } = this
    if (customer?.id === customerId) this.form.chooseCustomer({ ...customer, balance })
  }

  clearCustomer(): void {
    this.reading.reset()
    this.welcome = null
    this.form.chooseCustomer(null)
    this.focus.to('search')
  }

  /**
   * Searches at once, as Enter does, and chooses the customer if only one matches. Resolves with whether one was
   * chosen.
   */
  async chooseOnlyMatch(): Promise<boolean> {
    let isChosen = false
    await this.search.searchNow(() => {
      const { onlyMatch } = this.search
      if (onlyMatch) this.choose(onlyMatch)
      isChosen = onlyMatch !== null
    })
    return isChosen
  }

  /** Does what Enter in the search does: chooses the only match, or moves the focus on. */
  async enterSearch(): Promise<void> {
    if (await this.chooseOnlyMatch()) return
    // The next scan replaces the code.
    const { complete, result } = this.search
    // Incomplete: it failed, or another text was typed meanwhile.
    if (!complete) return
    if (result?.code) this.focus.to('search')
    else if (result?.customers.length) this.focus.to('results')
    else if (result?.phone) this.openRegistration()
  }

  /**
   * Opens the registration form, prefilled with the search text. A form that was closed before is restored unless
   * the search text has changed since.
   */
  openRegistration(): void {
    const typed = this.search.text.trim()
    const closed = this.#closedRegistration?.text === typed ? this.#closedRegistration.form : null
    this.registration ??= closed ?? new Registration(this.#bridge, this.#ipc, this.#initialValues(typed))
    this.focus.to('registration')
  }

  /** Returns the initial values: the search text as the phone if it looks like one, otherwise as the name. */
  #initialValues(typed: string): { readonly name: string; readonly phone: string } {
    const result = this.search.result
    const phone = result?.text === typed ? result.phone?.display : undefined
    if (phone !== undefined) return { name: '', phone }
    return /^[+\p{Nd}\s().-]{5,}$/u.test(typed) ? { name: '', phone: typed } : { name: typed, phone: '' }
  }

  /** Closes the form. The search text is kept. */
  closeRegistration(): void {
    const form = this.registration
    this.#closedRegistration = form && { form, text: this.search.text.trim() }
    this.registration = null
    this.focus.to('search')
  }

  /** Shows customer and points, instead of search results or the registration form, which opens again as it was. */
  showSale(): void {
    if (this.registration) this.closeRegistration()
    this.search.clear()
  }

  /** Registers the customer of the form and chooses them. */
  async register(): Promise<void> {
    const form = this.registration
    const done = await form?.submit()
    if (!done || this.registration !== form) return
    this.choose(done.customer, done.existed ? 'existed' : 'registered')
  }

  /** Issues and prints the slip, or credits the points, as Enter in the points does. */
  async print(): Promise<void> {
    this.reprint.clear()
    await this.form.print()
    // The next customer may be typed already.
    if (this.form.failure && !this.search.active && !this.registration) this.focus.to('points')
  }

  /**
   * Fills in the form with a slip of unknown outcome. Resolves with false, and changes nothing, if its customer could not be
   * read, or if something was typed or chosen meanwhile.
   */
  async restoreSlip(slip: Pick<Slip, 'points' | 'customer' | 'reference'>): Promise<boolean> {
    const { customer, points, reference } = slip
    if (customer) {
      const before = JSON.stringify(this.draft)
      const read = await this.reading.run(() => this.#bridge.customers.read({ id: customer.id }))
      if (!read || JSON.stringify(this.draft) !== before) return false
      this.search.clear()
      this.welcome = null
      this.form.chooseCustomer(read)
    } else {
      this.clearCustomer()
    }
    if (reference === null) {
      this.form.removeLinkedBill()
      this.form.typePoints(String(points))
    } else this.form.fillIn({ amount: null, points, reference, phone: null })
    this.focus.to('points')
    return true
  }

  /** Whether filling in a bill replaces something that was typed or chosen, and was not printed. */
  isReplacedBy({ phone }: LinkedBill): boolean {
    const { customer, form, registration, search } = this
    if (!form.empty || registration !== null) return true
    return phone !== null && (search.active || (customer !== null && customer.phone !== phone))
  }

  /**
   * Fills in the form with the bill of another program, and finds its customer. Replaces what `isReplacedBy` names; a
   * customer who was only chosen stays. Nothing is issued.
   */
  async fillIn(bill: LinkedBill): Promise<void> {
    if (this.isReplacedBy(bill)) this.clearCustomer()
    this.registration = null
    this.form.fillIn(bill)
    if (bill.phone === null || bill.phone === this.customer?.phone) {
      this.focus.to('bill-or-points')
      return
    }
    this.focus.to('search')
    this.search.type(bill.phone)
    await this.chooseOnlyMatch()
  }

  /** What is typed and chosen, to be restored if the page is lost. */
  get draft(): CheckoutDraft {
    const { form, search, registration } = this
    return {
      intentId: form.intentId,
      pressed: form.pressed,
      way: form.draftWay,
      customer: form.customer,
      points: truncate(form.points),
      bill: truncate(form.bill.text),
      copies: form.copies,
      linkedBill: form.linkedBill,
      search: truncate(search.text),
      registration: registration && { name: truncate(registration.name), phone: truncate(registration.phone) }
    }
  }

  /** Restores a draft after the page was lost. */
  restore(draft: CheckoutDraft): void {
    this.form.restore(draft)
    this.search.type(draft.search)
    if (draft.registration) this.registration = new Registration(this.#bridge, this.#ipc, draft.registration)
  }

  /** Prepares for the next slip: of the same customer if they stay chosen, otherwise of the next one. */
  #prepareNextSlip(): void {
    this.reading.reset()
    this.welcome = null
    this.focus.to(this.customer ? 'bill-or-points' : 'search')
    void this.recent.read()
  }
}

/** The registration form of a new customer. */
export class Registration {
  readonly #bridge: Bridge
  readonly request: AsyncRequest
  /** the customer who types the phone on the customer display */
  readonly phoneRequest: PhoneRequest
  name = $state('')
  phone = $state('')

  constructor(bridge: Bridge, ipc: IpcClient, start: { readonly name: string; readonly phone: string }) {
    this.#bridge = bridge
    this.request = new AsyncRequest(ipc)
    this.phoneRequest = new PhoneRequest(bridge, ipc, this)
    this.name = start.name
    this.phone = start.phone
  }

  /** Registers the customer. Resolves with the customer and whether they existed before; undefined on failure. */
  async submit(): Promise<{ customer: Customer; existed: boolean } | undefined> {
    if (this.request.running || this.phoneRequest.isTyping) return undefined
    if (this.phone.trim() === '') {
      this.request.fail({ kind: 'invalid-input', field: 'phone', fault: 'missing' })
      return undefined
    }
    return this.request.run(() =>
      this.#bridge.customers.register({ name: this.name.trim(), phone: this.phone.trim() })
    )
  }
}
