/** Removes customers' names, or whole slips, from the journal after a time that the manager sets. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { BATCH_NOTES } from '../../contract/slips.ts'
import { IS_COLLECTED } from './collection-table.ts'
import { STATUS } from './rows.ts'
import { transaction } from './sqlite.ts'
import { PRINTED_COPIES } from './statistics.ts'

/** Row ids that one step covers: some milliseconds in which main does nothing else. */
const STEP_ROWS = 500

/** The states that a print or a decision of a cashier follows. */
const UNFINISHED = `('requested', 'issued', 'printing', 'print-failed', 'unknown')`
/** The service was told of each code that the till made, and a person of each that it does not take. */
const FINAL = `slips.state NOT IN ${UNFINISHED}
  AND (slips.offline_day IS NULL OR slips.reported_at IS NOT NULL OR slips.state = 'discarded')
  AND slips.number NOT IN (SELECT slip FROM copies WHERE state = 'printing')`

/** Notes that no person wrote. */
const OWN_NOTES = `('', ${Object.values(BATCH_NOTES)
  .map((note) => `'${note}'`)
  .join(', ')})`

/** A till that issued nothing for longer than this, or whose clock is wrong. */
const MAX_GAP_MS = 366 * 24 * 60 * 60_000

/** Pages of the search index that one step merges. */
const STEP_PAGES = 64

/** The moment that decides the age of a slip: the service's, since the till's clock may have been wrong. */
const MOMENT = 'coalesce(issued_at, requested_at)'

/** Changes the slips of the row ids after `?1` up to `?2` whose `MOMENT` is before `?3` (ISO 8601, UTC). */
type Change = (after: number, last: number, before: string) => number

/** One step of a removal. */
export interface RemovalStep {
  /** of the slips whose customer this step removes: afterwards, the journal does not tell whose PDFs theirs are */
  readonly codes: readonly string[]
  /** Removes, and returns the number of changed slips. Throws as SQLite does. */
  readonly remove: () => number
}

/** Each method yields the steps of a removal; the caller takes one, then asks for the next. Throws as SQLite does. */
export class JournalRetention {
  readonly #database: DatabaseSync
  readonly #range: StatementSync

  constructor(database: DatabaseSync) {
    this.#database = database
    // Two queries: SQLite finds either end in the index, both at once by a scan (sqlite.org/optoverview.html, "MIN/MAX Optimization").
    this.#range = database.prepare(`
      SELECT coalesce((SELECT min(number) FROM slips), 1) - 1 AS first,
        coalesce((SELECT max(number) FROM slips), 0) AS last
    `)
  }

  /** Returns the codes and batches of the slips that a print or a decision of a cashier follows. */
  unfinished(): { readonly codes: readonly string[]; readonly batchIds: readonly string[] } {
    const rows = this.#database.prepare(`SELECT code, batch_id FROM slips WHERE state IN ${UNFINISHED}`).all()
    const texts = (column: string): string[] =>
      rows.map((row) => row[column]).filter((value) => typeof value === 'string')
    return { codes: texts('code'), batchIds: texts('batch_id') }
  }

  /**
   * Returns the moments of the newest code of the service, by the clock of the till and by its own; null without one.
   * Training mode has no other clock than the till's.
   */
  lastCode(): { readonly requestedAt: Date; readonly issuedAt: Date } | null {
    const row = this.#database
      .prepare(
        `SELECT requested_at, issued_at FROM slips WHERE training = 0 AND issued_at IS NOT NULL AND offline_day IS NULL
         ORDER BY number DESC LIMIT 1`
      )
      .get()
    if (row === undefined) return null
    return {
      requestedAt: new Date(String(row['requested_at'])),
      issuedAt: new Date(String(row['issued_at']))
    }
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
  *removeNames(before: string): Generator<RemovalStep> {
    const old = `number > ?1 AND number <= ?2 AND ${MOMENT} < ?3 AND ${FINAL}
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
    yield* this.#steps(before, old, (...values) => {
      deleteTokens.run(...values)
      return Number(clear.run(...values).changes)
    })
  }

  /**
   * Removes slips, and adds their sums to `removed_slips`, whose column `state` has their status. Slips that need attention and slips of unfinished batches
   * stay.
   */
  *removeSlips(before: string): Generator<RemovalStep> {
    const old = `number > ?1 AND number <= ?2 AND ${MOMENT} < ?3 AND ${FINAL} AND (batch_id IS NULL
      OR batch_id IN (SELECT batch_id FROM batches WHERE state IN ('finished', 'cancelled')))`
    const quarter = `substr(requested_at, 1, 14)
      || printf('%02d', CAST(substr(requested_at, 15, 2) AS INTEGER) / 15 * 15) || ':00.000Z'`
    const statements = [
      `INSERT INTO removed_slips
         SELECT training, business_id, ${quarter} AS quarter, ${STATUS} AS status, count(*), count(code),
           coalesce(sum(points) FILTER (WHERE code IS NOT NULL), 0), sum(${PRINTED_COPIES}),
           count(*) FILTER (WHERE ${IS_COLLECTED}), coalesce(sum(points) FILTER (WHERE ${IS_COLLECTED}), 0)
         FROM slips WHERE ${old} GROUP BY training, business_id, quarter, status
       ON CONFLICT DO UPDATE SET count = count + excluded.count, with_code = with_code + excluded.with_code,
         points = points + excluded.points, copies = copies + excluded.copies,
         collected = collected + excluded.collected,
         collected_points = collected_points + excluded.collected_points`,
      `DELETE FROM slip_search WHERE rowid IN (SELECT number FROM slips WHERE ${old})`,
      `DELETE FROM copies WHERE slip IN (SELECT number FROM slips WHERE ${old})`
    ].map((text) => this.#database.prepare(text))
    const deleteSlips = this.#database.prepare(`DELETE FROM slips WHERE ${old}`)
    yield* this.#steps(before, old, (...values) => {
      for (const statement of statements) statement.run(...values)
      return Number(deleteSlips.run(...values).changes)
    })
  }

  /** Goes over all row ids. If anything was removed, merges the search index, which drops the removed tokens. */
  *#steps(before: string, condition: string, change: Change): Generator<RemovalStep> {
    const { first, last } = this.#range.get() ?? {}
    const select = this.#database.prepare(
      `SELECT code FROM slips WHERE ${condition} AND customer_id IS NOT NULL AND code IS NOT NULL`
    )
    let changedSlips = 0
    for (let after = Number(first); after < Number(last); after += STEP_ROWS) {
      const values = [after, after + STEP_ROWS, before] as const
      yield {
        codes: select.all(...values).map(({ code }) => String(code)),
        remove: () => {
          const changed = transaction(this.#database, () => change(...values))
          changedSlips += changed
          return changed
        }
      }
    }
    if (changedSlips > 0) yield* this.#mergeSearchIndex()
  }

  *#mergeSearchIndex(): Generator<RemovalStep> {
    // The negative number starts a merge of all segments, the next ones continue it (sqlite.org/fts5.html, 6.8).
    const merge = this.#database.prepare(`INSERT INTO slip_search (slip_search, rank) VALUES ('merge', ?)`)
    merge.run(-STEP_PAGES)
    for (;;) {
      yield { codes: [], remove: () => 0 }
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
