/** Page object of the screens that a cashier uses, located by their accessible names. */
import type { Locator, Page } from '@playwright/test'
import type { Output } from '../../../electron/contract/printing.ts'
import { shown } from '../support/shown.ts'
import { SCREEN_MESSAGES, type ScreenMessages } from './locales.ts'

/** The links of the navigation rail, by their English names. */
export type ScreenName = 'Till' | 'Customers' | 'Rewards' | 'Slips' | 'Settings'

/** The screens of one till in one language. */
export class CashierPage {
  readonly page: Page
  readonly words: ScreenMessages

  constructor(page: Page, words: ScreenMessages = SCREEN_MESSAGES.en) {
    this.page = page
    this.words = words
  }

  get search(): Locator {
    return this.page.getByRole('searchbox', { name: this.words.findCustomer() })
  }

  get customer(): Locator {
    return this.page.getByRole('region', { name: this.words.customer(), exact: true })
  }

  get points(): Locator {
    return this.page.getByRole('textbox', { name: this.words.pointsField() })
  }

  /** The button that prints the slip, or saves it while no printer is selected. */
  get printButton(): Locator {
    const { printSlip } = this.words
    return this.page
      .getByRole('button', { name: printSlip({ to: 'printer' }) })
      .or(this.page.getByRole('button', { name: printSlip({ to: 'folder' }) }))
  }

  /** The last slip, with its code and QR code. */
  get lastSlip(): Locator {
    return this.page.getByRole('group').filter({ has: this.page.getByRole('img', { name: /QR/ }) })
  }

  /** The list of recently served customers. */
  get recentCustomers(): Locator {
    return this.page.getByRole('list', { name: this.words.recentCustomers() })
  }

  /** The on-screen number pad. */
  get pad(): Locator {
    return this.page.getByRole('group', { name: this.words.numberPad() })
  }

  /** One key of the number pad. */
  padKey(name: string): Locator {
    return this.pad.getByRole('button', { name, exact: true })
  }

  /** A quick key of the points: `+10 points` adds, `70 points` takes what was issued last. */
  quickKey(name: string): Locator {
    return this.page
      .getByRole('group', { name: this.words.quickPoints() })
      .getByRole('button', { name, exact: true })
  }

  /** The field for checking a code, on the Slips screen. */
  get codeField(): Locator {
    return this.page.getByRole('searchbox', { name: this.words.checkCode() })
  }

  get alert(): Locator {
    return this.page.locator('.alert, .field-hint[role="alert"]')
  }

  /** The offline banner; hidden while the points service answers. */
  get offline(): Locator {
    const { offlineHint } = this.words
    const hint = (to: Output) => this.page.getByText(offlineHint({ to }))
    return this.page.locator('.strip').filter({ has: hint('printer').or(hint('folder')) })
  }

  /** The result of a code check. */
  get checkedCode(): Locator {
    return shown(this.page, /This code has (not )?been used/)
  }

  /** The rows of the reward catalogue. */
  get rewards(): Locator {
    return this.page.getByRole('list', { name: 'Rewards' }).getByRole('listitem')
  }

  /** Ends a fault while the alert offers Try again, and presses it, unless the till has tried by itself meanwhile. */
  async retryAfter(endFault: () => void | Promise<void>): Promise<void> {
    const button = this.alert.or(this.offline).getByRole('button', { name: 'Try again' }).first()
    await button.waitFor()
    await endFault()
    // Without waiting for it: the alert may be gone.
    await button.evaluateAll((buttons) => {
      for (const each of buttons) if (each instanceof HTMLElement) each.click()
    })
  }

  async clearCustomer(): Promise<void> {
    await this.page.getByRole('button', { name: 'Clear customer' }).click()
  }

  async goTo(screen: ScreenName): Promise<void> {
    await this.page
      .getByRole('navigation')
      .getByRole('link', { name: this.words[`nav${screen}`](), exact: true })
      .click()
  }

  /** Fills the customer search. */
  async searchFor(text: string): Promise<void> {
    await this.search.fill(text)
  }

  /** A row of the search results, by its text. */
  result(name: string | RegExp): Locator {
    return this.page.getByRole('list', { name: this.words.results() }).getByRole('button', { name })
  }

  /** Searches for `text` and chooses the first result that shows `name`. */
  async choose(text: string, name: string | RegExp): Promise<void> {
    await this.searchFor(text)
    await this.result(name).first().click()
    await this.customer.waitFor()
  }

  /** Fills the points and presses Print; does not wait for the result. */
  async print(points: number | string): Promise<void> {
    await this.points.fill(String(points))
    await this.printButton.click()
  }

  /** Starts a batch of `count` slips with `points` each; does not wait for the result. */
  async issueBatch(count: number, points: number): Promise<void> {
    const { page, words } = this
    await this.goTo('Slips')
    await page.getByRole('button', { name: words.issueMany() }).click()
    await page.getByRole('textbox', { name: words.pointsEach() }).fill(String(points))
    await page.getByRole('textbox', { name: words.howMany() }).fill(String(count))
    await page.getByRole('button', { name: words.continueToTotal() }).click()
    await page.getByRole('button', { name: `Issue ${count} slips` }).click()
  }

  /** The progress bar of the open batch. */
  get batchIssued(): Locator {
    return this.page.getByRole('progressbar', { name: this.words.batchBar() })
  }

  /** Registers a customer with the phone of the last search, which had no result. */
  async register(name: string): Promise<void> {
    await this.page.getByRole('button', { name: this.words.registerCustomer() }).click()
    await this.page.getByRole('textbox', { name: this.words.name() }).fill(name)
    await this.page.getByRole('button', { name: this.words.register(), exact: true }).click()
  }
}
