/** Whether a service can answer tills and customers now. */
import { AttemptStore } from '../store/attempts.ts'
import type { Database } from '../store/database.ts'
import { hasCurrentSchema } from '../store/migrate.ts'

/** The store is asked at most once in this time, however often the service is. */
const CACHE_TIME_MS = 1000
/** A store that takes longer to write one row is not ready; its answer is awaited on. */
const TIMEOUT_MS = 2000

const SLOW = `The store has not taken a write for ${TIMEOUT_MS / 1000} seconds.`

export class Readiness {
  readonly #database: Database
  readonly #attempts: AttemptStore
  #asked: { readonly at: number; readonly answer: Promise<string | null> } | null = null

  constructor(database: Database, now: () => Date) {
    this.#database = database
    this.#attempts = new AttemptStore(database, now)
  }

  /** Returns what keeps the service from working, as a sentence; null if nothing does. Never rejects. */
  async fault(): Promise<string | null> {
    if (this.#asked === null || performance.now() - this.#asked.at > CACHE_TIME_MS) {
      const answer = this.#ask().finally(() => {
        // One question at a time: a store that hangs is not asked again, and its late answer counts from then on.
        if (this.#asked?.answer === answer) this.#asked = { at: performance.now(), answer }
      })
      this.#asked = { at: Infinity, answer }
    }
    const { promise, resolve } = Promise.withResolvers<string>()
    const timeout = setTimeout(() => resolve(SLOW), TIMEOUT_MS)
    return Promise.race([this.#asked.answer, promise]).finally(() => clearTimeout(timeout))
  }

  async #ask(): Promise<string | null> {
    try {
      if (!(await hasCurrentSchema(this.#database))) {
        return 'A newer version of the service has changed the database: install it here, too.'
      }
      // A row of its own, which is on disk afterwards.
      await this.#attempts.isAllowed(['readiness'], { count: Number.MAX_SAFE_INTEGER, minutes: 1 })
      return null
    } catch (error) {
      return `The store takes no writes: ${error instanceof Error ? error.message : String(error)}`
    }
  }
}
