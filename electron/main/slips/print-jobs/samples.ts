/** Sample slips for the settings: the business's own, with points and a code that nobody can collect. */
import { err, ok, type Result } from '../../../contract/failure.ts'
import type { PaperName } from '../../../contract/printing.ts'
import type { SlipSettings } from '../../../contract/slip-settings.ts'
import type { SlipBusiness } from '../business.ts'
import { createFolder } from '../delivery/folder.ts'
import type { SlipDocument } from '../../slip-pdf/document.ts'
import type { SlipPdf } from '../../slip-pdf/layout.ts'
import type { SlipsOptions } from '../options.ts'
import type { LayOut } from './lay-out.ts'

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
  layOut(paper: PaperName, slip: SlipSettings): Promise<Result<SlipPdf>>
  /** One as a file in the slips' folder: the test page of a till without a printer. `not-saved` when it cannot be written. */
  toFolder(paper: PaperName): Promise<Result<null>>
}

/** Makes the samples. Needs no journal. */
export function createSamples(options: SlipsOptions, layOut: LayOut): Samples {
  const { currentBusiness, now, log } = options
  const folder = createFolder(options.slipsFolder, log)
  const sample = async (paper: PaperName, slip?: SlipSettings): Promise<Result<SlipPdf>> => {
    const business = currentBusiness()
    if (business === null) return err({ kind: 'not-connected' })
    return ok(await layOut([sampleOf(business, slip ?? business.slip, now())], paper))
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
