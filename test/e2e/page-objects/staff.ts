/** What people do about the lock and their PINs. */
import type { Locator, Page } from '@playwright/test'

/** Anybody who works at one till. */
export class Staff {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** The lock over everything. */
  get lock(): Locator {
    return this.page.getByRole('dialog', { name: 'This till is locked' })
  }

  /** The question for the manager's PIN. */
  get managerNeeded(): Locator {
    return this.page.getByRole('dialog', { name: 'This needs the manager' })
  }

  async opensSettings(): Promise<void> {
    await this.page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click()
    await this.page.getByRole('tab', { name: 'Staff' }).click()
  }

  /** Types digits where the focus is, and Enter. */
  async types(pin: string): Promise<void> {
    await this.page.keyboard.type(pin)
    await this.page.keyboard.press('Enter')
  }

  /** Gives the manager's PIN where something asks for it. */
  async givesManagerPin(pin: string): Promise<void> {
    await this.managerNeeded.getByLabel('Manager’s PIN').and(this.page.locator(':focus')).waitFor()
    await this.types(pin)
  }

  /** In Settings: gives the till its first manager PIN. */
  async setsManagerPin(pin: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Set a PIN' }).first().click()
    const dialog = this.page.getByRole('dialog', { name: 'Manager’s PIN' })
    await this.#typesTwice(dialog, pin)
  }

  /** In Settings: adds somebody to the list. */
  async adds(name: string, pin?: string): Promise<void> {
    await this.page.getByRole('textbox', { name: 'New cashier' }).fill(name)
    await this.page.getByRole('button', { name: 'Add cashier' }).click()
    const row = this.page.getByRole('group', { name })
    await row.waitFor()
    if (pin === undefined) return
    await row.getByRole('button', { name: 'Set a PIN' }).click()
    await this.#typesTwice(this.page.getByRole('dialog', { name: `PIN of ${name}` }), pin)
  }

  /** On the lock: taps a name. */
  async chooses(name: string): Promise<void> {
    await this.lock.getByRole('button', { name }).click()
  }

  async #typesTwice(dialog: Locator, pin: string): Promise<void> {
    for (const label of ['New PIN', 'New PIN once more']) {
      await dialog.getByLabel(label, { exact: true }).fill(pin)
      await this.page.keyboard.press('Enter')
    }
    await dialog.waitFor({ state: 'hidden' })
  }
}
