import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { FULL } from '../support/size.ts'

/**
 * Pages that read and write by the store alone, whose own tests run, and the protocol: on PostgreSQL only in
 * `npm run test:postgres`.
 */
const ABOVE_THE_STORE = ['manage/**', 'pages/**', 'api/app.test.ts', 'api/requests.test.ts'].map(
  (path) => `test/unit/service/${path}`
)

/** Restarts of the services of three machines, one of which `three-machines.test.ts` has in any case. */
const RESTARTS = 'test/postgres/service-restarts.test.ts'

/**
 * `npm run test:postgres`: the tests of the service's store and of its operations on PostgreSQL instead of SQLite, and those
 * that need a cluster.
 */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    name: 'postgres',
    globalSetup: 'test/postgres/global-setup.ts',
    setupFiles: 'test/support/wait-limits.ts',
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 100_000 } },
    include: [
      'test/unit/service/{api,manage,pages,store}/**/*.test.ts',
      'test/postgres/**/*.test.ts',
      'test/model/offline.test.ts'
    ],
    // The data file of SQLite, and what has no database.
    exclude: [
      'test/unit/service/store/sqlite*.test.ts',
      'test/unit/service/api/messages.test.ts',
      ...(FULL ? [] : [...ABOVE_THE_STORE, RESTARTS])
    ]
  }
})
