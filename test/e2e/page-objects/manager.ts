/** Page object of the onboarding screen and the connection form. */
import type { Locator, Page } from '@playwright/test'
import { SCREEN_MESSAGES, type ScreenMessages } from './locales.ts'

/** Onboarding and connection of one till in one language. */
export class ManagerPage {
  readonly page: Page
  readonly words: ScreenMessages

  constructor(page: Page, words: ScreenMessages = SCREEN_MESSAGES.en) {
    this.page = page
    this.words = words
  }

  get address(): Locator {
    return this.page.getByRole('textbox', { name: this.words.serviceAddress() })
  }

  get token(): Locator {
    return this.page.getByLabel(this.words.tokenOrCode(), { exact: true })
  }

  get saveButton(): Locator {
    return this.page.getByRole('button', { name: this.words.saveAndOpen() })
  }

  /** Starts training from the onboarding screen. */
  async startTraining(): Promise<void> {
    await this.page.getByRole('button', { name: this.words.startTraining() }).click()
  }

  /** Fills address and token and presses Check connection. */
  async checkConnection(address: string, token: string): Promise<void> {
    await this.address.fill(address)
    await this.token.fill(token)
    await this.page.getByRole('button', { name: this.words.checkConnection() }).click()
  }

  /** Connects a business from the onboarding screen and saves. */
  async connect(address: string, token: string): Promise<void> {
    await this.checkConnection(address, token)
    await this.saveButton.click()
  }
}
