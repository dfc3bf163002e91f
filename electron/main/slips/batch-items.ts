/** What is left of a batch: which places to ask for, which codes to print. Read from the journal, never remembered. */
import { createHash } from 'node:crypto'
import { canPrint, type Batch } from '../../contract/slips.ts'
import type { BatchPlace, Request } from './journal/journal.ts'

/** One slip of a batch that is to be asked for. */
export type BatchAsk = NonNullable<Request['batch']>

/** Whether a slip's outcome is unknown, or was when somebody put it away. */
const isUnknown = ({ state, hasCode }: BatchPlace): boolean =>
  state === 'unknown' || (state === 'discarded' && !hasCode)

/**
 * The places to ask for, in their order: those nobody asked for, those that were surely refused, those whose answer is
 * not on disk yet, and with `unknownToo` those whose outcome nobody knows.
 */
export function placesToAsk(
  { batchId, count }: Pick<Batch, 'batchId' | 'count'>,
  places: readonly BatchPlace[],
  unknownToo: boolean
): BatchAsk[] {
  const known = new Map(places.map((place) => [place.position, place]))
  return Array.from({ length: count }, (_, index) => index + 1).flatMap((position): BatchAsk[] => {
    const place = known.get(position)
    if (place === undefined) return [{ batchId, position, attempt: 1 }]
    // The same intent again: the issuing still holds its answer, and asks nobody.
    if (place.state === 'requested') return [{ batchId, position, attempt: place.attempt }]
    if (place.state === 'refused' || (unknownToo && isUnknown(place))) {
      return [{ batchId, position, attempt: place.attempt + 1 }]
    }
    return []
  })
}

/** Intents whose outcome nobody knows and nobody has put away. */
export const unknownIntents = (places: readonly BatchPlace[]): string[] =>
  places.filter(({ state }) => state === 'unknown').map(({ intentId }) => intentId)

/** Intents with a code that never went to paper. */
export const neverPrinted = (places: readonly BatchPlace[]): string[] =>
  places.filter(({ state }) => state === 'issued').map(({ intentId }) => intentId)

/** Intents with a code and no paper, whether it was tried or not. */
export const withoutPaper = (places: readonly BatchPlace[]): string[] =>
  places.filter(canPrint).map(({ intentId }) => intentId)

/* from intent-id.ts: The intent ids of a batch follow from its own id, so that a batch that goes on after a crash asks for no slip twice. */

/**
 * The intent id of the `attempt`th slip at a place of a batch: a version 5 UUID (RFC 9562, 5.5) with the batch id as
 * its namespace.
 */
export function batchIntentId(batchId: string, position: number, attempt: number): string {
  const bytes = createHash('sha1')
    .update(Buffer.from(batchId.replaceAll('-', ''), 'hex'))
    .update(`${String(position)}/${String(attempt)}`)
    .digest()
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
