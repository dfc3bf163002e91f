import { svelte } from '@sveltejs/vite-plugin-svelte'
import { svelteTesting } from '@testing-library/svelte/vite'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Component tests render into jsdom with Svelte's browser build. */
const COMPONENTS = 'test/unit/renderer/**/*.component.test.ts'

/**
 * Unit tests that take long and seldom fail, with the large suites: of long reports, of programs that they start, of passwords, of all files
 * of a customer, and of every request of one business to another.
 */
const LARGE_UNIT = [
  'test/unit/locales/new-language.test.ts',
  'test/unit/main/upkeep/customer-data.test.ts',
  'test/unit/main/slip-pdf/{report-pages,simulated-print}.test.ts',
  'test/unit/service/cli/**/*.test.ts',
  'test/unit/{service,main/local-interface}/generated-client.test.ts',
  'test/unit/service/{isolation,manage/isolation,manage/sign-in,store/sqlite-start}.test.ts'
]

/**
 * Tests of the small size that need their own module instances: they mock Electron or a file of the system, set the page's locale, or start
 * print systems that they share with no other file. Two of them follow a slip to a CUPS queue and to a receipt printer.
 */
const ISOLATED = [
  'test/unit/main/platform/**/*.test.ts',
  'test/unit/renderer/format/regions.test.ts',
  'test/unit/renderer/i18n/**/*.test.ts',
  'test/unit/policy/managed-tills.test.ts',
  'test/printing/system-queue.test.ts',
  'test/printing/network-printer.test.ts'
]

/** Tests that start a Chromium: of the stand-in, of the built app, and of what Chromium has and does otherwise than Node. */
const IN_CHROMIUM = [
  'test/bench/{smoke,budgets/modules}.test.ts',
  'test/faults/chromium*.test.ts',
  'test/soak/month/month.test.ts',
  'test/unit/locales/icu.test.ts',
  // The stand-in supports Linux only.
  ...(process.platform === 'linux' ? ['test/support/electron-stand-in/**/*.test.ts'] : [])
]

/** What only `npm run test:all` runs, beside the accessibility of the pages. */
const LARGE = ['bench', 'crash', 'faults', 'fuzz', 'model', 'monkey', 'printing', 'soak', 'support'].map(
  (folder) => `test/${folder}/**/*.test.ts`
)

const resolve = { alias: { electron: here('./test/support/electron-stub.ts') } }
// Limits for tests that hang: some start real programs, and a slow machine must not fail them.
const timeouts = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 100_000 } },
  setupFiles: here('./test/support/wait-limits.ts')
}

export default defineConfig({
  test: {
    // Many tests wait for a printer, a page or a process: on two processors a third worker uses the pauses.
    maxWorkers: Math.max(3, availableParallelism()),
    // Many short-lived objects: with the default of 16 MB, an eighth of the processor time goes into collecting them.
    execArgv: ['--max-semi-space-size=64'],
    projects: [
      {
        plugins: [svelte()],
        resolve,
        test: {
          name: 'unit',
          ...timeouts,
          // Hundreds of short files: loading shared modules for each would take as long as the tests.
          isolate: false,
          include: ['test/unit/**/*.test.ts'],
          exclude: [...configDefaults.exclude, COMPONENTS, ...ISOLATED, ...LARGE_UNIT, ...IN_CHROMIUM],
          server: { deps: { inline: ['electron-store'] } }
        }
      },
      {
        plugins: [svelte()],
        resolve,
        test: {
          name: 'isolated',
          ...timeouts,
          include: ISOLATED,
          exclude: [...configDefaults.exclude, COMPONENTS],
          server: { deps: { inline: ['electron-store'] } }
        }
      },
      {
        plugins: [svelte()],
        resolve,
        test: {
          name: 'large',
          ...timeouts,
          // As above: loading them took a sixth of the processor time of faults, fuzz and models.
          isolate: false,
          // Concurrent tests mostly wait, for example for a service that does not answer.
          maxConcurrency: 12,
          include: [...LARGE_UNIT, ...LARGE],
          exclude: [
            ...configDefaults.exclude,
            ...ISOLATED,
            ...IN_CHROMIUM,
            'test/support/electron-stand-in/**'
          ],
          server: { deps: { inline: ['electron-store'] } }
        }
      },
      {
        plugins: [svelte()],
        resolve,
        test: {
          name: 'chromium',
          ...timeouts,
          isolate: false,
          maxConcurrency: 12,
          include: IN_CHROMIUM,
          server: { deps: { inline: ['electron-store'] } }
        }
      },
      {
        test: {
          name: 'accessibility',
          ...timeouts,
          // At full size a test opens a state of the till twelve times.
          testTimeout: 900_000,
          globalSetup: ['test/support/screenshots/build.ts'],
          // A page waits longer than it computes: for its network to be idle, and for delays of the screen to pass.
          maxConcurrency: 6,
          include: ['test/accessibility/**/*.test.ts']
        }
      },
      {
        plugins: [svelte(), svelteTesting()],
        resolve,
        test: {
          name: 'components',
          // A jsdom and the modules for each file would take half of the time. Components are removed after each test,
          // and what a test stubs or spies on is put back.
          isolate: false,
          unstubGlobals: true,
          restoreMocks: true,
          ...timeouts,
          setupFiles: [timeouts.setupFiles, here('./test/unit/renderer/support/scrolling.ts')],
          include: [COMPONENTS],
          environment: 'jsdom'
        }
      }
    ]
  }
})
