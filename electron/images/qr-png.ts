/** The QR code of a URL as a picture. Apart from `qr-code.ts`, which the till loads when it starts. */
import { PNG } from 'pngjs'
import { type QrBars, QUIET_ZONE } from './qr-code.ts'

/** Pixels for each module: a receipt printer prints each as a dot, and 8 scan best. */
const MODULE_PIXELS = 8

/** Draws a code as a greyscale PNG, with its quiet zone. */
export function qrPng({ size, bars }: QrBars): Buffer {
  const width = (size + 2 * QUIET_ZONE) * MODULE_PIXELS
  const data = Buffer.alloc(width * width, 255)
  for (const { x, y, length } of bars) {
    for (let line = 0; line < MODULE_PIXELS; line++) {
      const start = ((y + QUIET_ZONE) * MODULE_PIXELS + line) * width + (x + QUIET_ZONE) * MODULE_PIXELS
      data.fill(0, start, start + length * MODULE_PIXELS)
    }
  }
  // Given a size, it would make room for four bytes a pixel, which takes as long as all the rest.
  const png = Object.assign(new PNG(), { width, height: width, data })
  return PNG.sync.write(png, { colorType: 0, inputColorType: 0, inputHasAlpha: false, filterType: 0 })
}
