/** Drawing what printers take and the screen shows: the work that is too long for the thread that answers the page. */
import type { CodeStyle, PaperSize } from '../../contract/printing.ts'
import { createLazy } from '../lazy.ts'
import type { PrintJob } from './print-job.ts'

/** Draws. `UnreadablePdfError` is raised by bytes that are no PDF. */
export interface Drawing {
  /**
   * A document as the commands of a receipt printer.
   * @param width dots of its print head
   */
  receipt(job: PrintJob, width: number, code: CodeStyle): Promise<Uint8Array>
  /** The first page as a grey PNG; null for a document without pages. */
  picture(pdf: Uint8Array): Promise<Uint8Array | null>
  /** A page that shows whether paper and printer fit. */
  testPage(paper: PaperSize, printedAt: Date): Promise<PrintJob>
}

/** Makes the drawing in this thread. What each call takes (PDFium, the encoder, pdfkit) is loaded for the first one. */
export function createDrawing(): Drawing {
  const receipts = createLazy(() => import('./network/receipt.ts'))
  const pictures = createLazy(() => import('./rasterizer.ts'))
  const testPages = createLazy(() => import('./test-page.ts'))
  return {
    receipt: async (job, width, code) => (await receipts.use()).drawReceipt(job, width, code),
    picture: async (pdf) => (await pictures.use()).picture(pdf),
    testPage: async (paper, printedAt) => (await testPages.use()).testPage(paper, printedAt)
  }
}
