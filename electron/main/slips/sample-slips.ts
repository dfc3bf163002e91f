/** Sample slips, for the preview in the settings and the test page of a till without a printer. */
import type { AffordableRewards } from '../../contract/affordable-rewards.ts'
import { err, ok, type Result } from '../../contract/failure.ts'
import type { PaperSize } from '../../contract/paper.ts'
import type { SlipSettings } from '../../contract/settings.ts'
import { printTarget } from '../printing/print-job.ts'
import type { Settings } from '../settings/index.ts'
import type { SlipDocument } from '../slip-pdf/slip-document.ts'
import type { PdfRenderer, RenderedSlips } from '../slip-pdf/slip-pdf-renderer.ts'
import type { CurrentBusiness, SlipBusiness } from '../session/current-business.ts'
import type { SlipFolder } from '../printing/slip-folder.ts'

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
  expiry: business.expiry,
  logo: slip.logo ? business.logo : null,
  joinUrl: slip.joinUs ? business.getStartedLink : null
})

export interface SampleSlipsDependencies {
  readonly pdfRenderer: Pick<PdfRenderer, 'renderSlips'>
  readonly folder: Pick<SlipFolder, 'save'>
  readonly business: Pick<CurrentBusiness, 'current'>
  /** the sample is laid out for the print head of the chosen printer */
  readonly settings: Pick<Settings, 'values'>
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
    const { pdfRenderer, settings, now } = this.#dependencies
    const business = this.#dependencies.business.current()
    if (business === null) return err({ kind: 'not-connected' })
    const sample = sampleOf(business, slip ?? business.slip, now())
    const target = printTarget({ ...settings.values.printer, paperSize: paper })
    return ok(await pdfRenderer.renderSlips([sample], { ...target, receipt: null }))
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
