import { chromium, expect } from '@playwright/test'
import { findChromium } from '../../support/chromium.ts'

/** A phone that opens the page of a code and collects its points for a number. */
export async function collect(url: string, number: string): Promise<void> {
  const browser = await chromium.launch({
    executablePath: findChromium() ?? '',
    args: ['--no-sandbox', '--disable-gpu']
  })
  try {
    const phone = await browser.newPage({ viewport: { width: 390, height: 844 }, locale: 'en-GB' })
    await phone.goto(url)
    await phone.getByLabel('Phone number').fill(number)
    await phone.getByRole('button', { name: 'Collect' }).click()
    await expect(phone.getByRole('heading', { name: 'Collected' })).toBeVisible()
  } finally {
    await browser.close()
  }
}
