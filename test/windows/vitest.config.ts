import { defineConfig } from 'vitest/config'

/** The Windows tests: they share one Wine, so their files run one after another. */
export default defineConfig({
  test: {
    include: ['test/windows/*.test.ts'],
    globalSetup: ['test/windows/setup.ts'],
    fileParallelism: false,
    // Limits for tests that hang.
    testTimeout: 120_000,
    hookTimeout: 120_000
  }
})
