/** From a code on disk to paper: lays the slip out from its journal row and hands it to a destination. */
import { bad, type Answer } from '../../contract/failure.ts'
import type { Delivered, Destination } from './destination/destination.ts'
import type { Journal } from './journal/journal.ts'
import type { JournalRow } from './journal/row.ts'
import { canPrint } from './journal/states.ts'
import type { SlipDocument } from './layout/document.ts'
import type { LayoutSlip } from './layout/layout.ts'
import { UrlTooLong } from './layout/qr.ts'
import type { Log } from './log.ts'

export interface PrintingParts {
  readonly journal: Journal
  readonly layout: LayoutSlip
  readonly destination: Destination
  readonly now: () => Date
  readonly log: Log
}

/** What the paper of this row says, or null as long as it has no code. Depends on the row alone. */
export function documentOf({ slip, face }: JournalRow): SlipDocument | null {
  if (slip.code === null || slip.url === null || slip.issuedAt === null) return null
  return {
    business: { name: face.name, address: face.address },
    points: slip.points,
    customerName: slip.customer?.name ?? null,
    code: slip.code,
    url: slip.url,
    issuedAt: slip.issuedAt,
    timeZone: face.timeZone,
    locale: face.locale,
    practice: slip.practice
  }
}

/**
 * Makes the printing: takes a row with a code to `printed` or `print-failed` and gives it back. A row that is
 * printed already, or has no code, comes back as it is. Throws as the journal does when the disk fails.
 */
export function createPrinting({ journal, layout, destination, now, log }: PrintingParts) {
  const toPaper = async (row: JournalRow, document: SlipDocument): Promise<Answer<Delivered>> => {
    try {
      return await destination.deliver(row.slip, await layout(document))
    } catch (error) {
      log.error('A slip could not be laid out', error)
      return bad(error instanceof UrlTooLong ? { kind: 'bad-response', path: 'qrURL' } : { kind: 'internal' })
    }
  }

  return async (row: JournalRow): Promise<JournalRow> => {
    const document = documentOf(row)
    if (document === null || !canPrint(row.slip.state)) return row
    const { intentId } = row.slip
    const delivered = await toPaper(journal.step(intentId, 'print-started'), document)
    if (!delivered.ok) return journal.step(intentId, 'print-failed', { failure: delivered.failure })
    return journal.step(intentId, 'printed', {
      file: delivered.value.file,
      printedAt: now().toISOString()
    })
  }
}
