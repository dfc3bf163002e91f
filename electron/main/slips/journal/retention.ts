/** Removes customers' names, or whole slips, from the journal after a time that the manager sets. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { BATCH_NOTES } from '../../../contract/slips.ts'
import { transaction } from './group-commit.ts'
import { STATUS } from './rows.ts'
import { PRINTED_COPIES } from './statistics.ts'

/** Row ids that one step covers: some milliseconds in which main does nothing else. */
const STEP_ROWS = 500

/** The states that a print or a decision of a cashier follows. */
const UNFINISHED = `('requested', 'issued', 'printing', 'print-failed', 'unknown')`
const FINAL = `slips.state NOT IN ${UNFINISHED}`

/** Notes that no person wrote. */
const OWN_NOTES = `('', ${Object.values(BATCH_NOTES)
  .map((note) => `'${note}'`)
  .join(', ')})`

/** A till that issued nothing for longer than this, or whose clock is wrong. */
const MAX_GAP_MS = 366 * 24 * 60 * 60_000

/** Pages of the search index that one step merges. */
const STEP_PAGES = 64

/** The removal of one step, for the row ids after `?1` up to `?2` that were requested before `?3` (ISO 8601, UTC). */
type Step = (after: number, last: number, before: string) => number

/** Each method removes step by step, and yields the number of changed slips after each. Throws as SQLite does. */
export class JournalRetention {
  readonly #database: DatabaseSync
  readonly #range: StatementSync

  constructor(database: DatabaseSync) {
    this.#database = database
    this.#range = database.prepare(
      'SELECT coalesce(min(number), 1) - 1 AS first, coalesce(max(number), 0) AS last FROM slips'
    )
  }

  /** Returns the codes and batches of the slips that a print or a decision of a cashier follows. */
  unfinished(): { readonly codes: readonly string[]; readonly batchIds: readonly string[] } {
    const rows = this.#database.prepare(`SELECT code, batch_id FROM slips WHERE state IN ${UNFINISHED}`).all()
    const texts = (column: string): string[] =>
      rows.map((row) => row[column]).filter((value) => typeof value === 'string')
    return { codes: texts('code'), batchIds: texts('batch_id') }
  }

  /**
   * Returns whether `now` continues the days of the journal: the last slip of an earlier day is at most a year old. A
   * clock that is years ahead must not remove what is young.
   */
  isPlausible(now: Date): boolean {
    const row = this.#database
      .prepare(
        'SELECT requested_at FROM slips WHERE substr(requested_at, 1, 10) <> ? ORDER BY number DESC LIMIT 1'
      )
      .get(now.toISOString().slice(0, 10))
    return row === undefined || now.getTime() - Date.parse(String(row['requested_at'])) < MAX_GAP_MS
  }

  /**
   * Removes ids, names and search tokens of customers, references of bills, which may name a customer, and notes, in which
   * a cashier may name anyone. Slips that need attention keep theirs.
   */
  *removeNames(before: string): Generator<number> {
    const old = `number > ?1 AND number <= ?2 AND requested_at < ?3 AND ${FINAL}
      AND (customer_id IS NOT NULL OR reference IS NOT NULL OR note NOT IN ${OWN_NOTES})`
    const deleteTokens = this.#database.prepare(
      `DELETE FROM slip_search WHERE rowid IN (SELECT number FROM slips WHERE ${old})`
    )
    const clear = this.#database.prepare(
      `UPDATE slips SET customer_id = NULL, customer_name = NULL, reference = NULL, content_hash = NULL,
         note = CASE WHEN note NOT IN ${OWN_NOTES} THEN '' ELSE note END,
         revision = revision + 1,
         snapshot = json_set(snapshot, '$.affordable', NULL) WHERE ${old}`
    )
    yield* this.#steps(before, (...values) => {
      deleteTokens.run(...values)
      return Number(clear.run(...values).changes)
    })
  }

  /**
   * Removes slips, and adds their sums to `removed_slips`, whose column `state` has their status. Slips that need attention and slips of unfinished batches
   * stay.
   */
  *removeSlips(before: string): Generator<number> {
    const old = `number > ?1 AND number <= ?2 AND requested_at < ?3 AND ${FINAL} AND (batch_id IS NULL
      OR batch_id IN (SELECT batch_id FROM batches WHERE state IN ('finished', 'cancelled')))`
    const quarter = `substr(requested_at, 1, 14)
      || printf('%02d', CAST(substr(requested_at, 15, 2) AS INTEGER) / 15 * 15) || ':00.000Z'`
    const statements = [
      `INSERT INTO removed_slips
         SELECT training, business_id, ${quarter} AS quarter, ${STATUS} AS status, count(*), count(code),
           coalesce(sum(points) FILTER (WHERE code IS NOT NULL), 0), sum(${PRINTED_COPIES})
         FROM slips WHERE ${old} GROUP BY training, business_id, quarter, status
       ON CONFLICT DO UPDATE SET count = count + excluded.count, with_code = with_code + excluded.with_code,
         points = points + excluded.points, copies = copies + excluded.copies`,
      `DELETE FROM slip_search WHERE rowid IN (SELECT number FROM slips WHERE ${old})`,
      `DELETE FROM copies WHERE slip IN (SELECT number FROM slips WHERE ${old})`
    ].map((text) => this.#database.prepare(text))
    const deleteSlips = this.#database.prepare(`DELETE FROM slips WHERE ${old}`)
    yield* this.#steps(before, (...values) => {
      for (const statement of statements) statement.run(...values)
      return Number(deleteSlips.run(...values).changes)
    })
  }

  /** Runs `step` over all row ids. If anything was removed, merges the search index, which drops the removed tokens. */
  *#steps(before: string, step: Step): Generator<number> {
    const { first, last } = this.#range.get() ?? {}
    let isChanged = false
    for (let after = Number(first); after < Number(last); after += STEP_ROWS) {
      const changed = transaction(this.#database, () => step(after, after + STEP_ROWS, before))
      isChanged ||= changed > 0
      yield changed
    }
    if (!isChanged) return
    // The negative number starts a merge of all segments, the next ones continue it (sqlite.org/fts5.html, 6.8).
    const merge = this.#database.prepare(`INSERT INTO slip_search (slip_search, rank) VALUES ('merge', ?)`)
    merge.run(-STEP_PAGES)
    for (;;) {
      yield 0
      // One change is the row of the command itself.
      const before = this.#totalChanges()
      merge.run(STEP_PAGES)
      if (this.#totalChanges() - before < 2) return
    }
  }

  #totalChanges(): number {
    return Number(this.#database.prepare('SELECT total_changes() AS count').get()?.['count'])
  }
}
