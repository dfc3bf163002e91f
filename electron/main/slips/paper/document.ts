/** What the paper of a journal row says. Depends on the row and the copy's number alone: the same bytes for ever. */
import type { JournalRow } from '../journal/row.ts'
import type { SlipDocument } from '../layout/document.ts'

/** Null as long as the row has no code. */
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
