/** The journal: every slip this till was asked for, each step on disk before the next one is taken. */
import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { ATTENTION_STATES } from '../../../contract/slips.ts'
import type { Failure } from '../../../contract/failure.ts'
import { createBatchRows, type BatchRows } from './batch-table.ts'
import { createGroupCommit, transaction, type GroupCommit } from './group-commit.ts'
import { createHistory, type History } from './history.ts'
import { scopeValues, type JournalRow, type Scope } from './rows.ts'
import { BATCH_UNFINISHED } from './schema.ts'
import {
  createCopyRows,
  createSlipRows,
  nextState,
  type CopyRows,
  type SlipEvent,
  type SlipRows
} from './slip-table.ts'
import { createNumbers, createReport, type Numbers, type Report } from './statistics.ts'

export type { BatchPlace } from './batch-table.ts'
export type { Search } from './history.ts'
export type { Scope } from './rows.ts'
export { InvalidTransitionError, type Request, type SlipRows, type StepDetails } from './slip-table.ts'

/** Every method throws as SQLite does when the disk fails; what a method returned is on disk. */
export interface Journal extends SlipRows, CopyRows, BatchRows, LogoRows, History, Numbers, Report {
  /** A write that shares its commit with the others of the same turn. What it is asked to do must throw when it fails. */
  readonly together: GroupCommit<SlipRows, JournalRow>
  /** How many slips wait for a person. */
  attention(scope: Scope): number
  /** Notes that the file may be damaged: the next start checks it page by page, however this one ends. */
  doubt(): void
  /** Marks the file as whole, and closes it. Closing twice is harmless. */
  close(): void
}

/** Takes over an opened database: ends what a stopped till left under way, and prepares the statements. */
export function createJournal(database: DatabaseSync): Journal {
  recover(database)
  const slips = createSlipRows(database)
  const countAttention = database.prepare(`
    SELECT count(*) AS count FROM slips INDEXED BY slips_state
    WHERE state IN (${ATTENTION_STATES.map((state) => `'${state}'`).join(', ')}) AND training = ? AND business_id = ?
  `)
  let doubted = false
  return {
    ...slips,
    ...createCopyRows(database, slips),
    ...createBatchRows(database),
    ...createLogoRows(database),
    ...createHistory(database),
    ...createNumbers(database),
    ...createReport(database),
    together: createGroupCommit(database, slips),
    attention: (scope) => Number(countAttention.get(...scopeValues(scope))?.['count']),
    doubt() {
      doubted = true
    },
    close() {
      if (!database.isOpen) return
      try {
        if (!doubted) database.exec('UPDATE closing SET clean = 1')
      } finally {
        database.close()
      }
    }
  }
}

/* from logos.ts: The logos that slips were issued with, each once: a slip that is printed next year shows the one of today. */

interface LogoRows {
  /** Keeps a logo's bytes; the same again is harmless. Throws as SQLite does when the disk fails. */
  keepLogo(image: Uint8Array): void
  /** The bytes that `hashOf` names, or null when they are not here. */
  logo(hash: string): Uint8Array | null
}

/** Hashes of bytes that were asked for before: a till issues with the same logo all day. */
const known = new WeakMap<Uint8Array, string>()

/** The name of a logo's bytes: their SHA-256. */
export function hashOf(image: Uint8Array): string {
  const before = known.get(image)
  if (before !== undefined) return before
  const hash = createHash('sha256').update(image).digest('hex')
  known.set(image, hash)
  return hash
}

/** Prepares the statements of the logos. */
function createLogoRows(database: DatabaseSync): LogoRows {
  const insert = database.prepare('INSERT OR IGNORE INTO logos (hash, image) VALUES (?, ?)')
  const select = database.prepare('SELECT image FROM logos WHERE hash = ?')
  let kept: string | null = null
  let read: { readonly hash: string; readonly image: Uint8Array } | null = null
  return {
    keepLogo(image) {
      const hash = hashOf(image)
      if (hash === kept) return
      insert.run(hash, image)
      kept = hash
    },
    logo(hash) {
      if (read?.hash === hash) return read.image
      const image = select.get(hash)?.['image']
      if (!(image instanceof Uint8Array)) return null
      read = { hash, image }
      return image
    }
  }
}

/* from recover.ts: What was under way when the till stopped is found at the next start: nobody knows how it ended. */

const stopped: Failure = { kind: 'unknown-outcome', cause: 'till-stopped' }

/**
 * Ends what a stopped till left under way: slips, copies, batches. Runs in a write transaction even when there is
 * nothing to end, so that a disk that takes no rows is found before the first customer.
 */
function recover(database: DatabaseSync): void {
  const reason = JSON.stringify(stopped)
  const end = (from: 'requested' | 'printing', event: SlipEvent): void => {
    database
      .prepare('UPDATE slips SET state = ?, failure = ?, revision = revision + 1 WHERE state = ?')
      .run(nextState(from, event), reason, from)
  }
  transaction(database, () => {
    end('requested', 'answer-lost')
    end('printing', 'print-failed')
    database
      .prepare(`UPDATE copies SET state = 'print-failed', failure = ? WHERE state = 'printing'`)
      .run(reason)
    database
      .prepare(
        `UPDATE batches SET state = 'stopped', reason = ? WHERE state = 'running' AND ${BATCH_UNFINISHED}`
      )
      .run(reason)
  })
}
