/** Handlers of `bridge.printers`: the print queues, the test page, and the preview of a slip. */
import type { PrintersApi } from '../../contract/bridge.ts'
import { mapResult, ok, type Result } from '../../contract/failure.ts'
import type { Printer, PrinterSettings } from '../../contract/printing.ts'
import type { SlipPreviewImage, SlipPreviewInput } from '../../contract/settings.ts'
import type { Printing } from '../printing/index.ts'
import type { PdfRenderer } from '../slip-pdf/slip-pdf-renderer.ts'
import type { SlipService } from '../slips/slip-service.ts'

export interface PrintersHandlersDependencies {
  readonly printing: () => Promise<Pick<Printing, 'list' | 'print'>>
  readonly slips: () => Promise<Pick<SlipService, 'samples'>>
  readonly pdfRenderer: Pick<PdfRenderer, 'renderPreview' | 'renderTestPage'>
  /** locale of the test page, BCP 47 */
  readonly slipLocale: () => string
  readonly now: () => Date
}

export class PrintersHandlers implements PrintersApi {
  readonly #dependencies: PrintersHandlersDependencies

  constructor(dependencies: PrintersHandlersDependencies) {
    this.#dependencies = dependencies
  }

  async list(): Promise<Result<readonly Printer[]>> {
    const printing = await this.#dependencies.printing()
    return printing.list()
  }

  async printTestPage({ destination, paper }: PrinterSettings): Promise<Result<null>> {
    const { slips, printing, pdfRenderer, slipLocale, now } = this.#dependencies
    if (destination.kind === 'folder') {
      const { samples } = await slips()
      return samples.saveToFolder(paper)
    }
    const page = { locale: slipLocale(), printedAt: now().toISOString() }
    const job = await pdfRenderer.renderTestPage(page, paper)
    const printers = await printing()
    return mapResult(await printers.print(job, destination), () => null)
  }

  async preview({ paper, slip }: SlipPreviewInput): Promise<Result<SlipPreviewImage>> {
    const { samples } = await this.#dependencies.slips()
    const sample = await samples.layOut(paper, slip)
    if (!sample.ok) return sample
    const { pdf, widthMillimetres, heightMillimetres, missing } = sample.value
    const png = await this.#dependencies.pdfRenderer.renderPreview(pdf)
    const image = png ? `data:image/png;base64,${Buffer.from(png).toString('base64')}` : ''
    return ok({ image, widthMillimetres, heightMillimetres, missing })
  }
}
