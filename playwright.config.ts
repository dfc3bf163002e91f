import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: './test/e2e',
  testMatch: '*.spec.ts',
  outputDir: './test-results',
  // Two tills at a time: each opens a browser of its own, and spends much of its time waiting.
  workers: 2,
  fullyParallel: false,
  retries: 0,
  forbidOnly: true,
  // A limit for what hangs, never for what is slow.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: [['./test/e2e/support/reporter.ts'], ['json', { outputFile: './out/test/e2e.json' }]]
})
