import { svelte } from '@sveltejs/vite-plugin-svelte'
import { svelteTesting } from '@testing-library/svelte/vite'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Tests of components: they render into jsdom, with the Svelte of the browser. */
const COMPONENTS = 'test/unit/renderer/**/*.component.test.ts'

const resolve = { alias: { electron: here('./test/rigs/electron-stub.ts') } }
// Property tests and rigs start real programs; a slow machine must not turn them red.
const patience = { testTimeout: 60_000, hookTimeout: 60_000 }

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [svelte()],
        resolve,
        test: {
          name: 'node',
          ...patience,
          // Tests that say that they may run side by side mostly wait: for a service that does not answer.
          maxConcurrency: 12,
          include: [
            'test/unit/**/*.test.ts',
            'test/rigs/**/*.test.ts',
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
            ...(process.platform === 'linux' ? [] : ['test/rigs/electron-stand-in/**'])
          ],
          server: { deps: { inline: ['electron-store'] } }
        }
      },
      {
        test: {
          name: 'accessibility',
          ...patience,
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
