/** The QR code of a URL: its modules, as a path, and sized for paper. */
import { create, type QRCode } from 'qrcode'
import type { QrDrawing } from '../contract/slips.ts'

/** White modules that ISO/IEC 18004 requires on each side. */
export const QUIET_ZONE = 4
/** Dots per module: 8 looks and scans best, 6 scans well; below 4 a worn print head or a cheap camera fails. */
const BEST_MODULE_DOTS = 8
const GOOD_MODULE_DOTS = 6
export const MIN_MODULE_DOTS = 4
/** Width beyond which larger modules gain nothing: 45 mm in dots, quiet zone included. */
export const COMFORTABLE_WIDTH_DOTS = 360

/** Thrown when a code could not be scanned from the paper it is laid out for. */
export class UnscannableError extends Error {
  override readonly name: string = 'UnscannableError'
}

/** Thrown when a URL is too long for a code that could be scanned from this paper. */
export class UrlTooLongError extends UnscannableError {
  override readonly name = 'UrlTooLongError'

  constructor(url: string, reason: string) {
    super(`A URL of ${String(url.length)} characters makes no QR code that can be scanned: ${reason}`)
  }
}

/** Adjacent dark modules of one row. Counted in modules, quiet zone excluded. */
export interface QrBar {
  readonly x: number
  readonly y: number
  readonly length: number
}

/** A QR code as bars in a square of `size` modules. */
export interface QrBars {
  readonly size: number
  readonly bars: readonly QrBar[]
}

/** Encodes `url` at level M (15 % of the code may be lost). Throws `UrlTooLongError` beyond QR version 40. */
export function encodeQr(url: string): QrBars {
  let code: QRCode
  try {
    code = create(url, { errorCorrectionLevel: 'M' })
  } catch (error) {
    throw new UrlTooLongError(url, error instanceof Error ? error.message : String(error))
  }
  const { size } = code.modules
  const bars: QrBar[] = []
  for (let y = 0; y < size; y++) {
    let start: number | null = null
    for (let x = 0; x <= size; x++) {
      const dark = x < size && code.modules.get(y, x) === 1
      if (dark && start === null) start = x
      if (!dark && start !== null) {
        bars.push({ x: start, y, length: x - start })
        start = null
      }
    }
  }
  return { size, bars }
}

/**
 * Whole dots per module for a code of `size` modules on a printable width of `width` dots, quiet zone included: 8 or 7
 * while the code stays under 45 mm, else 6 where that fits, else fewer. Null when even 4 do not fit.
 */
export function moduleDots(size: number, width: number): number | null {
  const modules = size + 2 * QUIET_ZONE
  const comfortable = Math.min(
    BEST_MODULE_DOTS,
    Math.floor(Math.min(width, COMFORTABLE_WIDTH_DOTS) / modules)
  )
  if (comfortable >= GOOD_MODULE_DOTS) return comfortable
  const fitting = Math.min(GOOD_MODULE_DOTS, Math.floor(width / modules))
  return fitting < MIN_MODULE_DOTS ? null : fitting
}

/** Returns an SVG path of the dark modules. One unit is one module; the first one is at `offset`. */
export const qrPath = (bars: readonly QrBar[], offset = 0): string =>
  bars.map(({ x, y, length }) => `M${x + offset} ${y + offset}h${length}v1h-${length}z`).join('')

/** The code of `url` as an SVG path for the screen; null when the URL is too long for any QR code. */
export function drawQr(url: string): QrDrawing | null {
  try {
    const { size, bars } = encodeQr(url)
    return { size, path: qrPath(bars) }
  } catch (error) {
    if (error instanceof UrlTooLongError) return null
    throw error
  }
}
