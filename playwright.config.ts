import { defineConfig, type PlaywrightTestConfig } from '@playwright/test'

/** Settings of all specs, also of the packed and of the installed app. */
export const settings: PlaywrightTestConfig = {
  testMatch: '*.spec.ts',
  // Each worker opens its own app, which waits a third of the time.
  workers: 3,
  fullyParallel: false,
  retries: 0,
  forbidOnly: true,
  // Limits for tests that hang, not for slow ones.
  timeout: 180_000,
  expect: { timeout: 30_000 }
}

/** What a cashier does from opening the till to closing it: the specs that `npm test` runs. */
const DAY = [
  'batches',
  'codes',
  'customers',
  'issuing',
  'keyboard',
  'offline',
  'onboarding',
  'printing',
  'rewards',
  'scanner',
  'staff'
].map((name) => `${name}.spec.ts`)

export default defineConfig({
  ...settings,
  testDir: './test/e2e',
  outputDir: './test-results/e2e',
  projects: [
    { name: 'day', testMatch: DAY },
    { name: 'other', testIgnore: DAY }
  ],
  reporter: [['./test/e2e/support/reporter.ts'], ['json', { outputFile: './out/test/e2e.json' }]]
})
