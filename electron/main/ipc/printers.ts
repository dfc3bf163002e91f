/** Handlers of `bridge.printers`. */
import type { Handlers } from '../../contract/bridge.ts'
import { mapResult, ok } from '../../contract/failure.ts'
import type { FoundPrinters } from '../../contract/printing.ts'
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

/** Returns the handlers of `bridge.printers`: the print queues, the search for printers, the test page, and the preview of a slip. */
export const createPrintersHandlers = ({
  printing,
  discovery,
  sendFoundPrinters,
  samples,
  pdfRenderer,
  business,
  now
}: PrintersHandlersDependencies): Handlers<'printers'> => ({
  list: () => printing.list(),
  async printTestPage(printer) {
    const { destination, paperSize } = printer
    if (destination.kind === 'folder') return (await samples.get()).saveToFolder(paperSize)
    const page = { locale: business.slipLocale(), printedAt: now().toISOString() }
    const job = await pdfRenderer.renderTestPage(page, printTarget(printer))
    return mapResult(await printing.print(job, destination), () => null)
  },
  async startFinding() {
    await (await discovery.get()).start(sendFoundPrinters)
    return ok(null)
  },
  stopFinding() {
    discovery.opened?.stop()
    return ok(null)
  },
  async preview({ paperSize, slip }) {
    const sample = await (await samples.get()).layOut(paperSize, slip)
    if (!sample.ok) return sample
    const { pdf, widthMillimetres, heightMillimetres, missing } = sample.value
    const png = await pdfRenderer.renderPreview(pdf)
    const image = png ? `data:image/png;base64,${Buffer.from(png).toString('base64')}` : ''
    return ok({ image, widthMillimetres, heightMillimetres, missing })
  }
})
