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
    exclude: ['test/unit/renderer/**', 'test/unit/main/platform/**'],
    server: { deps: { inline: ['electron-store'] } }
  }
})
