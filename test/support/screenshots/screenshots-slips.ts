import type { Page } from 'playwright-core'
import { business, slip } from './sample-data.ts'
import { choose, find, go, points, press } from './steps.ts'
import type { FakeState } from './fake-bridge.ts'
import type { Screenshot } from './screenshot.ts'

const returns: FakeState = { state: { business: { ...business, extensions: ['returns/1'] } } }
const creditReturns: FakeState = {
  state: { business: { ...business, extensions: ['credits/1', 'redemptions/1', 'returns/1'] } },
  settings: { credits: { knownCustomers: 'credit', slip: false } }
}

async function many(page: Page, points: string, count: string): Promise<void> {
  await go(page, 'Slips')
  await press(page, 'Issue batch')
  await page.getByRole('textbox', { name: 'Points on each slip' }).fill(points)
  await page.getByRole('textbox', { name: 'How many slips' }).fill(count)
}

async function open(page: Page): Promise<void> {
  await go(page, 'Slips')
  await press(page, 'Open batch')
}

const row = (page: Page, index: number) =>
  page.getByRole('list', { name: 'History' }).getByRole('button').nth(index).click()

async function takeBack(page: Page): Promise<void> {
  await go(page, 'Slips')
  await row(page, 0)
  await press(page, 'Take points back')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Take points back' }).click()
}

/** Opens what a customer was credited, in their details. */
async function creditOfCustomer(page: Page): Promise<void> {
  await choose(page, 'Eleni')
  await points(page, '250')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  await go(page, 'Customers')
  await page.getByRole('list', { name: 'Customers' }).getByRole('button').first().click()
  await page
    .getByRole('complementary')
    .getByRole('listitem')
    .getByRole('button')
    .last()
    .scrollIntoViewIfNeeded()
}

