import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: './test/e2e',
  testMatch: '*.spec.ts',
  outputDir: './test-results',
  // Each worker opens its own app, which waits a third of the time.
  workers: 3,
  fullyParallel: false,
  retries: 0,
  forbidOnly: true,
  // Limits for tests that hang, not for slow ones.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: [['./test/e2e/support/reporter.ts'], ['json', { outputFile: './out/test/e2e.json' }]]
})
