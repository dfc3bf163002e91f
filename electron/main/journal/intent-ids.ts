/** Intent ids that follow from a name: a repeated request finds the row of the first one. */
import { createHash } from 'node:crypto'
import type { Scope } from './rows.ts'
import type { SlipRequest } from './slip-table.ts'

/** Returns the version 5 UUID (RFC 9562, 5.5) of a name in a namespace, which is a UUID. */
function uuidOf(namespace: string, name: string): string {
  const bytes = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest()
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Returns the intent id of an attempt at a position of a batch. */
export const batchIntentId = ({ batchId, position, attempt }: NonNullable<SlipRequest['batch']>): string =>
  uuidOf(batchId, `${String(position)}/${String(attempt)}`)

/** The namespace of programs' names: random, and the same in every till. */
const PROGRAMS = 'a5b35c2e-0f0c-4f3e-9f0b-1f2f6d8a7c41'

/**
 * Returns the id of a program. It follows from its name, so that a program that is paired again has the same references.
 */
export const programId = (name: string): string => uuidOf(PROGRAMS, name)

/**
 * Returns the intent id of an attempt at a reference of a program. It stays when the retention removes the reference from
 * the row, so a reference never counts as new.
 */
export const referenceIntentId = (
  { training, businessId }: Scope,
  callerId: string,
  reference: string,
  attempt: number
): string => uuidOf(callerId, JSON.stringify([training, businessId, reference, attempt]))
