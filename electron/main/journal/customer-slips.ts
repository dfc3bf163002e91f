/** The slips and redemptions of one customer in a file of the journal: a journal, a backup or a quarantined journal. */
import { createHash, randomBytes } from 'node:crypto'
import type { SQLOutputValue } from 'node:sqlite'
import * as v from 'valibot'
import { runInWorker } from '../worker-thread.ts'
import type { Scope } from './rows.ts'

/**
 * Identifies a customer by salted hashes, so that a file with it holds no personal data. Slips of training mode match by
 * id or name alone: a name may have been used for practice.
 */
export const customerFingerprintSchema = v.object({
  salt: v.string(),
  /** of scope and id */
  customer: v.string(),
  id: v.string(),
  name: v.string()
})
export type CustomerFingerprint = v.InferOutput<typeof customerFingerprintSchema>

const hashOf = (salt: string, text: string): string =>
  createHash('sha256').update(`${salt}${text}`).digest('hex')

/** Returns the fingerprint of a customer, with a new salt. */
export function fingerprintOf(
  { training, businessId }: Scope,
  { id, name }: { readonly id: string; readonly name: string }
): CustomerFingerprint {
  const salt = randomBytes(16).toString('hex')
  const customer = JSON.stringify([Number(training), businessId, id])
  return { salt, customer: hashOf(salt, customer), id: hashOf(salt, id), name: hashOf(salt, name) }
}

/** Returns whether an id or a name of training data is that of the customer. */
export const matchesFingerprint = (
  { salt, id, name }: CustomerFingerprint,
  person: { readonly id: string; readonly name: string }
): boolean => hashOf(salt, person.id) === id || hashOf(salt, person.name) === name

const slipSchema = v.object({
  number: v.number(),
  training: v.number(),
  state: v.string(),
  points: v.number(),
  code: v.nullable(v.string()),
  url: v.nullable(v.string()),
  customer_id: v.string(),
  customer_name: v.nullable(v.string()),
  cashier_name: v.nullable(v.string()),
  caller_name: v.nullable(v.string()),
  reference: v.nullable(v.string()),
  requested_at: v.string(),
  issued_at: v.nullable(v.string()),
  printed_at: v.nullable(v.string()),
  shown_at: v.nullable(v.string()),
  collected_at: v.nullable(v.string()),
  taken_back_at: v.nullable(v.string()),
  ended_at: v.nullable(v.string()),
  note: v.nullable(v.string()),
  file: v.nullable(v.string()),
  copies: v.number(),
  /** the rewards that the customer could afford, as JSON */
  affordable: v.nullable(v.string())
})
/** A slip of the customer, with the names of the columns. */
export type CustomerSlip = v.InferOutput<typeof slipSchema>

const operationSchema = v.object({
  key: v.string(),
  kind: v.string(),
  undoes: v.nullable(v.string()),
  training: v.number(),
  state: v.string(),
  customer_id: v.string(),
  customer_name: v.nullable(v.string()),
  cashier_name: v.nullable(v.string()),
  caller_name: v.nullable(v.string()),
  reference: v.nullable(v.string()),
  reason: v.nullable(v.string()),
  requested_at: v.string(),
  /** what was asked and answered, as JSON */
  request: v.string(),
  answer: v.nullable(v.string()),
  answered_at: v.nullable(v.string()),
  ended_at: v.nullable(v.string()),
  note: v.nullable(v.string())
})
/** An operation for the customer, with the names of the columns. */
export type CustomerOperation = v.InferOutput<typeof operationSchema>

const messageSchema = v.variant('kind', [
  v.object({ kind: v.literal('found'), slips: v.array(slipSchema), operations: v.array(operationSchema) }),
  v.object({ kind: v.literal('damaged') })
])
/** `slips`: those that name, or named, the customer. `damaged`: the file cannot be read as a journal. */
export type CustomerSlips = v.InferOutput<typeof messageSchema>

/** What the worker thread is given. */
interface Job {
  readonly file: string
  readonly fingerprint: CustomerFingerprint
  /** `rewrite`: removes, and rewrites the file even when no slip names the customer */
  readonly task: 'read' | 'remove' | 'rewrite'
}

/** Worker entry: posts the customer's slips, and removes ids, names and search tokens if `task` asks for it. */
function customerSlipsEntry(): void {
  const worker = process.getBuiltinModule('node:worker_threads')
  const { createHash: create } = process.getBuiltinModule('node:crypto')
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  const { file, fingerprint, task } = worker.workerData as Job
  const hash = (text: unknown): string =>
    create('sha256')
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
      // A backup of an earlier version has no such columns.
      const hasCollections = database
        .prepare(`SELECT 1 FROM pragma_table_info('slips') WHERE name = 'collected_at'`)
        .get()
      const collections =
        hasCollections === undefined
          ? 'NULL AS collected_at, NULL AS taken_back_at'
          : 'collected_at, taken_back_at'
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
        const clear = database.prepare(
          `UPDATE slips SET customer_id = NULL, customer_name = NULL, reference = NULL, content_hash = NULL,
             revision = revision + 1,
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
      worker.parentPort?.postMessage({
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
    worker.parentPort?.postMessage({ kind: 'damaged' })
  }
}

/** Returns the slips of a customer, read in a worker thread. Rejects when the file is locked or the disk fails. */
export const readCustomerSlips = (file: string, fingerprint: CustomerFingerprint): Promise<CustomerSlips> =>
  runInWorker(customerSlipsEntry, { file, fingerprint, task: 'read' } satisfies Job, messageSchema)

/**
 * Removes id, name and search tokens of a customer from a file that nothing else has open, in a worker thread, and
 * rewrites the file. Resolves with the slips of before. Rejects when the file is locked or the disk fails; repeat it
 * then with `isRepeated`, which rewrites the file in any case.
 */
export const removeCustomerFromSlips = (
  file: string,
  fingerprint: CustomerFingerprint,
  isRepeated: boolean
): Promise<CustomerSlips> =>
  runInWorker(
    customerSlipsEntry,
    { file, fingerprint, task: isRepeated ? 'rewrite' : 'remove' } satisfies Job,
    messageSchema
  )
