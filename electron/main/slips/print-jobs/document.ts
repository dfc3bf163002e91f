/** What the paper of a journal row says. Depends on the journal and the copy's number alone: the same bytes for ever. */
import type { Journal } from '../journal/journal.ts'
import type { JournalRow } from '../journal/row.ts'
import type { SlipDocument } from '../../slip-pdf/document.ts'

type Extras = Pick<SlipDocument, 'headline' | 'footer' | 'tillName' | 'logo' | 'joinUrl'>

/** What the business put on its slips when this one was issued. */
function extrasOf({ face: { extras } }: JournalRow, journal: Pick<Journal, 'logo'>): Extras {
  if (extras === null) return {}
  const { headline, footer, tillName, joinUrl, logo } = extras
  return { headline, footer, tillName, joinUrl, logo: logo === null ? null : journal.logo(logo) }
}

/** `copy` 0 is the first paper, without a mark. Null as long as the row has no code. */
export function documentOf(
  row: JournalRow,
  copy: number,
  journal: Pick<Journal, 'logo'>
): SlipDocument | null {
  const { slip, face } = row
  if (slip.code === null || slip.url === null || slip.issuedAt === null) return null
  const isNamed = face.extras === null || face.extras.customerName
  return {
    business: { name: face.name, address: face.address },
    points: slip.points,
    customerName: isNamed ? (slip.customer?.name ?? null) : null,
    code: slip.code,
    url: slip.url,
    issuedAt: slip.issuedAt,
    timeZone: face.timeZone,
    locale: face.locale,
    training: slip.training,
    copy,
    ...extrasOf(row, journal)
  }
}
