import type { Page } from 'playwright-core'
import { NO_STAFF, type StaffState } from '../../../electron/contract/staff.ts'
import { choose, go, points, press } from './steps.ts'
import type { Screenshot } from './screenshot.ts'

const cashiers = [
  { id: 'k1', name: 'Άννα Κ.', hasPin: true },
  { id: 'k2', name: 'Ben', hasPin: false },
  { id: 'k3', name: 'Konstantina Papageorgopoulou-Nikolaidou', hasPin: true },
  { id: 'k4', name: 'ليلى', hasPin: false }
]
const people: StaffState = {
  ...NO_STAFF,
  manager: 'locked',
  cashiers,
  cashier: { id: 'k1', name: 'Άννα Κ.', number: 1 },
  lockable: true
}
const staff = (change: Partial<StaffState> = {}): { state: { staff: StaffState } } => ({
  state: { staff: { ...people, ...change } }
})
const locked = staff({ locked: true, cashier: null })
const managerOnly = staff({ locked: true, cashier: null, cashiers: [] })

const type = (page: Page, digits: string): Promise<void> => page.keyboard.type(digits)

/** Opens the staff's part of the settings. */
async function staffSettings(page: Page): Promise<void> {
  await go(page, 'Settings')
  await page.getByRole('tab', { name: 'Staff' }).click()
}

/** The lock, PINs, cashiers. */
export const STAFF_SCREENSHOTS: readonly Screenshot[] = [
  {
    name: 'staff-till',
    case: staff(),
    steps: async (page) => {
      await choose(page, 'Μαρία')
      await points(page, '250')
    }
  },
  { name: 'staff-till-no-cashier', case: staff({ cashier: null, manager: 'unlocked' }) },
  { name: 'staff-locked', case: locked },
  { name: 'staff-locked-bill', case: { state: { ...locked.state, billWaiting: true } } },
  {
    name: 'staff-locked-pin',
    case: locked,
    steps: async (page) => {
      await page.getByRole('button', { name: /Άννα/u }).click()
      await type(page, '4711')
    }
  },
  {
    name: 'staff-locked-wrong',
    case: { ...locked, pin: { kind: 'wrong-pin', waitSeconds: 300 } },
    steps: async (page) => {
      await page.getByRole('button', { name: /Konstantina/u }).click()
      await type(page, '4711\n')
    }
  },
  { name: 'staff-locked-manager', case: managerOnly, steps: (page) => type(page, '08150815') },
  {
    name: 'staff-locked-forgotten',
    case: { ...managerOnly, pin: { kind: 'other-business' } },
    steps: async (page) => {
      await press(page, 'Forgotten PIN')
      await page.getByLabel('Token or pairing code').fill('secret')
      await press(page, 'Remove manager PIN')
    }
  },
  {
    name: 'staff-locked-forgotten-code',
    case: {
      ...managerOnly,
      pin: { kind: 'invalid-input', field: 'token', fault: 'pairing-code-elsewhere' }
    },
    steps: async (page) => {
      await press(page, 'Forgotten PIN')
      await page.getByLabel('Token or pairing code').fill('ABCD-EFGH')
      await press(page, 'Remove manager PIN')
    }
  },
  { name: 'staff-settings', case: staff({ manager: 'unlocked' }), steps: staffSettings },
  { name: 'staff-settings-empty', steps: staffSettings },
  {
    name: 'staff-settings-rename',
    case: staff({ manager: 'unlocked' }),
    steps: async (page) => {
      await staffSettings(page)
      await page.getByRole('group', { name: 'Ben' }).getByRole('button', { name: 'Rename' }).click()
    }
  },
  {
    name: 'staff-new-pin',
    steps: async (page) => {
      await staffSettings(page)
      await press(page, 'Set PIN')
      await type(page, '4711\n4712\n')
    }
  },
  {
    name: 'staff-manager-needed',
    case: staff(),
    steps: async (page) => {
      await go(page, 'Slips')
      await press(page, 'Discard')
      await page.getByLabel('Reason').fill('Wrong customer')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'Manager PIN required' }).waitFor()
      await type(page, '47')
    }
  },
  {
    name: 'staff-forgotten',
    case: staff(),
    steps: async (page) => {
      await staffSettings(page)
      await press(page, 'Forgotten PIN')
    }
  },
  {
    name: 'staff-history',
    case: staff(),
    steps: async (page) => {
      await go(page, 'Slips')
      await page.getByLabel('Cashier').selectOption('Ben')
    }
  }
]
