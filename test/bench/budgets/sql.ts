/**
 * Counts what `node:sqlite` is asked, by wrapping its classes. What SQLite syncs cannot be heard from JavaScript, but
 * follows from it: with a write-ahead log and `synchronous = FULL` each transaction that wrote syncs the log once.
 */
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { onTestFinished } from 'vitest'

/** What was asked since counting began. */
export interface SqlCounts {
  /** statements that were run, those of transactions among them */
  readonly statements: number
  /** transactions that wrote; each is one sync of the log */
  readonly commits: number
}

const WRITES = /^\s*(?:INSERT|UPDATE|DELETE|REPLACE)\b/iu

/** Has `hear` called before each call of a method, until the test ends. */
function before(prototype: object, name: string, hear: (self: unknown, args: unknown[]) => void): void {
  const own: unknown = Reflect.get(prototype, name)
  if (typeof own !== 'function') throw new Error(`node:sqlite has no ${name}`)
  Reflect.set(prototype, name, function (this: unknown, ...args: unknown[]): unknown {
    hear(this, args)
    const answer: unknown = Reflect.apply(own, this, args)
    return answer
  })
  onTestFinished(() => void Reflect.set(prototype, name, own))
}

/** Begins to count; the function that comes back tells how far. Ends with the test. */
export function countSql(): () => SqlCounts {
  let statements = 0
  let commits = 0
  let inTransaction = false
  const note = (sql: string): void => {
    statements += 1
    if (/^\s*BEGIN\b/iu.test(sql)) inTransaction = true
    else if (/^\s*(?:COMMIT|ROLLBACK)\b/iu.test(sql)) {
      inTransaction = false
      if (/^\s*COMMIT\b/iu.test(sql)) commits += 1
    } else if (!inTransaction && WRITES.test(sql)) commits += 1
  }
  for (const name of ['run', 'get', 'all', 'iterate']) {
    before(StatementSync.prototype, name, (statement) => {
      if (statement instanceof StatementSync) note(statement.sourceSQL)
    })
  }
  before(DatabaseSync.prototype, 'exec', (_database, [sql]) => note(String(sql)))
  return () => ({ statements, commits })
}