/** Slips: what needs attention, the history, and many at once. */
export const SLIP_SCREENSHOTS: readonly Screenshot[] = [
  {
    name: 'report-day',
    steps: async (page) => {
      await go(page, 'Slips')
      await press(page, 'Day report')
    }
  },
  {
    name: 'report-month',
    steps: async (page) => {
      await go(page, 'Slips')
      await press(page, 'Day report')
      await press(page, 'This month')
      await press(page, 'Save report')
      await page
        .getByRole('group', { name: 'Show in the chart' })
        .getByRole('button', { name: 'Slips' })
        .click()
    }
  },
  {
    name: 'report-collected',
    steps: async (page) => {
      await go(page, 'Slips')
      await press(page, 'Day report')
      await press(page, 'By cashier')
      await page.getByRole('region', { name: 'Collected or not' }).scrollIntoViewIfNeeded()
    }
  },
  {
    name: 'report-empty',
    case: { empty: true },
    steps: async (page) => {
      await go(page, 'Slips')
      await press(page, 'Day report')
    }
  },
  {
    name: 'report-paper-out',
    case: { paper: { kind: 'not-printed', fault: 'out-of-paper', mayStillPrint: true } },
    steps: async (page) => {
      await go(page, 'Slips')
      await press(page, 'Day report')
      await press(page, 'Print report')
    }
  },
  {
    name: 'slips-details',
    steps: async (page) => {
      await go(page, 'Slips')
      await row(page, 0)
    }
  },
  {
    name: 'slips-return',
    case: returns,
    steps: async (page) => {
      await go(page, 'Slips')
      await row(page, 0)
      await press(page, 'Take points back')
    }
  },
  {
    name: 'slips-return-amount',
    case: returns,
    steps: async (page) => {
      await go(page, 'Slips')
      await row(page, 0)
      await press(page, 'Take points back')
      await page.getByText('By amount', { exact: true }).click()
    }
  },
  {
    name: 'slips-return-pin',
    case: { ...returns, takeBack: { kind: 'locked', needs: 'manager' } },
    steps: async (page) => {
      await takeBack(page)
      await page.getByRole('dialog').locator('[type=password]').waitFor()
    }
  },
  { name: 'slips-returned', case: returns, steps: takeBack },
  {
    name: 'slips-returned-details',
    case: { ...returns, slips: [slip(40, { points: 250, remaining: 150 })] },
    steps: async (page) => {
      await go(page, 'Slips')
      await row(page, 0)
    }
  },
  {
    name: 'slips-returned-not-printed',
    case: {
      ...returns,
      settings: { returns: { slip: true } },
      paper: { kind: 'not-printed', fault: 'out-of-paper', mayStillPrint: false }
    },
    steps: async (page) => {
      await takeBack(page)
      await page.getByRole('alertdialog').getByRole('alert').waitFor()
    }
  },
  {
    name: 'till-return-code',
    case: returns,
    steps: async (page) => {
      await find(page, 'AR7K-2M9P')
      await page.getByRole('button', { name: 'Take points back' }).waitFor()
    }
  },
  {
    name: 'till-return-bill',
    case: returns,
    steps: async (page) => {
      await find(page, '2026-11-23/R-1041')
      await page.locator('main').getByRole('button', { name: '2026-11-23/R-1041' }).waitFor()
    }
  },
  {
    name: 'till-returned-bill',
    case: returns,
    steps: async (page) => {
      await find(page, '2026-11-23/R-1041')
      await page.locator('main').getByRole('button', { name: '2026-11-23/R-1041' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Take points back' }).click()
    }
  },
  { name: 'customers-return', case: creditReturns, steps: creditOfCustomer },
  {
    name: 'customers-returned',
    case: { ...creditReturns, creditRemaining: 150 },
    steps: creditOfCustomer
  },
  {
    name: 'slips-reprint-failed',
    case: { paper: { kind: 'not-printed', fault: 'out-of-paper', mayStillPrint: true } },
    steps: async (page) => {
      await go(page, 'Slips')
      await row(page, 0)
      await press(page, 'Reprint')
    }
  },
  {
    name: 'slips-history',
    steps: async (page) => {
      await go(page, 'Slips')
      await press(page, 'Export as CSV')
      await page.getByRole('button', { name: 'Export as CSV' }).scrollIntoViewIfNeeded()
    }
  },
  {
    name: 'slips-searched',
    steps: async (page) => {
      await go(page, 'Slips')
      await page.getByRole('searchbox', { name: 'Search slips' }).fill('nothing like it')
    }
  },
  {
    name: 'slips-discard',
    steps: async (page) => {
      await go(page, 'Slips')
      await press(page, 'Discard')
      await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
    }
  },
  { name: 'slips-waiting', case: { waits: true }, steps: (page) => go(page, 'Slips') },
  { name: 'slips-unfinished', case: { batch: { state: 'paused' } }, steps: (page) => go(page, 'Slips') },
  { name: 'many-form', steps: (page) => many(page, '250', '120') },
  {
    name: 'many-wrong',
    steps: async (page) => {
      await many(page, '250', '501')
      await press(page, 'Continue')
    }
  },
  {
    name: 'many-confirm',
    steps: async (page) => {
      await many(page, '250', '120')
      await press(page, 'Continue')
    }
  },
  { name: 'many-running', case: { batch: {} }, steps: open },
  {
    name: 'many-stopped',
    case: {
      batch: { state: 'stopped', reason: { kind: 'service-down', status: 503 }, unknown: 3, waiting: 43 }
    },
    steps: open
  },
  {
    name: 'many-cancel',
    case: { batch: { state: 'paused' } },
    steps: async (page) => {
      await open(page)
      await press(page, 'End batch')
    }
  },
  {
    name: 'many-finished',
    case: { batch: { state: 'finished', issued: 120, printed: 117, failed: 3, waiting: 0 } },
    steps: async (page) => {
      await many(page, '250', '120')
      await press(page, 'Continue')
      // Issue 120 slips: it has the focus.
      await page.keyboard.press('Enter')
    }
  }
]
