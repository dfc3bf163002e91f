/** Asking the till what a page may ask, where the screen does not show it. */
import type { Page } from '@playwright/test'
import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { TillSettings } from '../../../electron/contract/settings.ts'
import type { TillState } from '../../../electron/contract/till.ts'
import type { Slip } from '../../../electron/contract/slips.ts'

declare global {
  interface Window {
    /** Put there by the preload before the page starts. */
    readonly tillpoints?: Bridge
  }
}

/** The newest rows of the journal. */
export async function slipsOf(page: Page): Promise<readonly Slip[]> {
  const answer = await page.evaluate(() => window.tillpoints?.slips.list({ offset: 0 }))
  if (!answer?.ok) throw new Error('The till did not tell its slips')
  return answer.value.slips
}

/** How the till stands. */
export async function stateOf(page: Page): Promise<TillState> {
  const answer = await page.evaluate(() => window.tillpoints?.till.state())
  if (!answer?.ok) throw new Error('The till did not tell its state')
  return answer.value
}

/** Changes settings, as the settings screen does. */
export async function set(page: Page, change: Partial<TillSettings>): Promise<void> {
  await page.evaluate((wanted) => window.tillpoints?.till.set(wanted), change)
}
