import type { Page } from 'playwright-core'
import {
  type ManagedTill,
  type PolicyName,
  SERVICE_ADDRESS,
  SETTINGS
} from '../../../electron/contract/settings.ts'
import { go } from './steps.ts'
import type { Screenshot } from './screenshot.ts'

const file = '/etc/tillpoints/policy.json'
const managed: ManagedTill = {
  managedBy: 'Example IT',
  sources: [file],
  since: '2026-11-21T12:00:00.000Z',
  locked: [SERVICE_ADDRESS as PolicyName, ...SETTINGS.keys()].filter(
    (name) => name !== 'theme' && name !== 'tourSeen'
  ),
  defaults: ['theme', 'tourSeen'],
  serviceAddress: 'https://points.example/'
}

const tab =
  (name: string) =>
  async (page: Page): Promise<void> => {
    await go(page, 'Settings')
    await page.getByRole('tab', { name }).click()
  }

/** A till whose settings a policy locks. */
export const MANAGED_SCREENSHOTS: readonly Screenshot[] = [
  ...['Printer', 'Slip', 'Programs', 'About'].map((name) => ({
    name: `managed-${name.toLowerCase()}`,
    case: { state: { managed } },
    steps: tab(name)
  })),
  { name: 'managed-general', case: { state: { managed } }, steps: (page) => go(page, 'Settings') },
  {
    name: 'managed-ignored',
    case: { state: { notices: [{ kind: 'policy-ignored', file, reason: 'writable' }] } }
  },
  {
    name: 'managed-mistake',
    case: {
      state: { notices: [{ kind: 'policy-mistakes', file, name: 'locked.printer.paperSize', line: 4 }] }
    }
  }
]
