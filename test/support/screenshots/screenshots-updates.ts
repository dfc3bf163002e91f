import type { Page } from 'playwright-core'
import { choose, go, press } from './steps.ts'
import type { Screenshot } from './screenshot.ts'

/** Shows the updates, which stand below what is in sight. */
async function updates(page: Page): Promise<void> {
  await go(page, 'Settings')
  await page.getByRole('region', { name: 'Updates' }).scrollIntoViewIfNeeded()
}

const ready = { state: { update: { kind: 'ready', version: '1.2.0' } } } as const
const feed = { updates: { feed: 'https://updates.example/till/' } } as const

/** Updates of the till itself, where the cashier works and in the settings. */
export const UPDATE_SCREENSHOTS: readonly Screenshot[] = [
  { name: 'update-waits', case: ready },
  {
    name: 'update-in-the-way',
    case: ready,
    steps: async (page) => {
      await choose(page, 'Μαρία')
      await press(page, 'Restart and update')
    }
  },
  { name: 'settings-updates-off', steps: updates },
  { name: 'settings-updates-ready', case: { ...ready, settings: feed }, steps: updates },
  {
    name: 'settings-updates-downloading',
    case: { settings: feed, state: { update: { kind: 'downloading', version: '1.2.0', percent: 40 } } },
    steps: updates
  },
  {
    name: 'settings-updates-failed',
    case: {
      settings: feed,
      state: { update: { kind: 'failed', fault: 'damaged', checkedAt: '2026-11-21T08:00:00.000Z' } }
    },
    steps: updates
  },
  {
    name: 'settings-updates-refused',
    steps: async (page) => {
      await updates(page)
      await page.getByRole('textbox', { name: 'Update server' }).fill('http://updates.example/')
      await page.getByRole('region', { name: 'Updates' }).getByRole('button', { name: 'Save' }).click()
    }
  }
]
