/** The image of a QR code, for callers that ask the service for one. */
import QRCode from 'qrcode'
import { indexedPng } from './png.ts'

/** pixels a module */
const scale = 8
/** modules, as ISO/IEC 18004 wants around a code */
const quietZone = 4

/** A PNG of the QR code that carries `text`. Throws when the text is too long for any QR code. */
export const codePicture = (text: string): Uint8Array<ArrayBuffer> => {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'M' })
  const dark = (column: number, row: number): boolean =>
    column >= 0 && row >= 0 && column < modules.size && row < modules.size && modules.get(row, column) === 1
  return indexedPng(
    (modules.size + 2 * quietZone) * scale,
    [
      [255, 255, 255],
      [0, 0, 0]
    ],
    (x, y) => (dark(Math.floor(x / scale) - quietZone, Math.floor(y / scale) - quietZone) ? 1 : 0)
  )
}
