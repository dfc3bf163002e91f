import type { Page } from 'playwright-core'
import type { KnownCustomerWay } from '../../../electron/contract/credits.ts'
import type { FakeState } from './fake-bridge.ts'
import { business } from './sample-data.ts'
import type { Screenshot } from './screenshot.ts'
import { choose, go, points } from './steps.ts'

const credits = (knownCustomers: KnownCustomerWay, slip = false): FakeState => ({
  state: { business: { ...business, extensions: ['credits/1', 'redemptions/1'] } },
  settings: { credits: { knownCustomers, slip } },
  served: 3
})
const LOST: FakeState = { ...credits('credit'), credit: { kind: 'unknown-outcome', cause: 'timeout' } }

async function type(page: Page): Promise<void> {
  await choose(page, 'Eleni')
  await points(page, '250')
}

async function give(page: Page): Promise<void> {
  await type(page)
  await page.keyboard.press('Enter')
}

async function given(page: Page): Promise<void> {
  await give(page)
  await page.getByRole('button', { name: 'Undo' }).waitFor()
}

async function undo(page: Page): Promise<void> {
  await given(page)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Wrong customer')
}

/** Points that a known customer gets at once. */
export const CREDIT_SCREENSHOTS: readonly Screenshot[] = [
  { name: 'credit-ready', case: credits('credit'), steps: type },
  {
    name: 'credit-ready-pad',
    case: {
      ...credits('credit'),
      ...{ settings: { numberPad: 'shown', credits: { knownCustomers: 'credit', slip: false } } }
    },
    steps: type
  },
  { name: 'credit-cashier', case: credits('cashier'), steps: type },
  {
    name: 'credit-cashier-slip',
    case: credits('cashier'),
    steps: async (page) => {
      await type(page)
      await page.keyboard.press('Alt+9')
    }
  },
  { name: 'credit-running', case: { ...credits('credit'), credit: 'waits' }, steps: give },
  { name: 'credit-given', case: credits('credit'), steps: given },
  { name: 'credit-given-slip', case: credits('credit', true), steps: given },
  {
    name: 'credit-not-printed',
    case: {
      ...credits('credit', true),
      paper: { kind: 'not-printed', fault: 'out-of-paper', mayStillPrint: false }
    },
    steps: async (page) => {
      await given(page)
      await page.getByRole('alert').waitFor()
    }
  },
  {
    name: 'credit-unknown',
    case: LOST,
    steps: async (page) => {
      await give(page)
      await page.getByRole('button', { name: 'Ask again' }).waitFor()
    }
  },
  {
    name: 'credit-refused',
    case: { ...credits('credit'), credit: { kind: 'operation-refused', reason: 'credit-limit-reached' } },
    steps: async (page) => {
      await give(page)
      await page.getByRole('alert').waitFor()
    }
  },
  {
    name: 'credit-approval',
    case: { ...credits('credit'), credit: { kind: 'operation-refused', reason: 'credit-needs-approval' } },
    steps: async (page) => {
      await give(page)
      await page.getByRole('alert').waitFor()
    }
  },
  { name: 'credit-undo', case: credits('credit'), steps: undo },
  {
    name: 'credit-undo-spent',
    case: { ...credits('credit'), undo: { kind: 'operation-refused', reason: 'points-too-few' } },
    steps: async (page) => {
      await undo(page)
      await page.locator('[role=alertdialog] .danger').click()
      await page.getByRole('alert').waitFor()
    }
  },
  {
    name: 'credit-undone',
    case: credits('credit'),
    steps: async (page) => {
      await undo(page)
      await page.locator('[role=alertdialog] .danger').click()
      await page.locator('[role=alertdialog] .danger').waitFor({ state: 'detached' })
    }
  },
  {
    name: 'credit-settings',
    case: credits('credit', true),
    steps: async (page) => {
      await go(page, 'Settings')
      await page.getByRole('tab', { name: 'Calculate points' }).click()
    }
  },
  {
    name: 'credit-listed',
    case: credits('credit'),
    steps: async (page) => {
      await given(page)
      await choose(page, 'Eleni')
      await go(page, 'Rewards')
      await page.getByRole('list').getByRole('button').first().click()
      await page.getByRole('heading', { name: 'Points given at this till' }).waitFor()
    }
  }
]
