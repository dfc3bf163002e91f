/** Renders PDFs with PDFium at 203 dpi: for receipt printers, and for the previews of the screen. */
import { PNG } from 'pngjs'
import { POINTS_PER_DOT } from '../../contract/paper.ts'
import { createLazy } from '../lazy.ts'

/** Thrown for bytes that PDFium cannot read as a PDF. */
class UnreadablePdfError extends Error {
  override readonly name = 'UnreadablePdfError'
}

/** PNG's colour type for grayscale without transparency (PNG specification, 11.2.1). */
const PNG_GRAYSCALE = 0

/** One page at 203 dpi, one byte a dot: 0 is black. */
interface GrayscalePage {
  readonly width: number
  readonly height: number
  readonly gray: Uint8Array
}

/** Four megabytes of WebAssembly: loaded for the first page, then kept. */
const pdfium = createLazy(async () => {
  const { PDFiumLibrary } = await import('@hyzyla/pdfium')
  return PDFiumLibrary.init()
})

const dots = (points: number): number => Math.round(points / POINTS_PER_DOT)

/** Renders each page of `pdf`. Rejects with `UnreadablePdfError`. */
export async function renderPages(pdf: Uint8Array): Promise<readonly GrayscalePage[]> {
  const library = await pdfium.get()
  const document = await library.loadDocument(pdf).catch((error: unknown) => {
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
      pages.push({ width, height, gray: data })
    }
    return pages
  } finally {
    document.destroy()
  }
}

function encodePng({ width, height, gray }: GrayscalePage): Buffer {
  const png = new PNG({ width, height })
  for (const [index, shade] of gray.entries()) png.data.fill(shade, index * 4, index * 4 + 3)
  for (let index = 3; index < png.data.length; index += 4) png.data[index] = 255
  return PNG.sync.write(png, { colorType: PNG_GRAYSCALE })
}

/** The first page as a grayscale PNG; null for a PDF without pages. Rejects with `UnreadablePdfError`. */
export async function renderFirstPage(pdf: Uint8Array): Promise<Uint8Array | null> {
  const [page] = await renderPages(pdf)
  return page === undefined ? null : encodePng(page)
}
