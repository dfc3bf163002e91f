/** Watches the store. */
import { Refusal } from '../domain/refusal.ts'
import type { Database, Queries } from '../store/database.ts'
import type { Monitor } from './monitor.ts'

/** A database whose failures are counted. What the domain refuses is none. */
export class MonitoredDatabase implements Database {
  readonly dialect
  readonly #database: Database
  readonly #monitor: Monitor

  constructor(database: Database, monitor: Monitor) {
    this.dialect = database.dialect
    this.#database = database
    this.#monitor = monitor
  }

  read(...statement: Parameters<Queries['read']>): Promise<readonly unknown[]> {
    return this.#watch(this.#database.read(...statement))
  }

  write(...statement: Parameters<Queries['write']>): Promise<readonly unknown[]> {
    return this.#watch(this.#database.write(...statement))
  }

  transaction<Value>(work: (queries: Queries) => Promise<Value>): Promise<Value> {
    let isRepeated = false
    return this.#watch(
      this.#database.transaction((queries) => {
        if (isRepeated) this.#monitor.countRepeat()
        isRepeated = true
        return work(queries)
      })
    )
  }

  deleteReplaced(before?: Date): void {
    this.#database.deleteReplaced(before)
  }

  close(): Promise<void> {
    return this.#database.close()
  }

  async #watch<Value>(running: Promise<Value>): Promise<Value> {
    try {
      return await running
    } catch (error) {
      if (!(error instanceof Refusal)) this.#monitor.countStoreError()
      throw error
    }
  }
}
