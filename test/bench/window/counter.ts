/** Looking customers up in the till's window, timed by the page's own clock. */
import type { Page } from '@playwright/test'
import { TYPING_DEBOUNCE_MS } from '../../../renderer/src/state/customer-search.svelte.ts'
import { CashierPage } from '../../e2e/page-objects/cashier.ts'
import type { Known } from './customers.ts'
import { seen, watch } from './probe.ts'

const CARD = 'section[aria-label="Customer"]'
const ROW = 'ul[aria-label="Results"] li'

/** Drives the window of an English till, and types faster than the till searches. */
export class Counter {
  readonly #page: Page
  readonly #cashier: CashierPage

  constructor(page: Page) {
    this.#page = page
    this.#cashier = new CashierPage(page)
  }

  /** Resolves when the till can be worked at. */
  async ready(): Promise<void> {
    await this.#cashier.search.waitFor()
  }

  /** Types a whole phone, and Enter behind it. Gives the milliseconds from Enter to the card. */
  async toTheCard({ phone, name }: Known): Promise<number> {
    await this.#cashier.search.focus()
    await watch(this.#page, { key: 'Enter', selector: CARD, text: name })
    await this.#page.keyboard.insertText(phone)
    await this.#page.keyboard.press('Enter')
    const { pressed, painted } = await seen(this.#page)
    await this.#cashier.clearCustomer()
    return painted - pressed
  }

  /** Types a phone, and waits. Gives the milliseconds from its last digit to the row, without the pause of typing. */
  async toTheRow({ phone, name }: Known): Promise<number> {
    await this.#cashier.search.focus()
    const last = phone.slice(-1)
    await watch(this.#page, { key: last, selector: ROW, text: name })
    await this.#page.keyboard.insertText(phone.slice(0, -1))
    await this.#page.keyboard.press(last)
    const { pressed, painted } = await seen(this.#page)
    await this.#page.keyboard.press('Enter')
    await this.#cashier.customer.waitFor()
    await this.#cashier.clearCustomer()
    return painted - pressed - TYPING_DEBOUNCE_MS
  }
}
