/** The business that slips are issued for, and what of it a slip shows. */
import { err, ok, type Result } from '../../contract/failure.ts'
import type { Account } from '../../contract/loyalty.ts'
import type { PaperSize } from '../../contract/printing.ts'
import type { SlipSettings } from '../../contract/settings.ts'
import { isTimeZone } from '../../contract/slip-format.ts'
import type { SlipDocument } from '../slip-pdf/slip-document.ts'
import type { PdfRenderer, SlipPdf } from '../slip-pdf/slip-pdf-renderer.ts'
import { createFolder } from './delivery.ts'
import { hashOf, type Journal, type Scope } from './journal/journal.ts'
import type { BusinessSnapshot, JournalRow } from './journal/rows.ts'
import type { SlipServiceDependencies } from './slip-service.ts'

/** Who the till serves when Print slip is pressed. */
export interface SlipBusiness {
  readonly id: string
  readonly name: string
  readonly address: Account['address']
  /** as the service says it; may be empty or unknown to this system */
  readonly timeZone: string
  readonly training: boolean
  /** BCP 47, for numbers and dates on the slip */
  readonly locale: string
  /** what the business puts on its slips */
  readonly slip: SlipSettings
  /** where those go who are no customers yet */
  readonly getStartedLink: Account['getStartedLink']
  /** the bytes of its logo; null while there is none to be had */
  readonly logo: Uint8Array | null
}

export const scopeOf = ({ id, training }: SlipBusiness): Scope => ({ training, businessId: id })

/**
 * What the slip will show of the business, now and for good. A time zone that this system does not know is
 * replaced by the till's own here, once, so that a later change of the till's clock settings changes no slip.
 */
export const snapshotOf = ({
  name,
  address,
  timeZone,
  locale,
  slip,
  getStartedLink,
  logo
}: SlipBusiness): BusinessSnapshot => ({
  name,
  address,
  timeZone: isTimeZone(timeZone) ? timeZone : Intl.DateTimeFormat().resolvedOptions().timeZone,
  locale,
  extras: {
    headline: slip.headline,
    footer: slip.footer,
    tillName: slip.tillName,
    customerName: slip.customerName,
    joinUrl: slip.joinUs ? getStartedLink : null,
    logo: slip.logo && logo !== null ? hashOf(logo) : null
  }
})

/* from document.ts: What the paper of a journal row says. Depends on the journal and the copy's number alone: the same bytes for ever. */

type Extras = Pick<SlipDocument, 'headline' | 'footer' | 'tillName' | 'logo' | 'joinUrl'>

/** What the business put on its slips when this one was issued. */
function extrasOf({ snapshot: { extras } }: JournalRow, journal: Pick<Journal, 'logo'>): Extras {
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
  const { slip, snapshot } = row
  if (slip.code === null || slip.url === null || slip.issuedAt === null) return null
  const isNamed = snapshot.extras === null || snapshot.extras.customerName
  return {
    business: { name: snapshot.name, address: snapshot.address },
    points: slip.points,
    customerName: isNamed ? (slip.customer?.name ?? null) : null,
    code: slip.code,
    url: slip.url,
    issuedAt: slip.issuedAt,
    timeZone: snapshot.timeZone,
    locale: snapshot.locale,
    training: slip.training,
    copy,
    ...extrasOf(row, journal)
  }
}

/* from samples.ts: Sample slips for the settings: the business's own, with points and a code that nobody can collect. */

/** Name of the test page's file, and of its job. */
const TEST_PAGE = 'test page'

/** What a slip of `business` says that is issued at `now`. The URL's domain belongs to nobody (RFC 2606). */
export const sampleOf = (business: SlipBusiness, slip: SlipSettings, now: Date): SlipDocument => ({
  business: { name: business.name, address: business.address },
  points: 250,
  customerName: slip.customerName ? 'Zoë Παπαδοπούλου' : null,
  code: 'SAMPLE250',
  url: 'https://points.example/q/SAMPLE250',
  issuedAt: now.toISOString(),
  timeZone: business.timeZone,
  locale: business.locale,
  training: business.training,
  headline: slip.headline,
  footer: slip.footer,
  tillName: slip.tillName,
  logo: slip.logo ? business.logo : null,
  joinUrl: slip.joinUs ? business.getStartedLink : null
})

/** Sample slips of the business that the till serves; `not-connected` as long as it serves nobody. */
export interface Samples {
  /** One as it would print on `paper` with these settings, saved or not. */
  layOut(paper: PaperSize, slip: SlipSettings): Promise<Result<SlipPdf>>
  /** One as a file in the slips' folder: the test page of a till without a printer. `not-saved` when it cannot be written. */
  toFolder(paper: PaperSize): Promise<Result<null>>
}

/** Makes the samples. Needs no journal. */
export function createSamples(
  options: SlipServiceDependencies,
  renderSlips: PdfRenderer['renderSlips']
): Samples {
  const { currentBusiness, now, log } = options
  const folder = createFolder(options.slipsFolder, log)
  const sample = async (paper: PaperSize, slip?: SlipSettings): Promise<Result<SlipPdf>> => {
    const business = currentBusiness()
    if (business === null) return err({ kind: 'not-connected' })
    return ok(await renderSlips([sampleOf(business, slip ?? business.slip, now())], paper))
  }
  return {
    layOut: sample,
    async toFolder(paper) {
      const laidOut = await sample(paper)
      if (!laidOut.ok) return laidOut
      const kept = await folder({ ...laidOut.value, title: TEST_PAGE, trace: { title: TEST_PAGE } })
      return kept.ok ? ok(null) : kept
    }
  }
}
