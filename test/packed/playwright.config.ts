import { defineConfig } from '@playwright/test'
import base from '../../playwright.config.ts'

/** The packed till, driven like the built one. What is packed and read back, is packed once before all tests. */
export default defineConfig({
  ...base,
  testDir: '.',
  // They replace an AppImage. Other systems replace what was installed and signed, which a test can't have.
  testIgnore: process.platform === 'linux' ? [] : ['updates.spec.ts'],
  outputDir: '../../test-results/packed',
  globalSetup: './pack-once.ts',
  reporter: [['../e2e/support/reporter.ts'], ['json', { outputFile: '../../out/test/packed.json' }]]
})
