/** What a manager does: setting a till up, and connecting it again. */
import type { Locator, Page } from '@playwright/test'

/** A manager in front of one till. */
export class Manager {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  get address(): Locator {
    return this.page.getByRole('textbox', { name: 'Service address' })
  }

  get token(): Locator {
    return this.page.getByLabel('Token', { exact: true })
  }

  get saveButton(): Locator {
    return this.page.getByRole('button', { name: 'Save and open the till' })
  }

  /** From the first start: goes to practice. */
  async startsPractising(): Promise<void> {
    await this.page.getByRole('button', { name: 'Start practising' }).click()
  }

  /** Types an address and a token and asks whose they are. */
  async checks(address: string, token: string): Promise<void> {
    await this.address.fill(address)
    await this.token.fill(token)
    await this.page.getByRole('button', { name: 'Check connection' }).click()
  }

  /** Connects a business from the first start, and saves. */
  async connects(address: string, token: string): Promise<void> {
    await this.checks(address, token)
    await this.saveButton.click()
  }
}
