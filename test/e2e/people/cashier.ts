/** What a cashier does and sees, by the names on the screen. */
import type { Locator, Page } from '@playwright/test'

/** The five places of the rail. */
export type Place = 'Till' | 'Customers' | 'Rewards' | 'Slips' | 'Settings'

/** A cashier in front of one till. */
export class Cashier {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  get search(): Locator {
    return this.page.getByRole('searchbox', { name: 'Find customer' })
  }

  get customer(): Locator {
    return this.page.getByRole('region', { name: 'Customer', exact: true })
  }

  get points(): Locator {
    return this.page.getByRole('textbox', { name: 'Points' })
  }

  get printButton(): Locator {
    return this.page.getByRole('button', { name: 'Print slip' })
  }

  /** What the till says of the slip that came last: its code and its QR. */
  get lastSlip(): Locator {
    return this.page.getByRole('status').filter({ has: this.page.getByRole('img', { name: /QR/ }) })
  }

  get alert(): Locator {
    return this.page.getByRole('alert')
  }

  async goTo(place: Place): Promise<void> {
    await this.page.getByRole('navigation').getByRole('link', { name: place, exact: true }).click()
  }

  /** Types into the search field, as a person or a scanner does. */
  async looksFor(text: string): Promise<void> {
    await this.search.fill(text)
  }

  /** One row of the results, by what it shows. */
  result(name: string | RegExp): Locator {
    return this.page.getByRole('list', { name: 'Results' }).getByRole('button', { name })
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

  /** Registers the person whose phone was just looked for in vain. */
  async registers(name: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Register customer' }).click()
    await this.page.getByRole('textbox', { name: 'Name' }).fill(name)
    await this.page.getByRole('button', { name: 'Register', exact: true }).click()
  }
}
