/** Writes a search's slips as a file, however many there are: a part at a time, and whole or not at all. */
import { open, rename, rm } from 'node:fs/promises'
import type { Failure } from '../../contract/failure.ts'
import type { Slip } from '../../contract/slips.ts'
import type { JournalRow } from './journal/rows.ts'
import { localTimes } from './time-buckets.ts'

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

/* from columns.ts: What a slip is in a spreadsheet. */

/** Names of the columns; `timeZone` says which clock the times are of. */
const columnNames = (timeZone: string): string[] => [
  `Asked for (${timeZone})`,
  `Issued (${timeZone})`,
  `Printed (${timeZone})`,
  `Shown (${timeZone})`,
  'State',
  'Points',
  'Code',
  'URL',
  'Customer',
  'Customer id',
  'Cashier',
  'Cashier id',
  'Copies',
  'Destination',
  'Reason',
  `Ended by hand (${timeZone})`,
  'Note',
  'Batch',
  'Training',
  'Intent'
]

const reasonOf = (failure: Failure | null): string | null => {
  if (failure === null) return null
  switch (failure.kind) {
    case 'not-printed':
      return failure.fault
    case 'unknown-outcome':
      return failure.cause
    case 'rejected':
      return `${failure.kind} ${String(failure.status)} ${failure.message}`.trim()
    default:
      return failure.kind
  }
}

const destinationOf = ({ destination }: Slip): string | null => {
  if (destination === null) return null
  switch (destination.kind) {
    case 'folder':
      return 'folder'
    case 'queue':
      return destination.name
    case 'network-printer':
      return `${destination.host}:${String(destination.port)}`
  }
}

/** Makes what turns a slip into the fields of `columnNames`, with times of `timeZone`. */
function slipFields(timeZone: string): (slip: Slip) => (string | number | null)[] {
  const spelled = localTimes(timeZone)
  const time = (moment: string | null): string | null => (moment === null ? null : spelled(moment))
  return (slip) => [
    time(slip.requestedAt),
    time(slip.issuedAt),
    time(slip.printedAt),
    time(slip.shownAt),
    slip.state,
    slip.points,
    slip.code,
    slip.url,
    slip.customer?.name ?? null,
    slip.customer?.id ?? null,
    slip.cashier?.name ?? null,
    slip.cashier?.id ?? null,
    slip.copies,
    destinationOf(slip),
    reasonOf(slip.failure),
    time(slip.ending?.at ?? null),
    slip.ending?.note ?? null,
    slip.batch?.batchId ?? null,
    slip.training ? 'yes' : 'no',
    slip.intentId
  ]
}

/** Comma-separated values as RFC 4180 has them, safe to open in a spreadsheet. */

/** UTF-8's mark, by which spreadsheets know the encoding. */
const BYTE_ORDER_MARK = '\u{FEFF}'

/** How a spreadsheet's formula begins (owasp.org, CSV Injection). */
const FORMULA = /^[=+\-@\t\r]/

/** One field: text that would be a formula gets an apostrophe in front, and what needs quotes gets them. */
export function csvField(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** One record with its line end. */
export const csvRecord = (fields: readonly (string | number | null)[]): string =>
  `${fields.map(csvField).join(',')}\r\n`
