/** The pages of a PDF as grey pictures, drawn by PDFium: for print heads, and for the screen. */
import { PNG } from 'pngjs'
import { createLazy } from '../lazy.ts'
import { UnreadablePdfError } from './print-job.ts'

/** Dots of a receipt printer's head per inch. */
export const DOTS_PER_INCH = 203
const POINTS_PER_INCH = 72

/** One page at 203 dpi, one byte a dot: 0 is black. */
interface GrayscalePage {
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

/** Draws each page of `pdf`. Rejects with `UnreadablePdfError`. */
export async function drawPages(pdf: Uint8Array): Promise<readonly GrayscalePage[]> {
  const pdfium = await library.use()
  const document = await pdfium.loadDocument(pdf).catch((error: unknown) => {
    throw new UnreadablePdfError('PDFium cannot read the document', { cause: error })
  })
  try {
    const pages: GrayscalePage[] = []
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

/* from picture.ts: A document as the screen shows it. */

/** The first page as a grey PNG; null for a document without pages. Rejects with `UnreadablePdfError`. */
export async function picture(pdf: Uint8Array): Promise<Uint8Array | null> {
  const [page] = await drawPages(pdf)
  return page === undefined ? null : grayscalePng(page)
}

/* from grey-png.ts: A grey picture as a PNG, for the page to show. */

/** PNG's colour type for grey without transparency (PNG specification, 11.2.1). */
const GREY = 0

/** @returns the PNG's bytes; `grey` is one byte a pixel, 0 is black */
function grayscalePng({
  width,
  height,
  grey
}: {
  readonly width: number
  readonly height: number
  readonly grey: Uint8Array
}): Buffer {
  const picture = new PNG({ width, height })
  for (const [index, shade] of grey.entries()) picture.data.fill(shade, index * 4, index * 4 + 3)
  for (let index = 3; index < picture.data.length; index += 4) picture.data[index] = 255
  return PNG.sync.write(picture, { colorType: GREY })
}
