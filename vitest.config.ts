import { svelte } from '@sveltejs/vite-plugin-svelte'
import { svelteTesting } from '@testing-library/svelte/vite'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Component tests render into jsdom with Svelte's browser build. */
const COMPONENTS = 'test/unit/renderer/**/*.component.test.ts'

/** Unit tests that need their own module instances: they mock Electron, or set the page's locale. */
const ISOLATED = [
  'test/unit/main/platform/**/*.test.ts',
  'test/unit/renderer/format/regions.test.ts',
  'test/unit/renderer/i18n/**/*.test.ts'
]

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
          exclude: [...configDefaults.exclude, COMPONENTS, ...ISOLATED],
          server: { deps: { inline: ['electron-store'] } }
        }
      },
      {
        plugins: [svelte()],
        resolve,
        test: {
          name: 'node',
          ...timeouts,
          // Concurrent tests mostly wait, for example for a service that does not answer.
          maxConcurrency: 12,
          include: [
            ...ISOLATED,
            'test/support/**/*.test.ts',
            'test/printing/**/*.test.ts',
            'test/crash/**/*.test.ts',
            'test/faults/**/*.test.ts',
            'test/soak/**/*.test.ts',
            'test/bench/**/*.test.ts',
            'test/fuzz/**/*.test.ts',
            'test/model/**/*.test.ts'
          ],
          exclude: [
            ...configDefaults.exclude,
            COMPONENTS,
            // The stand-in supports Linux only.
            ...(process.platform === 'linux' ? [] : ['test/support/electron-stand-in/**'])
          ],
          server: { deps: { inline: ['electron-store'] } }
        }
      },
      {
        test: {
          name: 'accessibility',
          ...timeouts,
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
          include: [COMPONENTS],
          environment: 'jsdom'
        }
      }
    ]
  }
})
