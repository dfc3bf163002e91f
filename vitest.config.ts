import { svelte } from '@sveltejs/vite-plugin-svelte'
import { svelteTesting } from '@testing-library/svelte/vite'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Tests of components: they render into jsdom, with the Svelte of the browser. */
const COMPONENTS = 'test/unit/renderer/**/*.component.test.ts'

/** Unit tests that need modules of their own: they stand in for Electron, or have a page's words, which it has once. */
const BY_THEMSELVES = ['test/unit/main/platform/**/*.test.ts', 'test/unit/renderer/**/*.test.ts']

const resolve = { alias: { electron: here('./test/support/electron-stub.ts') } }
// Property tests and rigs start real programs; a slow machine must not turn them red.
const patience = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 50_000 } } }

export default defineConfig({
  test: {
    // Many tests wait, for a printer or a page: no processor is kept free.
    maxWorkers: '100%',
    projects: [
      {
        plugins: [svelte()],
        resolve,
        test: {
          name: 'unit',
          ...patience,
          // Hundreds of short files: loading what they share anew for each would take as long as the tests.
          isolate: false,
          include: ['test/unit/**/*.test.ts'],
          exclude: [...configDefaults.exclude, COMPONENTS, ...BY_THEMSELVES],
          server: { deps: { inline: ['electron-store'] } }
        }
      },
      {
        plugins: [svelte()],
        resolve,
        test: {
          name: 'node',
          ...patience,
          // Tests that say that they may run side by side mostly wait: for a service that does not answer.
          maxConcurrency: 12,
          include: [
            ...BY_THEMSELVES,
            'test/support/**/*.test.ts',
            'test/printing/**/*.test.ts',
            'test/crash/**/*.test.ts',
            'test/faults/**/*.test.ts',
            'test/soak/**/*.test.ts',
            'test/bench/**/*.test.ts',
            'test/fuzz/**/*.test.ts'
          ],
          exclude: [
            ...configDefaults.exclude,
            COMPONENTS,
            // The stand-in runs on Linux; other systems have the real Electron.
            ...(process.platform === 'linux' ? [] : ['test/support/electron-stand-in/**'])
          ],
          server: { deps: { inline: ['electron-store'] } }
        }
      },
      {
        test: {
          name: 'accessibility',
          ...patience,
          globalSetup: ['test/support/screenshots/build.ts'],
          // Pages that are open at once work: more of them than processors only make each other wait.
          maxConcurrency: 3,
          include: ['test/accessibility/**/*.test.ts']
        }
      },
      {
        plugins: [svelte(), svelteTesting()],
        resolve,
        test: {
          name: 'components',
          ...patience,
          include: [COMPONENTS],
          environment: 'jsdom'
        }
      }
    ]
  }
})
