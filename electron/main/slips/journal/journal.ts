/** The journal: every slip this till was asked for, each step on disk before the next one is taken. */
import type { DatabaseSync } from 'node:sqlite'
import { ATTENTION_STATES } from '../../../contract/attention.ts'
import { createBatchRows, type BatchRows } from './batches.ts'
import { createCopyRows, type CopyRows } from './copies.ts'
import { createGroup, type Together } from './group.ts'
import { createHistory, type History } from './history.ts'
import { createLogoRows, type LogoRows } from './logos.ts'
import { createNumbers, type Numbers } from './numbers.ts'
import { recover } from './recover.ts'
import { createReport, type Report } from './report.ts'
import type { JournalRow } from './row.ts'
import { scopeValues, type Scope } from './scope.ts'
import { createSlipRows, type SlipRows } from './slips.ts'

export type { BatchPlace } from './batches.ts'
export type { Search } from './history.ts'
export type { Scope } from './scope.ts'
export { IllegalStep, type Request, type SlipRows, type StepDetails } from './slips.ts'

/** Every method throws as SQLite does when the disk fails; what a method returned is on disk. */
export interface Journal extends SlipRows, CopyRows, BatchRows, LogoRows, History, Numbers, Report {
  /** A write that shares its commit with the others of the same turn. What it is asked to do must throw when it fails. */
  readonly together: Together<SlipRows, JournalRow>
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
    together: createGroup(database, slips),
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
