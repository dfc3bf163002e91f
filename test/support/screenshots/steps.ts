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

/** Searches for a customer by a part of the name and chooses the first result. */
export async function choose(page: Page, text: string): Promise<void> {
  await find(page, text)
  await page.getByRole('list').getByRole('button', { name: text }).first().click()
  await page.getByRole('region', { name: 'Customer' }).waitFor()
}

/** Opens the card of the chosen customer, which on a small screen is a row. Returns the finder of what is on it. */
export async function openCard(page: Page): Promise<Pick<Page, 'getByText' | 'getByRole'>> {
  const row = page.getByRole('region', { name: 'Customer' }).locator('[aria-haspopup]')
  if ((await row.count()) === 0) return page
  await row.first().click()
  return page.getByRole('dialog')
}
