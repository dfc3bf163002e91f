/** Steps of a cashier before a screenshot is taken. */
import type { Page } from 'playwright-core'

export const go = (page: Page, screen: string) => page.getByRole('link', { name: screen }).click()
export const find = (page: Page, text: string) =>
  page.getByRole('searchbox', { name: 'Find customer' }).fill(text)
export const points = (page: Page, text: string) => page.getByRole('textbox', { name: 'Points' }).fill(text)
/** Print slip or Save slip. */
export const print = (page: Page) => page.locator('[data-tour="print"]').click()
export const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).first().click()

/** Searches for a customer and chooses the first result. */
export async function choose(page: Page, text: string): Promise<void> {
  await find(page, text)
  await page.getByRole('list').getByRole('button').first().click()
  await page.getByRole('region', { name: 'Customer' }).waitFor()
}
