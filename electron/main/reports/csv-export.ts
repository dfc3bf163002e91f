/** Exports the slips that a search finds as comma-separated values (RFC 4180). */
import type { Failure } from '../../contract/failure.ts'
import { connectionName, type Output, type PrintDestination } from '../../contract/printing.ts'
import { remainingPoints } from '../../contract/returns.ts'
import type { CollectionGrouping, CollectionSum, SlipsReport } from '../../contract/slip-report.ts'
import { slipLabel, type Slip } from '../../contract/slips.ts'
import { BYTE_ORDER_MARK, csvRecord, csvSeparator, type CsvValue } from '../../contract/text.ts'
import { writeFileAtomic } from '../fs/atomic-write.ts'
import { collectionGroupName, slipWords } from '../slip-pdf/slip-document.ts'
import type { JournalRow } from '../journal/rows.ts'
import { localTimes } from './time-buckets.ts'

/** Rows of one read: about 10 ms, so that an export does not delay the counter. */
const CHUNK_ROWS = 500

export interface CsvExportOptions {
  /** IANA name; the clock of all times */
  readonly timeZone: string
  /** BCP 47; the language of the column names and of the states */
  readonly locale: string
  /** whether the service tells which slips were collected */
  readonly tellsCollections: boolean
  /** where printouts go by the settings */
  readonly output: Output
}

/** Returns why a slip was refused, is unknown or was not printed, in one word for programs; null without a failure. */
export const failureReason = (failure: Failure | null): string | null => {
  if (failure === null) return null
  switch (failure.kind) {
    case 'not-printed':
      return failure.fault
    case 'unknown-outcome':
      return failure.cause
    case 'operation-refused':
      return failure.reason
    case 'rejected':
      return `${failure.kind} ${String(failure.status)} ${failure.message}`.trim()
    default:
      return failure.kind
  }
}

/** Returns the name of a printer; null for the folder. */
export const destinationName = (destination: PrintDestination): string | null => {
  switch (destination.kind) {
    case 'folder':
      return null
    case 'queue':
      return destination.name
    case 'receipt-printer':
      return connectionName(destination.connection)
  }
}

/** The columns: each with its name and the value that it has for a slip. */
function csvColumns({
  timeZone,
  locale,
  tellsCollections,
  output
}: CsvExportOptions): (readonly [string, (slip: Slip) => CsvValue])[] {
  const words = slipWords({ locale })
  const format = localTimes(timeZone)
  const time = (moment: string | null | undefined): string | null => (moment ? format(moment) : null)
  const collections: [string, (slip: Slip) => CsvValue][] = [
    [words.csvCollectedAt({ timeZone }), (slip) => time(slip.collectedAt)],
    [words.csvTakenBackAt({ timeZone }), (slip) => time(slip.takenBackAt)]
  ]
  return [
    [words.csvRequestedAt({ timeZone }), (slip) => time(slip.requestedAt)],
    [words.csvIssuedAt({ timeZone }), (slip) => time(slip.issuedAt)],
    [words.csvDeliveredAt({ timeZone }), (slip) => time(slip.printedAt)],
    [words.csvShownAt({ timeZone }), (slip) => time(slip.shownAt)],
    ...(tellsCollections ? collections : []),
    [words.csvState(), (slip) => words.csvSlipState({ state: slipLabel(slip, output) })],
    [words.csvPoints(), ({ points }) => points],
    [words.reportReturned(), (slip) => slip.points - remainingPoints(slip)],
    [words.csvCode(), ({ code }) => code],
    [words.csvUrl(), ({ url }) => url],
    [words.csvCustomer(), ({ customer }) => customer?.name ?? null],
    [words.csvCustomerId(), ({ customer }) => customer?.id ?? null],
    [words.csvCashier(), ({ cashier }) => cashier?.name ?? null],
    [words.csvCashierId(), ({ cashier }) => cashier?.id ?? null],
    [words.csvCaller(), ({ caller }) => caller?.name ?? null],
    [words.csvReference(), ({ reference }) => reference],
    [words.csvCopies(), ({ copies }) => copies],
    [
      words.csvDestination(),
      ({ destination }) => destination && (destinationName(destination) ?? words.csvFolder())
    ],
    [words.csvReason(), ({ failure }) => failureReason(failure)],
    [words.csvEndedAt({ timeZone }), ({ ending }) => time(ending?.at)],
    [words.csvNote(), ({ ending }) => ending?.note ?? null],
    [words.csvBatch(), ({ batch }) => batch?.batchId ?? null],
    [words.csvTraining(), ({ training }) => (training ? words.csvYes() : words.csvNo())],
    [words.csvOffline(), ({ offline }) => (offline === null ? words.csvNo() : words.csvYes())],
    [words.csvIntent(), ({ intentId }) => intentId]
  ]
}

