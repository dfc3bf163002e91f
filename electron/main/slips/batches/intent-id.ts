/** The intent ids of a batch follow from its own id, so that a batch that goes on after a crash asks for no slip twice. */
import { createHash } from 'node:crypto'

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
