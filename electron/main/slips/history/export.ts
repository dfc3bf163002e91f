/** Writes a search's slips as a file, however many there are: a part at a time, and whole or not at all. */
import { open, rename, rm } from 'node:fs/promises'
import type { JournalRow } from '../journal/row.ts'
import { columnNames, slipFields } from './columns.ts'
import { BYTE_ORDER_MARK, csvRecord } from './csv.ts'

/** Slips read at once: about 10 ms, so that the counter waits for no export. */
const PART = 500

/**
 * Writes `file` and gives the number of slips in it. `next` gives up to `limit` slips after a row. Rejects as the disk
 * does; then the file is as it was before.
 */
export async function exportSlips(
  file: string,
  timeZone: string,
  next: (after: JournalRow | undefined, limit: number) => readonly JournalRow[]
): Promise<number> {
  const part = `${file}.part`
  const fields = slipFields(timeZone)
  let count = 0
  try {
    const handle = await open(part, 'w', 0o600)
    try {
      await handle.write(BYTE_ORDER_MARK + csvRecord(columnNames(timeZone)))
      let rows = next(undefined, PART)
      while (rows.length > 0) {
        count += rows.length
        await handle.write(rows.map(({ slip }) => csvRecord(fields(slip))).join(''))
        rows = next(rows.at(-1), PART)
      }
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(part, file)
    return count
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}
