/** Handlers of `bridge.printers`. */
import type { Handlers } from '../../contract/bridge.ts'
import { ok } from '../../contract/failure.ts'
import type { FoundPrinters } from '../../contract/printing.ts'
import type { Lazy } from '../lazy.ts'
import type { PrinterDiscovery } from '../printer-discovery/printer-discovery.ts'
import type { Printing } from '../printing/index.ts'
import type { PdfRenderer } from '../slip-pdf/slip-pdf-renderer.ts'
import type { SampleSlips } from '../slips/sample-slips.ts'
import type { TestPages } from '../slips/test-pages.ts'

interface PrintersHandlersDependencies {
  readonly printing: Pick<Printing, 'list'>
  readonly discovery: Pick<Lazy<Pick<PrinterDiscovery, 'start' | 'stop'>>, 'get' | 'opened'>
  readonly sendFoundPrinters: (found: FoundPrinters) => void
  readonly samples: Pick<Lazy<SampleSlips>, 'get'>
  readonly pdfRenderer: Pick<PdfRenderer, 'renderPreview'>
  readonly testPages: Pick<TestPages, 'print'>
}

/** Returns the handlers of `bridge.printers`: the print queues, the search for printers, the test page, and the preview of a slip. */
export const createPrintersHandlers = ({
  printing,
  discovery,
  sendFoundPrinters,
  samples,
  pdfRenderer,
  testPages
}: PrintersHandlersDependencies): Handlers<'printers'> => ({
  list: () => printing.list(),
  printTestPage: (print) => testPages.print(print),
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
