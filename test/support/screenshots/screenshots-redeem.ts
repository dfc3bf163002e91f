import type { Page } from 'playwright-core'
import type { Failure } from '../../../electron/contract/failure.ts'
import { business } from './sample-data.ts'
import type { FakeState } from './fake-bridge.ts'
import type { Screenshot } from './screenshot.ts'
import { choose, find, go, openCard, points } from './steps.ts'

const extensions = ['redemptions/1', 'collections/1', 'customer-codes/1', 'devices/1'] as const
const redeems: FakeState = { state: { business: { ...business, extensions: [...extensions] } }, served: 3 }
const refusedWith = (redeem: Failure): FakeState => ({ ...redeems, redeem })

async function open(page: Page): Promise<void> {
  await choose(page, 'Eleni')
  const card = await openCard(page)
  // By its text: the name has the reward, too, and steps in other languages know whole messages only.
  await card.getByText('Redeem', { exact: true }).first().click()
  await page.getByRole('dialog').waitFor()
}

async function redeem(page: Page): Promise<void> {
  await open(page)
  await page.keyboard.press('Enter')
  await page.locator('[role=dialog] .primary:not([aria-disabled])').waitFor()
}

async function undo(page: Page): Promise<void> {
  await redeem(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Wrong reward')
}

async function linkPhone(page: Page): Promise<void> {
  await choose(page, 'Eleni')
  const card = await openCard(page)
  await card.getByRole('button', { name: 'Link phone', exact: true }).first().click()
  await page.getByRole('textbox', { name: 'Six digits' }).fill('123456')
  await page.keyboard.press('Enter')
}

/** Redeeming a reward and undoing it, and the phones of customers. */
export const REDEEM_SCREENSHOTS: readonly Screenshot[] = [
  { name: 'redeem-card', case: redeems, steps: (page) => choose(page, 'Eleni') },
  {
    name: 'redeem-card-pad',
    case: { ...redeems, settings: { numberPad: 'shown' } },
    steps: (page) => choose(page, 'Eleni')
  },
  {
    name: 'redeem-card-offline',
    case: { ...redeems, state: { ...redeems.state, offlineSince: '2026-11-21T09:02:00.000Z' } },
    steps: (page) => choose(page, 'Eleni')
  },
  { name: 'redeem-not-offered', case: { served: 3 }, steps: (page) => choose(page, 'Eleni') },
  { name: 'redeem-question', case: redeems, steps: open },
  { name: 'redeem-done', case: redeems, steps: redeem },
  {
    name: 'redeem-refused',
    case: refusedWith({ kind: 'operation-refused', reason: 'price-changed' }),
    steps: redeem
  },
  {
    name: 'redeem-unknown',
    case: refusedWith({ kind: 'unknown-outcome', cause: 'timeout' }),
    steps: redeem
  },
  {
    name: 'redeem-left',
    case: { ...redeems, redeem: 'waits' },
    steps: async (page) => {
      await open(page)
      await page.keyboard.press('Enter')
      await page.keyboard.press('Escape')
      await page.getByRole('alert').waitFor()
    }
  },
  {
    name: 'redeem-attention',
    case: refusedWith({ kind: 'unknown-outcome', cause: 'timeout' }),
    steps: async (page) => {
      await redeem(page)
      await page.keyboard.press('Escape')
      await go(page, 'Slips')
      await page.getByRole('button', { name: 'Ask again' }).waitFor()
    }
  },
  {
    name: 'redeem-attention-end',
    case: refusedWith({ kind: 'unknown-outcome', cause: 'timeout' }),
    steps: async (page) => {
      await redeem(page)
      await page.keyboard.press('Escape')
      await go(page, 'Slips')
      await page.getByRole('button', { name: 'End without an answer' }).click()
      await page.getByRole('alertdialog').waitFor()
    }
  },
  {
    name: 'redeem-not-printed',
    case: {
      ...redeems,
      settings: { redemptions: { byCashiers: true, slip: true } },
      paper: { kind: 'not-printed', fault: 'out-of-paper', mayStillPrint: false }
    },
    steps: redeem
  },
  { name: 'redeem-undo', case: redeems, steps: undo },
  {
    name: 'redeem-undo-late',
    case: { ...redeems, undo: { kind: 'operation-refused', reason: 'reversal-too-late' } },
    steps: async (page) => {
      await undo(page)
      await page.keyboard.press('Enter')
    }
  },
  {
    name: 'redeem-undone',
    case: redeems,
    steps: async (page) => {
      await undo(page)
      await page.keyboard.press('Enter')
      await page.locator('[role=dialog] .primary:not([aria-disabled])').waitFor()
    }
  },
  {
    name: 'redeem-rewards',
    case: redeems,
    steps: async (page) => {
      await redeem(page)
      await page.keyboard.press('Enter')
      await go(page, 'Rewards')
      await page.getByRole('list').getByRole('button').first().click()
      await page.getByRole('heading', { name: 'Redeemed at this till' }).waitFor()
    }
  },
  {
    name: 'redeem-settings',
    case: redeems,
    steps: async (page) => {
      await go(page, 'Settings')
      await page.getByRole('tab', { name: 'Calculate points' }).click()
    }
  },
  {
    name: 'redeem-settings-managed',
    case: {
      ...redeems,
      state: {
        ...redeems.state,
        managed: {
          managedBy: 'Example IT',
          sources: ['/etc/tillpoints/policy.json'],
          since: '2026-11-21T12:00:00.000Z',
          locked: ['redemptions.byCashiers', 'redemptions.slip'],
          defaults: [],
          serviceAddress: null
        }
      }
    },
    steps: async (page) => {
      await go(page, 'Settings')
      await page.getByRole('tab', { name: 'Calculate points' }).click()
    }
  },
  { name: 'redeem-card-long', case: redeems, steps: (page) => choose(page, 'Nikolaos') },
  {
    name: 'redeem-card-points',
    case: redeems,
    steps: async (page) => {
      await choose(page, 'Eleni')
      await points(page, '40')
    }
  },
  { name: 'phone-link', case: redeems, steps: linkPhone },
  {
    name: 'phone-link-wrong',
    case: { ...redeems, linking: { kind: 'invalid-input', field: 'code', fault: 'digits-unknown' } },
    steps: linkPhone
  },
  {
    name: 'phone-code-used',
    case: { ...redeems, find: { kind: 'invalid-input', field: 'code', fault: 'customer-code-used' } },
    steps: async (page) => {
      await find(page, 'HTTPS://POINTS.EXAMPLE/C/4K7Q2M0ZC4T9AX3BD7QK2M0ZC4')
      await page.keyboard.press('Enter')
    }
  }
]
