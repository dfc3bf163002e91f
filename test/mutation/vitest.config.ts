/** The unit tests that a mutant may fail, as `vitest.config.ts` runs them, in one project: Stryker runs no others. */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: here('../..'),
  resolve: { alias: { electron: here('../support/electron-stub.ts') } },
  test: {
    isolate: false,
    testTimeout: 180_000,
    setupFiles: here('../support/wait-limits.ts'),
    include: (process.env['TILLPOINTS_MUTATION_TESTS'] ?? 'test/unit/**/*.test.ts').split(' '),
    // Components need a document; mocks of Electron their own modules; programs a process, which Stryker's workers are not.
    exclude: ['test/unit/renderer/**', 'test/unit/main/platform/**', 'test/unit/service/cli/**'],
    server: { deps: { inline: ['electron-store'] } }
  }
})
