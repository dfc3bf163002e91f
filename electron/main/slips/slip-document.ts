/** What a slip shows: the snapshot of the business in its row, the document to lay out, and sample slips. */
import type { AffordableRewards } from '../../contract/affordable-rewards.ts'
import { err, ok, type Result } from '../../contract/failure.ts'
import type { Account } from '../../contract/loyalty.ts'
import type { PaperSize } from '../../contract/paper.ts'
import type { PrinterSettings } from '../../contract/printing.ts'
import type { SlipSettings } from '../../contract/settings.ts'
import { isTimeZone } from '../../contract/slip-numbers-and-dates.ts'
import { printTarget } from '../printing/print-job.ts'
import type { SlipDocument } from '../slip-pdf/slip-document.ts'
import type { PdfRenderer, RenderedSlips } from '../slip-pdf/slip-pdf-renderer.ts'
import { pointsText, slipWords } from '../slip-pdf/words.ts'
import { logoHash, type LogoTable } from './journal/journal.ts'
import type { BusinessSnapshot, JournalRow, Scope } from './journal/rows.ts'
import type { SlipFolder } from './slip-folder.ts'

/** The business that the till serves, with its settings for slips. */
export interface SlipBusiness {
  readonly id: string
  readonly name: string
  readonly address: Account['address']
  /** as the service returns it; may be empty or unknown to this system */
  readonly timeZone: string
  readonly training: boolean
  /** BCP 47, for numbers and dates on the slip */
  readonly locale: string
  readonly slip: SlipSettings
  /** where new customers join */
  readonly getStartedLink: Account['getStartedLink']
  /** the bytes of its logo; null: none, or not loaded yet */
  readonly logo: Uint8Array | null
}

export const scopeOf = ({ id, training }: SlipBusiness): Scope => ({ training, businessId: id })

/**
 * Returns what a slip issued now shows of the business, and of what the customer's balance buys. A time zone that this system does not know is replaced by its
 * own, once: a later change of the system's time zone changes no slip.
 */
export const snapshotOf = (
  business: SlipBusiness,
  affordable: AffordableRewards | null = null
): BusinessSnapshot => {
  const { name, address, timeZone, locale, slip, getStartedLink, logo } = business
  return {
    name,
    address,
    timeZone: isTimeZone(timeZone) ? timeZone : Intl.DateTimeFormat().resolvedOptions().timeZone,
    locale,
    headline: slip.headline,
    footer: slip.footer,
    tillName: slip.tillName,
    customerName: slip.customerName,
    affordable: slip.rewards ? affordable : null,
    joinUrl: slip.joinUs ? getStartedLink : null,
    logo: slip.logo && logo !== null ? logoHash(logo) : null
  }
}

/**
 * Returns the document of a row, or null while it has no code. It depends on the journal and `copy` alone: the same
 * row gives the same bytes at any time.
 *
 * @param copy 0: the first printout, without a mark; from 1 on: marked COPY with this number
 */
export function documentOf(
  { slip, snapshot }: JournalRow,
  copy: number,
  logos: Pick<LogoTable, 'get'>
): SlipDocument | null {
  if (slip.code === null || slip.url === null || slip.issuedAt === null) return null
  const { name, address, timeZone, locale, headline, footer, tillName, affordable, joinUrl, logo } = snapshot
  return {
    business: { name, address },
    points: slip.points,
    customerName: snapshot.customerName ? (slip.customer?.name ?? null) : null,
    code: slip.code,
    url: slip.url,
    issuedAt: slip.issuedAt,
    timeZone,
    locale,
    training: slip.training,
    copy,
    headline,
    footer,
    tillName,
    affordable,
    joinUrl,
    logo: logo === null ? null : logos.get(logo)
  }
}

/**
 * Returns the lines with which a program prints a slip on its own receipt, before or after the QR code; null while there is
 * no code. In training mode the first and the last line say so, as on the till's own slips.
 */
export function receiptText({ slip, snapshot }: Pick<JournalRow, 'slip' | 'snapshot'>): string | null {
  if (slip.code === null || slip.url === null) return null
  const words = slipWords(snapshot)
  const mark = slip.training ? [words.training()] : []
  return [
    ...mark,
    snapshot.headline.trim() === '' ? words.headline() : snapshot.headline,
    pointsText({ points: slip.points, locale: snapshot.locale }),
    words.instruction(),
    slip.url,
    words.codeLabel(),
    slip.code,
    ...(snapshot.footer.trim() === '' ? [] : [snapshot.footer]),
    ...mark
  ].join('\n')
}

/** File name of the test page. */
const TEST_PAGE = 'test page'

const SAMPLE_REWARDS: AffordableRewards = {
  best: 'Cappuccino',
  others: 3,
  next: { name: 'Tiramisù', missing: 40 }
}

/** A sample that cannot be collected; its URL is in a reserved domain (RFC 2606). */
const sampleOf = (business: SlipBusiness, slip: SlipSettings, now: Date): SlipDocument => ({
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
  affordable: slip.rewards ? SAMPLE_REWARDS : null,
  logo: slip.logo ? business.logo : null,
  joinUrl: slip.joinUs ? business.getStartedLink : null
})

export interface SampleSlipsDependencies {
  readonly pdfRenderer: Pick<PdfRenderer, 'renderSlips'>
  readonly folder: SlipFolder
  readonly currentBusiness: () => SlipBusiness | null
  /** the chosen printer: the sample is laid out for its print head */
  readonly printer: () => PrinterSettings
  readonly now: () => Date
}

/** Sample slips of the current business, for the preview and the test page; `not-connected` without a business. */
export class SampleSlips {
  readonly #dependencies: SampleSlipsDependencies

  constructor(dependencies: SampleSlipsDependencies) {
    this.#dependencies = dependencies
  }

  /** Renders a sample for a paper size with these settings, saved or not. Rejects when the fonts cannot be read. */
  async layOut(paper: PaperSize, slip?: SlipSettings): Promise<Result<RenderedSlips>> {
    const { pdfRenderer, currentBusiness, printer, now } = this.#dependencies
    const business = currentBusiness()
    if (business === null) return err({ kind: 'not-connected' })
    const sample = sampleOf(business, slip ?? business.slip, now())
    const target = printTarget({ ...printer(), paperSize: paper })
    return ok(await pdfRenderer.renderSlips([sample], { ...target, receipt: null, isHeadPdfNeeded: false }))
  }

  /** Saves a sample to the folder: the test page of a till without a printer. `not-saved` when the disk fails. */
  async saveToFolder(paper: PaperSize): Promise<Result<null>> {
    const sample = await this.layOut(paper)
    if (!sample.ok) return sample
    const saved = await this.#dependencies.folder.save({
      fileName: TEST_PAGE,
      pdf: sample.value.pdf,
      trace: { title: TEST_PAGE }
    })
    return saved.ok ? ok(null) : saved
  }
}
