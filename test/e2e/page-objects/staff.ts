/** Page object of the lock screen, the PIN dialogs and the staff settings. */
import type { Locator, Page } from '@playwright/test'

/** Lock screen, PIN dialogs and staff settings of one till. */
export class StaffPage {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** The lock screen. */
  get lock(): Locator {
    return this.page.getByRole('dialog', { name: 'This till is locked' })
  }

  /** The dialog that asks for the manager's PIN. */
  get managerDialog(): Locator {
    return this.page.getByRole('dialog', { name: 'Manager PIN required' })
  }

  async openStaffSettings(): Promise<void> {
    await this.page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click()
    await this.page.getByRole('tab', { name: 'Staff' }).click()
  }

  /** Types a PIN into the focused field and presses Enter. */
  async typePin(pin: string): Promise<void> {
    await this.page.keyboard.type(pin)
    await this.page.keyboard.press('Enter')
  }

  /** Waits for the manager dialog and enters the PIN. */
  async enterManagerPin(pin: string): Promise<void> {
    await this.managerDialog.getByLabel('Manager PIN').and(this.page.locator(':focus')).waitFor()
    await this.typePin(pin)
  }

  /** Sets the manager's PIN in the staff settings. */
  async setManagerPin(pin: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Set PIN' }).first().click()
    const dialog = this.page.getByRole('dialog', { name: 'Manager PIN' })
    await this.#typesTwice(dialog, pin)
  }

  /** Adds a cashier in the staff settings, with a PIN if one is given. */
  async addCashier(name: string, pin?: string): Promise<void> {
    await this.page.getByRole('textbox', { name: 'New cashier' }).fill(name)
    await this.page.getByRole('button', { name: 'Add cashier' }).click()
    const row = this.page.getByRole('group', { name })
    await row.waitFor()
    if (pin === undefined) return
    await row.getByRole('button', { name: 'Set PIN' }).click()
    await this.#typesTwice(this.page.getByRole('dialog', { name: `PIN of ${name}` }), pin)
  }

  /** Chooses a cashier on the lock screen. */
  async chooseCashier(name: string): Promise<void> {
    await this.lock.getByRole('button', { name }).click()
  }

  async #typesTwice(dialog: Locator, pin: string): Promise<void> {
    for (const label of ['New PIN', 'Repeat new PIN']) {
      await dialog.getByLabel(label, { exact: true }).fill(pin)
      await this.page.keyboard.press('Enter')
    }
    await dialog.waitFor({ state: 'hidden' })
  }
}
