import type { Page } from 'playwright-core'
import {
  MAX_CALLERS,
  NO_LOCAL_INTERFACE,
  type LocalInterfaceState
} from '../../../electron/contract/local-interface.ts'
import { usedCaller } from './sample-data.ts'
import { go, press } from './steps.ts'
import type { Screenshot } from './screenshot.ts'

async function programs(page: Page): Promise<void> {
  await go(page, 'Settings')
  await page.getByRole('tab', { name: 'Programs' }).click()
}

async function pair(page: Page): Promise<void> {
  await programs(page)
  await press(page, 'Pair a program')
}

const withInterface = (change: Partial<LocalInterfaceState>) =>
  ({
    settings: { localInterface: { enabled: true, port: 8419 } },
    state: { localInterface: { ...NO_LOCAL_INTERFACE, listeningPort: 8419, ...change } }
  }) as const

/** The settings for programs that call the till. */
export const PROGRAMS_SCREENSHOTS: readonly Screenshot[] = [
  { name: 'settings-programs-off', steps: programs },
  {
    name: 'settings-programs',
    case: withInterface({
      callers: [usedCaller, { ...usedCaller, id: 'b', name: 'Ταμειακό 3', lastUsedAt: null }]
    }),
    steps: programs
  },
  {
    name: 'settings-programs-port',
    case: withInterface({ listeningPort: null, fault: 'port-in-use' }),
    steps: programs
  },
  {
    name: 'settings-programs-remove',
    case: withInterface({ callers: [usedCaller] }),
    steps: async (page) => {
      await programs(page)
      await page.getByRole('listitem').filter({ hasText: 'Restaurant' }).getByRole('button').last().click()
    }
  },
  { name: 'settings-pairing', case: withInterface({}), steps: pair },
  { name: 'settings-pairing-done', case: { ...withInterface({}), pairing: 'paired' }, steps: pair },
  {
    name: 'settings-pairing-again',
    case: { ...withInterface({ callers: [usedCaller] }), pairing: 'paired-again' },
    steps: pair
  },
  {
    name: 'settings-programs-full',
    case: withInterface({
      callers: Array.from({ length: MAX_CALLERS }, (_, index) => ({
        ...usedCaller,
        id: String(index),
        name: `Restaurant POS ${String(index + 1)}`
      }))
    }),
    steps: async (page) => {
      await programs(page)
      await page.getByRole('button', { name: 'Pair a program' }).scrollIntoViewIfNeeded()
    }
  },
  { name: 'settings-pairing-ended', case: { ...withInterface({}), pairing: 'ended' }, steps: pair }
]
