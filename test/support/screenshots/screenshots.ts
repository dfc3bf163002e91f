import type { Page } from 'playwright-core'
import { choose, find, go, points, print } from './steps.ts'
import type { Screenshot } from './screenshot.ts'
import { LIST_SCREENSHOTS } from './screenshots-lists.ts'
import { HELP_SCREENSHOTS } from './screenshots-help.ts'
import { MANAGED_SCREENSHOTS } from './screenshots-managed.ts'
import { OFFLINE_SCREENSHOTS } from './screenshots-offline.ts'
import { OUTCOME_SCREENSHOTS } from './screenshots-outcomes.ts'
import { PROGRAMS_SCREENSHOTS } from './screenshots-programs.ts'
import { PRINTER_SCREENSHOTS } from './screenshots-printer.ts'
import { CREDIT_SCREENSHOTS } from './screenshots-credit.ts'
import { REDEEM_SCREENSHOTS } from './screenshots-redeem.ts'
import { SLIP_SCREENSHOTS } from './screenshots-slips.ts'
import { STAFF_SCREENSHOTS } from './screenshots-staff.ts'
import { TILL_SCREENSHOTS } from './screenshots-till.ts'
import { UPDATE_SCREENSHOTS } from './screenshots-updates.ts'

async function connect(page: Page): Promise<void> {
  await page.getByLabel('Service address').fill('https://points.example/api')
  await page.getByLabel('Token or pairing code').fill('secret')
  await page.getByRole('button', { name: 'Check connection' }).click()
}

const onboarding = { state: { mode: 'onboarding', business: null, baseUrl: null } } as const
const training = { state: { mode: 'training', baseUrl: null } } as const

