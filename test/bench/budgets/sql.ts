/**
 * Counts statements and commits by wrapping the classes of `node:sqlite`. Syncs are not visible from JavaScript, but
 * follow from the commits: with a write-ahead log and `synchronous = FULL` each transaction that wrote syncs the log once.
 */
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { onTestFinished } from 'vitest'

/** Counts since `countSql()`. */
export interface SqlCounts {
  /** statements that were run, those of transactions among them */
  readonly statements: number
  /** transactions that wrote; each is one sync of the log */
  readonly commits: number
}

const WRITES = /^\s*(?:INSERT|UPDATE|DELETE|REPLACE)\b/iu

/** Calls `listener` before each call of a method, until the test ends. */
function before(prototype: object, name: string, listener: (self: unknown, args: unknown[]) => void): void {
  const own: unknown = Reflect.get(prototype, name)
  if (typeof own !== 'function') throw new Error(`node:sqlite has no ${name}`)
  Reflect.set(prototype, name, function (this: unknown, ...args: unknown[]): unknown {
    listener(this, args)
    const answer: unknown = Reflect.apply(own, this, args)
    return answer
  })
  onTestFinished(() => void Reflect.set(prototype, name, own))
}

/** Starts counting until the test ends. Returns a function that returns the counts. */
export function countSql(): () => SqlCounts {
  let statements = 0
  let commits = 0
  let inTransaction = false
  const note = (sql: string): void => {
    statements += 1
    if (/(?:^|;)\s*BEGIN\b/iu.test(sql)) inTransaction = true
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

/** Starts counting the rows that statements return, until the test ends. Returns a function that returns the count. */
export function countRows(): () => number {
  const own: unknown = Reflect.get(StatementSync.prototype, 'all')
  if (typeof own !== 'function') throw new Error('node:sqlite has no all')
  let rows = 0
  Reflect.set(StatementSync.prototype, 'all', function (this: unknown, ...args: unknown[]): unknown {
    const found: unknown = Reflect.apply(own, this, args)
    if (Array.isArray(found)) rows += found.length
    return found
  })
  onTestFinished(() => void Reflect.set(StatementSync.prototype, 'all', own))
  return () => rows
}
