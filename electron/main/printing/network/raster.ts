/** A slip's PDF as the dots of a receipt printer: drawn at 203 dpi, black or white, the printable area only. */
import { DOTS_PER_INCH, drawPages } from '../pdf-pages.ts'

const MILLIMETRES_PER_INCH = 25.4

/** Darker than this is a black dot. Edges that lie on the dot grid come out where they are. */
const THRESHOLD = 128

/** Rows come in eights: what the encoder takes. */
const ROWS = 8

/** Dots across a page's printable area, one byte each: 1 is black. */
export interface Raster {
  readonly width: number
  readonly height: number
  readonly dots: Uint8Array
}

export const dotsOf = (millimetres: number): number =>
  Math.round((millimetres / MILLIMETRES_PER_INCH) * DOTS_PER_INCH)

/** Dots that a print head has for paper of this width: 384 for 58 mm, 576 for 80 mm; null for wider paper. */
export function headDots(widthMillimetres: number): number | null {
  if (widthMillimetres <= 60) return 384
  return widthMillimetres <= 82 ? 576 : null
}

/** Keeps the printable area, which is centred on the paper, and turns greys into dots. */
function printable(grey: Uint8Array, pageWidth: number, pageHeight: number, width: number): Raster {
  const height = Math.ceil(pageHeight / ROWS) * ROWS
  const dots = new Uint8Array(width * height)
  const left = Math.round((pageWidth - width) / 2)
  for (let y = 0; y < pageHeight; y++) {
    for (let x = 0; x < width; x++) {
      const from = x + left
      const isPaper = from >= 0 && from < pageWidth
      if (isPaper && (grey[y * pageWidth + from] ?? 255) < THRESHOLD) dots[y * width + x] = 1
    }
  }
  return { width, height, dots }
}

/** Draws each page of `pdf` for a print head of `width` dots. Rejects with `UnreadablePdf`. */
export async function rasterise(pdf: Uint8Array, width: number): Promise<readonly Raster[]> {
  const pages = await drawPages(pdf)
  return pages.map((page) => printable(page.grey, page.width, page.height, width))
}

/** Rows `from` to `to` of a raster, filled up to a multiple of eight. */
export function rowsOf({ width, dots }: Raster, from: number, to: number): Raster {
  const height = Math.ceil(Math.max(0, to - from) / ROWS) * ROWS
  const rows = new Uint8Array(width * height)
  rows.set(dots.subarray(from * width, Math.max(from, to) * width))
  return { width, height, dots: rows }
}
