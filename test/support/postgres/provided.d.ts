/** What the global setup of test/postgres gives to its tests. */
import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** address of a server for this run; undefined in the other suites, which test SQLite */
    readonly postgresUrl: string | undefined
  }
}
