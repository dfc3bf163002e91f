/** Calls of the bridge, for state that the screen does not show. */
import type { Page } from '@playwright/test'
import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { TillSettings } from '../../../electron/contract/settings.ts'
import type { TillState } from '../../../electron/contract/till.ts'
import type { Slip } from '../../../electron/contract/slips.ts'

declare global {
  interface Window {
    /** Exposed by the preload before the page starts. */
    readonly tillpoints?: Bridge
  }
}

/** Returns the newest slips of the journal. */
export async function slipsOf(page: Page): Promise<readonly Slip[]> {
  const answer = await page.evaluate(() => window.tillpoints?.slips.list({ offset: 0 }))
  if (!answer?.ok) throw new Error('slips.list failed')
  return answer.value.slips
}

/** Returns the state of the till. */
export async function stateOf(page: Page): Promise<TillState> {
  const answer = await page.evaluate(() => window.tillpoints?.till.state())
  if (!answer?.ok) throw new Error('till.state failed')
  return answer.value
}

/** Changes settings, as the settings screen does. */
export async function changeSettings(page: Page, change: Partial<TillSettings>): Promise<void> {
  await page.evaluate((settings) => window.tillpoints?.till.set(settings), change)
}
