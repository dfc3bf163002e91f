/** The journal's baseline: its statements on bare SQLite, prepared once. */
import type { DatabaseSync } from 'node:sqlite'
import { SELECT_SLIPS } from '../../electron/main/slips/journal/rows.ts'

/** Parameters of the append statement. */
export interface BareRequest {
  readonly intentId: string
  readonly requestedAt: string
  readonly snapshot: string
  readonly customerId: string
  readonly customerName: string
  /** the customer's name as the index of words takes it */
  readonly words: string
}

/** The statements, with SQLite's rows as results. `scope`: training as a number, and the business. */
export function bareJournal(database: DatabaseSync, scope: readonly [number, string]) {
  const insert = database.prepare(`
    INSERT INTO slips (intent_id, business_id, training, state, points, requested_copies, customer_id, customer_name,
                       requested_at, snapshot)
    VALUES (?, ?, ?, 'requested', 25, 1, ?, ?, ?, ?)
  `)
  const insertWords = database.prepare('INSERT INTO slip_search (rowid, name) VALUES (?, ?)')
  const [begin, commit] = [database.prepare('BEGIN IMMEDIATE'), database.prepare('COMMIT')]
  const newest = database.prepare(`
    ${SELECT_SLIPS} WHERE slips.number IN (
      SELECT slips.number FROM slips INDEXED BY slips_newest WHERE slips.training = ? AND slips.business_id = ?
      ORDER BY slips.number DESC LIMIT ? OFFSET ?
    ) ORDER BY slips.number DESC
  `)
  const byCode = database.prepare(`
    ${SELECT_SLIPS} WHERE training = ? AND business_id = ? AND code = ? COLLATE NOCASE AND code = ?
    ORDER BY slips.number DESC LIMIT 1
  `)
  // A text may begin a code or a word of a name.
  const search = database.prepare(`
    ${SELECT_SLIPS} WHERE slips.number IN (
      SELECT * FROM (
        SELECT slips.number FROM slips INDEXED BY slips_code WHERE slips.training = ? AND slips.business_id = ?
          AND code >= ? COLLATE NOCASE AND code < ? COLLATE NOCASE ORDER BY slips.number DESC LIMIT ?
      ) UNION SELECT * FROM (
        SELECT slips.number FROM slip_search CROSS JOIN slips ON slips.number = slip_search.rowid
        WHERE slip_search MATCH ? AND slips.training = ? AND slips.business_id = ?
        ORDER BY slip_search.rowid DESC LIMIT ?
      )
    ) ORDER BY slips.number DESC LIMIT ? OFFSET 0
  `)
  const sums = database.prepare(`
    SELECT state, count(*) AS count, count(code) AS withCode,
      coalesce(sum(points) FILTER (WHERE code IS NOT NULL), 0) AS points,
      sum(CASE WHEN copies = 0 THEN 0 ELSE
        (SELECT count(*) FROM copies AS made WHERE made.slip = slips.number AND made.state = 'printed') END) AS copies
    FROM slips INDEXED BY slips_time
    WHERE training = ? AND business_id = ? AND requested_at >= ? AND requested_at < ?
    GROUP BY state
  `)
  return {
    append({ intentId, requestedAt, snapshot, customerId, customerName, words }: BareRequest): unknown {
      begin.run()
      const { lastInsertRowid } = insert.run(
        intentId,
        scope[1],
        scope[0],
        customerId,
        customerName,
        requestedAt,
        snapshot
      )
      insertWords.run(lastInsertRowid, words)
      return commit.run()
    },
    newest: (limit: number): unknown => newest.all(...scope, limit, 0),
    byCode: (code: string): unknown => byCode.get(...scope, code, code),
    search: (code: string, limit: number): unknown =>
      search.all(
        ...scope,
        code,
        `${code}\u{10FFFF}`,
        limit,
        `"${code.toLowerCase()}"*`,
        ...scope,
        limit,
        limit
      ),
    sums: (from: string, until: string): unknown => sums.all(...scope, from, until)
  }
}