/**
 * Writes the slips to `file`, in chunks, and returns their number. `readChunk` returns up to `limit` rows that follow
 * the row `after`. Rejects as the file system does; `file` is then unchanged.
 */
export async function exportSlips(
  file: string,
  options: CsvExportOptions,
  readChunk: (after: JournalRow | undefined, limit: number) => readonly JournalRow[]
): Promise<number> {
  const columns = csvColumns(options)
  const separator = csvSeparator(options.locale)
  let count = 0
  await writeFileAtomic(file, async (handle) => {
    await handle.write(
      BYTE_ORDER_MARK +
        csvRecord(
          columns.map(([name]) => name),
          separator
        )
    )
    let rows = readChunk(undefined, CHUNK_ROWS)
    while (rows.length > 0) {
      count += rows.length
      await handle.write(
        rows
          .map(({ slip }) =>
            csvRecord(
              columns.map(([, valueOf]) => valueOf(slip)),
              separator
            )
          )
          .join('')
      )
      rows = readChunk(rows.at(-1), CHUNK_ROWS)
    }
  })
  return count
}

const MS_PER_MINUTE = 60_000

/**
 * Writes what became of the slips of a report to `file`: one record for each group and one for their sum, nothing when that
 * is not known. Rejects as the file system does. @param locale BCP 47; the language of the names of columns
 */
export async function exportCollections(
  file: string,
  { collections, timeZone }: Pick<SlipsReport, 'collections' | 'timeZone'>,
  by: CollectionGrouping,
  locale: string
): Promise<void> {
  if (collections === null) return
  const words = slipWords({ locale })
  const separator = csvSeparator(locale)
  const format = localTimes(timeZone)
  const record = (name: string, sum: CollectionSum): string =>
    csvRecord(
      [
        name,
        sum.issued,
        sum.issuedPoints,
        sum.collected,
        sum.collectedPoints,
        // A batch redeems, credits and takes back nothing.
        by === 'batch' ? null : sum.redeemed,
        by === 'batch' ? null : sum.redeemedPoints,
        by === 'batch' ? null : sum.creditedPoints,
        by === 'batch' ? null : sum.returnedPoints,
        sum.issued === 0 ? null : Math.round((sum.collected / sum.issued) * 100),
        sum.medianMs === null ? null : Math.round(sum.medianMs / MS_PER_MINUTE)
      ],
      separator
    )
  const names = {
    time: words.csvStart({ timeZone }),
    batch: words.csvBatchStart({ timeZone }),
    cashier: words.csvCashier(),
    program: words.csvCaller()
  }
  const head = [
    names[by],
    words.reportSlips(),
    words.reportPoints(),
    words.reportCollected(),
    words.reportCollectedPoints(),
    words.csvRewardsRedeemed(),
    words.reportRedeemed(),
    words.reportCredited(),
    words.reportReturned(),
    words.csvShareCollected(),
    words.csvMedianMinutes()
  ]
  const groups = collections.groups[by].map((group) =>
    record(collectionGroupName(group, by, words, format), group)
  )
  await writeFileAtomic(file, async (handle) => {
    await handle.write(
      BYTE_ORDER_MARK +
        csvRecord(head, separator) +
        groups.join('') +
        record(words.csvAll(), collections.total)
    )
  })
}
