/** The slips and redemptions of one customer in a file of the journal: a journal, a backup or a quarantined journal. */
import { createHash, randomBytes } from 'node:crypto'
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
export interface CustomerSlipsJob {
  readonly file: string
  readonly fingerprint: CustomerFingerprint
  /** `rewrite`: removes, and rewrites the file even when no slip names the customer */
  readonly task: 'read' | 'remove' | 'rewrite'
}

const WORKER = new URL('./customer-slips-worker.ts', import.meta.url)

/** Returns the slips of a customer, read in a worker thread. Rejects when the file is locked or the disk fails. */
export const readCustomerSlips = (file: string, fingerprint: CustomerFingerprint): Promise<CustomerSlips> =>
  runInWorker(WORKER, { file, fingerprint, task: 'read' } satisfies CustomerSlipsJob, messageSchema)

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
    WORKER,
    { file, fingerprint, task: isRepeated ? 'rewrite' : 'remove' } satisfies CustomerSlipsJob,
    messageSchema
  )
