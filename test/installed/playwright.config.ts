import { defineConfig } from '@playwright/test'
import { join } from 'node:path'
import { settings } from '../../playwright.config.ts'

// The installers of these tests contain the stand-in, also where Electron is installed.
process.env['ELECTRON_OVERRIDE_DIST_PATH'] = join(import.meta.dirname, '../support/electron-stand-in')

/** Tests of the installers in a Debian of their own. They are steps of one story: the first failure ends it. */
export default defineConfig({
  ...settings,
  testDir: '.',
  outputDir: '../../test-results/installed',
  workers: 1,
  maxFailures: 1,
  // apt downloads and unpacks.
  timeout: 600_000,
  globalSetup: './pack-once.ts',
  reporter: [['../e2e/support/reporter.ts'], ['json', { outputFile: '../../out/test/installed.json' }]]
})
