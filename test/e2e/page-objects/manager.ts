/** What a manager does: setting a till up, and connecting it again. */
import type { Locator, Page } from '@playwright/test'
import { WORDS, type Words } from './words.ts'

/** A manager in front of one till, who reads its screen in one language. */
export class Manager {
  readonly page: Page
  readonly words: Words

  constructor(page: Page, words: Words = WORDS.en) {
    this.page = page
    this.words = words
  }

  get address(): Locator {
    return this.page.getByRole('textbox', { name: this.words.serviceAddress() })
  }

  get token(): Locator {
    return this.page.getByLabel(this.words.token(), { exact: true })
  }

  get saveButton(): Locator {
    return this.page.getByRole('button', { name: this.words.saveAndOpen() })
  }

  /** From the first start: goes to training. */
  async startsTraining(): Promise<void> {
    await this.page.getByRole('button', { name: this.words.startTraining() }).click()
  }

  /** Types an address and a token and asks whose they are. */
  async checks(address: string, token: string): Promise<void> {
    await this.address.fill(address)
    await this.token.fill(token)
    await this.page.getByRole('button', { name: this.words.checkConnection() }).click()
  }

  /** Connects a business from the first start, and saves. */
  async connects(address: string, token: string): Promise<void> {
    await this.checks(address, token)
    await this.saveButton.click()
  }
}
