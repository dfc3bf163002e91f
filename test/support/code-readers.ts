/** The readers of QR codes that phones and tills have most often, each of its own origin. */
import { scanGrayBuffer } from '@undecaf/zbar-wasm'
import jsQr from 'jsqr'
import { scan, type Picture } from './read-slip.ts'

export const CODE_READERS = ['zxing', 'zbar', 'jsQR'] as const
export type CodeReader = (typeof CODE_READERS)[number]

/** Reads the QR codes of a picture; jsQR finds one at most. */
const READ: Readonly<Record<CodeReader, (picture: Picture) => Promise<readonly string[]>>> = {
  zxing: scan,
  async zbar({ width, height, pixels }) {
    const found = await scanGrayBuffer(new Uint8Array(pixels).buffer, width, height)
    return found.map((symbol) => symbol.decode())
  },
  jsQR({ width, height, pixels }) {
    const data = Uint8ClampedArray.from({ length: pixels.length * 4 }, (_, index) =>
      index % 4 === 3 ? 255 : (pixels[index >> 2] ?? 255)
    )
    const found = jsQr(data, width, height)
    return Promise.resolve(found === null ? [] : [found.data])
  }
}

/** Returns the contents of the QR codes that a reader finds in a picture. */
export const readCodes = (reader: CodeReader, picture: Picture): Promise<readonly string[]> =>
  READ[reader](picture)
