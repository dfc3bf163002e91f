/** Handlers of `bridge.printers`: the printers of this machine, test pages and previews. */
import { mapResult, ok } from '../../contract/failure.ts'
import type { Use } from '../lazy.ts'
import type { Answers } from '../platform/ipc.ts'
import type { Printing } from '../printing/index.ts'
import type { PdfRenderer } from '../slip-pdf/slip-pdf-renderer.ts'
import type { Slips } from '../slips/slip-service.ts'

/** @param slipLocale locale of slips (BCP 47), in which the test page is printed */
export function printersAnswers(
  printing: Use<Pick<Printing, 'list' | 'print'>>,
  slips: Use<Pick<Slips, 'samples'>>,
  pdfRenderer: Pick<PdfRenderer, 'renderPreview' | 'renderTestPage'>,
  slipLocale: () => string,
  now: () => Date
): Answers['printers'] {
  return {
    list: async () => (await printing()).list(),
    async printTestPage({ destination, paper }) {
      // Without a printer, the test page is a sample slip in the folder.
      if (destination.kind === 'folder') return (await slips()).samples.toFolder(paper)
      const page = { locale: slipLocale(), printedAt: now().toISOString() }
      const job = await pdfRenderer.renderTestPage(page, paper)
      return mapResult(await (await printing()).print(job, destination), () => null)
    },
    async preview({ paper, slip }) {
      const sample = await (await slips()).samples.layOut(paper, slip)
      if (!sample.ok) return sample
      const { pdf, widthMillimetres, heightMillimetres, missing } = sample.value
      const png = await pdfRenderer.renderPreview(pdf)
      const image = png ? `data:image/png;base64,${Buffer.from(png).toString('base64')}` : ''
      return ok({ image, widthMillimetres, heightMillimetres, missing })
    }
  }
}