/** Every screen in every state that looks different, by name. */
export const SCREENSHOTS: readonly Screenshot[] = [
  { name: 'onboarding', case: onboarding },
  {
    name: 'onboarding-refused',
    case: { ...onboarding, check: { kind: 'unauthorised' } },
    steps: connect
  },
  {
    name: 'onboarding-address',
    case: { ...onboarding, check: { kind: 'invalid-input', field: 'base-url', fault: 'not-an-address' } },
    steps: connect
  },
  {
    name: 'onboarding-code-unknown',
    case: { ...onboarding, check: { kind: 'invalid-input', field: 'token', fault: 'pairing-code-unknown' } },
    steps: connect
  },
  {
    name: 'onboarding-checked',
    case: { ...onboarding, save: { kind: 'no-encryption' } },
    steps: async (page) => {
      await connect(page)
      await page.getByRole('button', { name: 'Save and open the till' }).click()
    }
  },
  { name: 'till' },
  { name: 'till-results', steps: (page) => find(page, 'ni') },
  { name: 'till-no-customer', steps: (page) => find(page, '+30 690 999 0000') },
  {
    name: 'till-register',
    steps: async (page) => {
      await find(page, '+30 690 999 0000')
      await page.getByRole('button', { name: 'Register customer' }).click()
      await page.getByLabel('Phone', { exact: true }).fill('')
      await page.getByRole('button', { name: 'Register', exact: true }).click()
    }
  },
  {
    name: 'till-register-name',
    case: { state: { isNameRequired: true } },
    steps: async (page) => {
      await find(page, '+30 690 999 0000')
      await page.getByRole('button', { name: 'Register customer' }).click()
      await page.getByRole('button', { name: 'Register', exact: true }).click()
    }
  },
  { name: 'till-code', steps: (page) => find(page, 'AR7K-5093U') },
  { name: 'till-waiting', case: { waits: true }, steps: (page) => find(page, 'maria') },
  { name: 'till-offline', case: { find: { kind: 'offline' } }, steps: (page) => find(page, 'maria') },
  { name: 'till-customer', steps: (page) => choose(page, 'Μαρία') },
  {
    name: 'till-points',
    steps: async (page) => {
      await choose(page, 'Μαρία')
      await points(page, '250')
    }
  },
  {
    name: 'till-long',
    steps: async (page) => {
      await choose(page, 'Nikolaos')
      await points(page, '99999999')
      await print(page)
    }
  },
  { name: 'till-longest', steps: (page) => points(page, '123456789012') },
  {
    name: 'till-wrong',
    case: { settings: { numberPad: 'shown' } },
    steps: async (page) => {
      await choose(page, 'Nikolaos')
      await points(page, '12.5')
      await print(page)
    }
  },
  {
    name: 'till-unknown',
    case: { issue: { kind: 'unknown-outcome', cause: 'timeout' } },
    steps: async (page) => {
      await choose(page, 'Eleni')
      await points(page, '40')
      await print(page)
    }
  },
  {
    name: 'till-printed',
    steps: async (page) => {
      await choose(page, 'Μαρία')
      await points(page, '250')
      await print(page)
    }
  },
  {
    name: 'till-print-failed',
    case: { issue: 'print-failed' },
    steps: async (page) => {
      await points(page, '1250')
      await print(page)
    }
  },
  {
    name: 'till-training',
    case: training,
    steps: async (page) => {
      await choose(page, 'Ana')
      await points(page, '75')
    }
  },
  {
    name: 'till-training-printed',
    case: training,
    steps: async (page) => {
      await choose(page, 'Ana')
      await points(page, '75')
      await print(page)
    }
  },
  {
    name: 'till-slip-opened',
    small: true,
    steps: async (page) => {
      await choose(page, 'Ana')
      await points(page, '75')
      await page.getByRole('button', { name: 'Show slip' }).click()
    }
  },
  {
    name: 'till-existed',
    steps: async (page) => {
      await find(page, 'a new customer')
      await page.getByRole('button', { name: 'Register customer' }).click()
      await page.getByRole('textbox', { name: 'Phone' }).fill('+30 690 123 4567')
      await page.getByRole('button', { name: 'Register', exact: true }).click()
    }
  },
  {
    name: 'till-notices',
    case: {
      state: {
        accepted: false,
        notices: [{ kind: 'settings-quarantined', file: 'settings-2026-11-21.json' }]
      }
    }
  },
  ...LIST_SCREENSHOTS,
  ...TILL_SCREENSHOTS,
  ...REDEEM_SCREENSHOTS,
  ...CREDIT_SCREENSHOTS,
  ...SLIP_SCREENSHOTS,
  ...OFFLINE_SCREENSHOTS,
  ...OUTCOME_SCREENSHOTS,
  ...PRINTER_SCREENSHOTS,
  ...MANAGED_SCREENSHOTS,
  ...PROGRAMS_SCREENSHOTS,
  ...STAFF_SCREENSHOTS,
  ...UPDATE_SCREENSHOTS,
  ...HELP_SCREENSHOTS,
  { name: 'slips', steps: (page) => go(page, 'Slips') },
  {
    name: 'slips-checked',
    steps: async (page) => {
      await go(page, 'Slips')
      await page.getByRole('searchbox', { name: 'Check code' }).fill('AR7K-5093')
      await page.keyboard.press('Enter')
    }
  },
  { name: 'slips-empty', case: { empty: true }, steps: (page) => go(page, 'Slips') },
  { name: 'settings', steps: (page) => go(page, 'Settings') },
  {
    name: 'settings-reconnect',
    case: { state: { accepted: false } },
    steps: (page) => page.getByRole('button', { name: 'Reconnect' }).click()
  },
  {
    name: 'settings-reconnect-elsewhere',
    case: {
      state: { accepted: false },
      check: { kind: 'invalid-input', field: 'token', fault: 'pairing-code-elsewhere' }
    },
    steps: async (page) => {
      await page.getByRole('button', { name: 'Reconnect' }).click()
      await page.getByLabel('Token or pairing code').fill('ABCD-EFGH')
      await page.getByRole('button', { name: 'Check connection' }).click()
    }
  },
  {
    name: 'settings-disconnect',
    steps: async (page) => {
      await go(page, 'Settings')
      await page.getByRole('button', { name: 'Disconnect' }).click()
    }
  },
  {
    name: 'settings-personal-data',
    steps: async (page) => {
      await go(page, 'Settings')
      await page.getByRole('region', { name: 'Personal data' }).scrollIntoViewIfNeeded()
    }
  },
  { name: 'settings-training', case: training, steps: (page) => go(page, 'Settings') }
]

/** Screen sizes of tills, in CSS pixels. */
export const SIZES = [
  { width: 1024, height: 768 },
  { width: 1366, height: 768 },
  { width: 1920, height: 1080 },
  { width: 800, height: 600 },
  { width: 800, height: 480 }
] as const

/** Returns a screenshot by its name. Throws when there is none. */
export function screenshotNamed(name: string): Screenshot {
  const screenshot = SCREENSHOTS.find((one) => one.name === name)
  if (!screenshot) throw new Error(`There is no screenshot ${name}`)
  return screenshot
}
