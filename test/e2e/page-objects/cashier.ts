/** What a cashier does and sees, by the names on the screen. */
import type { Locator, Page } from '@playwright/test'
import { WORDS, type Words } from './words.ts'

/** The five places of the rail, by their English names. */
export type Place = 'Till' | 'Customers' | 'Rewards' | 'Slips' | 'Settings'

/** A cashier in front of one till, who reads its screen in one language. */
export class Cashier {
  readonly page: Page
  readonly words: Words

  constructor(page: Page, words: Words = WORDS.en) {
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

  get printButton(): Locator {
    return this.page.getByRole('button', { name: this.words.printSlip() })
  }

  /** What the till says of the slip that came last: its code and its QR. */
  get lastSlip(): Locator {
    return this.page.getByRole('status').filter({ has: this.page.getByRole('img', { name: /QR/ }) })
  }

  /** Those this till served last. */
  get servedLast(): Locator {
    return this.page.getByRole('list', { name: this.words.recentCustomers() })
  }

  /** The number pad on the screen. */
  get pad(): Locator {
    return this.page.getByRole('group', { name: this.words.numberPad() })
  }

  /** One key of the number pad. */
  padKey(name: string): Locator {
    return this.pad.getByRole('button', { name, exact: true })
  }

  /** The field in which a code is checked, among the slips. */
  get codeField(): Locator {
    return this.page.getByRole('searchbox', { name: this.words.checkCode() })
  }

  get alert(): Locator {
    return this.page.getByRole('alert')
  }

  /** The strip that says that the points service does not answer; hidden while it does. */
  get offline(): Locator {
    return this.page.getByRole('status').filter({ hasText: this.words.offlineHint() })
  }

  /** The box that a code is typed or scanned into, under Slips. */
  get code(): Locator {
    return this.page.getByRole('searchbox', { name: 'Check code' })
  }

  /** What the till says of a code that it could check. */
  get checkedCode(): Locator {
    return this.page.getByText(/This code has (not )?been used/)
  }

  /** The rewards, once they are there. */
  get rewards(): Locator {
    return this.page.getByRole('list', { name: 'Rewards' }).getByRole('listitem')
  }

  /** Asks again after something went wrong. */
  async triesAgain(): Promise<void> {
    await this.alert.getByRole('button', { name: 'Try again' }).click()
  }

  async clearsCustomer(): Promise<void> {
    await this.page.getByRole('button', { name: 'Clear customer' }).click()
  }

  async goTo(place: Place): Promise<void> {
    await this.page
      .getByRole('navigation')
      .getByRole('link', { name: this.words[`nav${place}`](), exact: true })
      .click()
  }

  /** Types into the search field, as a person or a scanner does. */
  async looksFor(text: string): Promise<void> {
    await this.search.fill(text)
  }

  /** One row of the results, by what it shows. */
  result(name: string | RegExp): Locator {
    return this.page.getByRole('list', { name: this.words.results() }).getByRole('button', { name })
  }

  /** Looks for a customer and takes the row that shows `name`. */
  async chooses(text: string, name: string | RegExp): Promise<void> {
    await this.looksFor(text)
    await this.result(name).first().click()
    await this.customer.waitFor()
  }

  /** Types points and prints; waits for nothing. */
  async prints(points: number | string): Promise<void> {
    await this.points.fill(String(points))
    await this.printButton.click()
  }

  /** Has so many slips of the same points issued; waits for nothing. */
  async issuesMany(count: number, points: number): Promise<void> {
    const { page, words } = this
    await this.goTo('Slips')
    await page.getByRole('button', { name: words.issueMany() }).click()
    await page.getByRole('textbox', { name: words.pointsEach() }).fill(String(points))
    await page.getByRole('textbox', { name: words.howMany() }).fill(String(count))
    await page.getByRole('button', { name: words.continueToTotal() }).click()
    await page.getByRole('button', { name: `Issue ${count} slips` }).click()
  }

  /** How far the batch on the screen came. */
  get batchIssued(): Locator {
    return this.page.getByRole('progressbar', { name: this.words.batchBar() })
  }

  /** Registers the person whose phone was just looked for in vain. */
  async registers(name: string): Promise<void> {
    await this.page.getByRole('button', { name: this.words.registerCustomer() }).click()
    await this.page.getByRole('textbox', { name: this.words.name() }).fill(name)
    await this.page.getByRole('button', { name: this.words.register(), exact: true }).click()
  }
}
