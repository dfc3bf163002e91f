import type { Page } from 'playwright-core'
import { choose, go, openCard, press } from './steps.ts'
import type { Screenshot } from './screenshot.ts'

const newTill = { settings: { tourSeen: false } } as const
const STEPS = ['Find the customer', 'Type the points', 'Hand over the slip', 'Check the slips'] as const

/** Goes on until the step with this number, from 1, is in sight. */
async function toStep(page: Page, last: number): Promise<void> {
  for (const [index, title] of STEPS.slice(0, last).entries()) {
    await page.getByRole('heading', { name: title }).waitFor()
    if (index + 1 < last) await press(page, 'Next')
  }
}

/** Help, the first steps, what explains itself when asked, and what the till is made of. */
export const HELP_SCREENSHOTS: readonly Screenshot[] = [
  { name: 'help', steps: (page) => press(page, 'Help') },
  {
    name: 'help-words',
    steps: async (page) => {
      await press(page, 'Help')
      await page.getByText('Issue batch', { exact: true }).last().scrollIntoViewIfNeeded()
    }
  },
  ...[1, 2, 3, 4].map((step) => ({
    name: `help-tour-${String(step)}`,
    case: newTill,
    steps: (page: Page) => toStep(page, step)
  })),
  {
    name: 'help-word',
    steps: async (page) => {
      await choose(page, 'Μαρία')
      const card = await openCard(page)
      await card.getByText('Lifetime points').getByRole('button').click()
    }
  },
  {
    name: 'help-about',
    steps: async (page) => {
      await go(page, 'Settings')
      await page.getByRole('tab', { name: 'About' }).click()
      await page.getByText('Show licences').click()
    }
  }
]
