import { defineConfig } from '@playwright/test'
import { settings } from '../../playwright.config.ts'

/** End-to-end tests of the packed app, which is packed once before all tests. */
export default defineConfig({
  ...settings,
  testDir: '.',
  // They replace an AppImage; other systems update signed installations only.
  testIgnore: process.platform === 'linux' ? [] : ['updates.spec.ts'],
  outputDir: '../../test-results/packed',
  globalSetup: './pack-once.ts',
  reporter: [['../e2e/support/reporter.ts'], ['json', { outputFile: '../../out/test/packed.json' }]]
})
