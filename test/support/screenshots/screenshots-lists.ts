import type { Page } from 'playwright-core'
import { business } from './sample-data.ts'
import { choose, find, go, press } from './steps.ts'
import type { Screenshot } from './screenshot.ts'

const offlineSince = '2026-11-20T12:02:00.000Z'

async function openPersonalData(page: Page): Promise<void> {
  await go(page, 'Customers')
  await page.getByRole('list').getByRole('button').nth(3).click()
  await page.getByText('Personal data').click()
}

async function askToForget(page: Page): Promise<void> {
  await openPersonalData(page)
  await press(page, 'Forget this customer')
}

async function forget(page: Page): Promise<void> {
  await askToForget(page)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Forget this customer' }).click()
}

/** Customers and rewards: few, many, none, waiting, without an answer. */
export const LIST_SCREENSHOTS: readonly Screenshot[] = [
  { name: 'customers', steps: (page) => go(page, 'Customers') },
  {
    name: 'customers-chosen',
    steps: async (page) => {
      await go(page, 'Customers')
      await page.getByRole('list').getByRole('button').nth(3).click()
    }
  },
  {
    name: 'customers-chosen-slips',
    steps: async (page) => {
      await go(page, 'Customers')
      await page.getByRole('list').getByRole('button').nth(1).click()
      await page.getByRole('region', { name: 'At this till' }).getByRole('list').waitFor()
    }
  },
  {
    name: 'customers-many',
    case: { many: true },
    steps: async (page) => {
      await go(page, 'Customers')
      // Before there are rows the arrow leads nowhere.
      await page.locator('.list-row').first().waitFor()
      await page.getByRole('searchbox', { name: 'Search customers' }).press('ArrowDown')
      await page.keyboard.press('End')
      await page.keyboard.press('PageUp')
    }
  },
  {
    name: 'customers-personal-data',
    steps: async (page) => {
      await openPersonalData(page)
      await press(page, 'Save the data of this till')
      await page.getByRole('button', { name: 'Forget this customer' }).scrollIntoViewIfNeeded()
    }
  },
  { name: 'customers-forget', steps: askToForget },
  { name: 'customers-forgetting', case: { forgetting: 'running' }, steps: forget },
  { name: 'customers-forgotten', steps: forget },
  {
    name: 'customers-forget-wait',
    case: { forgetting: { kind: 'wait', for: 'batch' } },
    steps: forget
  },
  {
    name: 'customers-empty',
    case: { empty: true, state: { business: { ...business, currentCustomers: 0 } } },
    steps: (page) => go(page, 'Customers')
  },
  { name: 'customers-waiting', case: { waits: true }, steps: (page) => go(page, 'Customers') },
  {
    name: 'customers-offline',
    case: { find: { kind: 'offline' }, state: { offlineSince } },
    steps: (page) => go(page, 'Customers')
  },
  {
    name: 'till-offline-typed',
    case: { find: { kind: 'offline' }, state: { offlineSince } },
    steps: (page) => find(page, 'maria')
  },
  { name: 'rewards', steps: (page) => go(page, 'Rewards') },
  {
    name: 'rewards-customer',
    steps: async (page) => {
      await choose(page, 'Eleni')
      await go(page, 'Rewards')
      await page.getByRole('button', { name: /Pumpkin/u }).click()
    }
  },
  {
    name: 'rewards-rich',
    steps: async (page) => {
      await choose(page, 'Nikolaos')
      await go(page, 'Rewards')
    }
  },
  {
    name: 'rewards-many',
    case: { many: true },
    steps: async (page) => {
      await choose(page, 'Μαρία')
      await go(page, 'Rewards')
      await page.getByRole('combobox', { name: 'Sort rewards' }).selectOption('affordable')
      await page.getByRole('searchbox', { name: 'Search rewards' }).fill('coffee')
      await press(page, 'Within reach')
    }
  },
  {
    name: 'rewards-reading',
    case: { many: true, catalogue: { complete: false, reading: { read: 5000 } } },
    steps: (page) => go(page, 'Rewards')
  },
  {
    name: 'rewards-not-all',
    case: { catalogue: { complete: false, failure: { kind: 'service-down', status: 503 } } },
    steps: (page) => go(page, 'Rewards')
  },
  {
    name: 'rewards-old',
    case: {
      state: { offlineSince },
      catalogue: { readAt: '2026-11-19T16:40:00.000Z', failure: { kind: 'offline' } }
    },
    steps: (page) => go(page, 'Rewards')
  },
  {
    name: 'rewards-none-found',
    steps: async (page) => {
      await go(page, 'Rewards')
      await page.getByRole('searchbox', { name: 'Search rewards' }).fill('bicycle')
    }
  },
  { name: 'rewards-empty', case: { empty: true }, steps: (page) => go(page, 'Rewards') },
  { name: 'rewards-waiting', case: { waits: true }, steps: (page) => go(page, 'Rewards') },
  { name: 'rewards-offline', case: { find: { kind: 'timeout' } }, steps: (page) => go(page, 'Rewards') }
]
