/** Worker thread: posts a customer's slips, and removes ids, names and search tokens if `task` asks for it. */
import { createHash } from 'node:crypto'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { CustomerSlipsJob } from './customer-slips.ts'

const { file, fingerprint, task } = workerData as CustomerSlipsJob
const hash = (text: unknown): string =>
  createHash('sha256')
    .update(fingerprint.salt + String(text))
    .digest('hex')
// SQLITE_ERROR, SQLITE_CORRUPT and SQLITE_NOTADB (sqlite.org/rescode.html)
const damageCodes = [1, 11, 26]
try {
  const database = new DatabaseSync(file, { readOnly: task === 'read', timeout: 5000 })
  try {
    // Without a write-ahead log, and with the log of before taken over: one file remains.
    if (task !== 'read') database.exec('PRAGMA journal_mode = DELETE; PRAGMA secure_delete = ON')
    // Without the indexes: a damaged one would hide rows.
    const peopleIn = (table: string) =>
      database
        .prepare(
          `SELECT DISTINCT training, business_id, customer_id, customer_name FROM ${table} NOT INDEXED
           WHERE customer_id IS NOT NULL`
        )
        .all()
        .filter((row) => {
          const { training, business_id: business, customer_id: id, customer_name: name } = row
          if (hash(JSON.stringify([training, business, id])) === fingerprint.customer) return true
          return training === 1 && (hash(id) === fingerprint.id || hash(name) === fingerprint.name)
        })
    const whose = `NOT INDEXED
      WHERE training = :training AND business_id = :business_id AND customer_id = :customer_id
        AND customer_name IS :customer_name`
    const which = `FROM slips ${whose}`
    // A file of an earlier version has no operations.
    const hasOperations =
      database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'operations'`).get() !== undefined
    const askers = hasOperations ? peopleIn('operations') : []
    const operations = askers.flatMap((person) =>
      database
        .prepare(
          `SELECT key, kind, undoes, training, state, customer_id, customer_name, cashier_name, caller_name, reference,
             reason, requested_at, request, answer, answered_at, ended_at, note
           FROM operations ${whose} ORDER BY number`
        )
        .all(person)
    )
    const people = peopleIn('slips')
    // A backup of an earlier version has not all columns.
    const hasColumn = (name: string): boolean =>
      database.prepare(`SELECT 1 FROM pragma_table_info('slips') WHERE name = ?`).get(name) !== undefined
    const collections = hasColumn('collected_at')
      ? 'collected_at, taken_back_at'
      : 'NULL AS collected_at, NULL AS taken_back_at'
    const select = database.prepare(
      `SELECT number, training, state, points, code, url, customer_id, customer_name, cashier_name, caller_name,
         reference, requested_at,
         issued_at, printed_at, shown_at, ${collections}, ended_at, note, file, copies,
         snapshot ->> 'affordable' AS affordable ${which} ORDER BY number`
    )
    const slips = people.flatMap((person) => select.all(person))
    if (task !== 'read' && (slips.length + operations.length > 0 || task === 'rewrite')) {
      const names = [...people, ...askers]
        .map((person) => String(person['customer_name'] ?? ''))
        .filter((name) => name !== '')
      const inNotes = names.map((name) => new RegExp(name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'giu'))
      const deleteTokens = database.prepare('DELETE FROM slip_search WHERE rowid = ?')
      // Without its reference it is another request, which the service refuses: it stays unknown.
      const forgetKey = hasColumn('keyed') ? `keyed = CASE WHEN code IS NULL THEN 0 ELSE keyed END,` : ''
      const clear = database.prepare(
        `UPDATE slips SET customer_id = NULL, customer_name = NULL, reference = NULL, content_hash = NULL,
           ${forgetKey} revision = revision + 1,
           snapshot = json_set(snapshot, '$.affordable', NULL) WHERE number = ?`
      )
      database.exec('BEGIN IMMEDIATE')
      for (const { number } of slips) {
        deleteTokens.run(Number(number))
        clear.run(Number(number))
      }
      // A request without a customer cannot be sent again; one that undoes another names none.
      const waits = `undoes IS NULL AND state IN ('requested', 'unknown')`
      const forgetAsker = (whom: Record<string, SQLOutputValue>) =>
        database
          .prepare(
            `UPDATE operations SET customer_id = NULL, customer_name = NULL, reference = NULL, content_hash = NULL,
               reason = CASE WHEN reason IS NULL THEN NULL ELSE '' END,
               ended_at = CASE WHEN ${waits} THEN requested_at ELSE ended_at END,
               state = CASE WHEN ${waits} THEN 'discarded' ELSE state END,
               note = CASE WHEN note IS NULL THEN NULL ELSE '' END, revision = revision + 1
             ${whose.replace('NOT INDEXED', '')}`
          )
          .run(whom)
      for (const person of askers) forgetAsker(person)
      const removeNamesFrom = (table: string, column: string): void => {
        const set = database.prepare(
          `UPDATE ${table} SET ${column} = ?, revision = revision + 1 WHERE number = ?`
        )
        const typed = database.prepare(
          `SELECT number, ${column} AS text FROM ${table} NOT INDEXED WHERE ${column} <> ''`
        )
        for (const { number, text } of typed.all()) {
          const cleaned = inNotes.reduce((rest, name) => rest.replace(name, '…'), String(text))
          if (cleaned !== text) set.run(cleaned, Number(number))
        }
      }
      removeNamesFrom('slips', 'note')
      if (hasOperations) {
        removeNamesFrom('operations', 'note')
        removeNamesFrom('operations', 'reason')
      }
      database.exec('COMMIT')
      // Rewrites the search index and the file: nothing of the removed text stays in unused bytes.
      database.exec(`INSERT INTO slip_search (slip_search) VALUES ('optimize'); VACUUM`)
    }
    const plain = (rows: readonly object[]) => rows.map((row) => ({ ...row }))
    parentPort?.postMessage({
      kind: 'found',
      slips: plain(slips),
      operations: plain(operations)
    })
  } finally {
    database.close()
  }
} catch (error) {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : null
  if (code === null || !damageCodes.includes(code)) throw error
  parentPort?.postMessage({ kind: 'damaged' })
}
