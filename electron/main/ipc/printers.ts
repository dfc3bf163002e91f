/** Handlers of `bridge.printers`. */
import type { Api } from '../../contract/bridge.ts'
import { mapResult, ok, type Result } from '../../contract/failure.ts'
import type { FoundPrinters, Printer, PrinterSettings } from '../../contract/printing.ts'
import type { SlipPreviewImage, SlipPreviewInput } from '../../contract/settings.ts'
import type { Lazy } from '../lazy.ts'
import type { PrinterDiscovery } from '../printer-discovery/printer-discovery.ts'
import type { Printing } from '../printing/index.ts'
import { printTarget } from '../printing/print-job.ts'
import type { PdfRenderer } from '../slip-pdf/slip-pdf-renderer.ts'
import type { SampleSlips } from '../slips/sample-slips.ts'
import type { CurrentBusiness } from '../session/current-business.ts'

interface PrintersHandlersDependencies {
  readonly printing: Pick<Printing, 'list' | 'print'>
  readonly discovery: Pick<Lazy<Pick<PrinterDiscovery, 'start' | 'stop'>>, 'get' | 'opened'>
  readonly sendFoundPrinters: (found: FoundPrinters) => void
  readonly samples: Pick<Lazy<SampleSlips>, 'get'>
  readonly pdfRenderer: Pick<PdfRenderer, 'renderPreview' | 'renderTestPage'>
  /** has the locale of the test page */
  readonly business: Pick<CurrentBusiness, 'slipLocale'>
  readonly now: () => Date
}

/** The print queues, the search for printers, the test page, and the preview of a slip. */
export class PrintersHandlers implements Api<'printers'> {
  readonly #dependencies: PrintersHandlersDependencies

  constructor(dependencies: PrintersHandlersDependencies) {
    this.#dependencies = dependencies
  }

  list(): Promise<Result<readonly Printer[]>> {
    return this.#dependencies.printing.list()
  }

  async printTestPage(printer: PrinterSettings): Promise<Result<null>> {
    const { destination, paperSize } = printer
    const { samples, printing, pdfRenderer, business, now } = this.#dependencies
    if (destination.kind === 'folder') {
      return (await samples.get()).saveToFolder(paperSize)
    }
    const page = { locale: business.slipLocale(), printedAt: now().toISOString() }
    const job = await pdfRenderer.renderTestPage(page, printTarget(printer))
    return mapResult(await printing.print(job, destination), () => null)
  }

  async startFinding(): Promise<Result<null>> {
    const { discovery, sendFoundPrinters } = this.#dependencies
    await (await discovery.get()).start(sendFoundPrinters)
    return ok(null)
  }

  stopFinding(): Promise<Result<null>> {
    this.#dependencies.discovery.opened?.stop()
    return Promise.resolve(ok(null))
  }

  async preview({ paperSize, slip }: SlipPreviewInput): Promise<Result<SlipPreviewImage>> {
    const samples = await this.#dependencies.samples.get()
    const sample = await samples.layOut(paperSize, slip)
    if (!sample.ok) return sample
    const { pdf, widthMillimetres, heightMillimetres, missing } = sample.value
    const png = await this.#dependencies.pdfRenderer.renderPreview(pdf)
    const image = png ? `data:image/png;base64,${Buffer.from(png).toString('base64')}` : ''
    return ok({ image, widthMillimetres, heightMillimetres, missing })
  }
}
