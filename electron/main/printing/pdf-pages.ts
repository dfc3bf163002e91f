/** The pages of a PDF as grey pictures, drawn by PDFium: for print heads, and for the screen. */
import { createLazy } from '../lazy.ts'
import { UnreadablePdf } from './unreadable-pdf.ts'

/** Dots of a receipt printer's head per inch. */
export const DOTS_PER_INCH = 203
const POINTS_PER_INCH = 72

/** One page at 203 dpi, one byte a dot: 0 is black. */
export interface GreyPage {
  readonly width: number
  readonly height: number
  readonly grey: Uint8Array
}

/** PDFium is four megabytes of WebAssembly: loaded for the first slip that needs it, then kept. */
const library = createLazy(async () => {
  const { PDFiumLibrary } = await import('@hyzyla/pdfium')
  return PDFiumLibrary.init()
})

const dots = (points: number): number => Math.round((points / POINTS_PER_INCH) * DOTS_PER_INCH)

/** Draws each page of `pdf`. Rejects with `UnreadablePdf`. */
export async function drawPages(pdf: Uint8Array): Promise<readonly GreyPage[]> {
  const pdfium = await library.use()
  const document = await pdfium.loadDocument(pdf).catch((error: unknown) => {
    throw new UnreadablePdf('PDFium cannot read the document', { cause: error })
  })
  try {
    const pages: GreyPage[] = []
    for (const page of document.pages()) {
      const { originalWidth, originalHeight } = page.getOriginalSize()
      const { data, width, height } = await page.render({
        width: dots(originalWidth),
        height: dots(originalHeight),
        colorSpace: 'Gray',
        render: 'bitmap'
      })
      pages.push({ width, height, grey: data })
    }
    return pages
  } finally {
    document.destroy()
  }
}
