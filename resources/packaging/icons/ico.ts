/** Windows icons (.ico): one file with a picture for each size. */
import { PNG } from 'pngjs'

const HEADER = 6
const ENTRY = 16
const BITMAP_HEADER = 40

/**
 * A picture as a device-independent bitmap with alpha, bottom row first, behind it the one-bit mask that the format
 * asks for (empty: the alpha channel counts).
 */
const bitmap = (png: Uint8Array): Buffer => {
  const { width, height, data } = PNG.sync.read(Buffer.from(png))
  const maskRow = Math.ceil(width / 32) * 4
  const bytes = Buffer.alloc(BITMAP_HEADER + width * height * 4 + maskRow * height)
  bytes.writeUInt32LE(BITMAP_HEADER, 0)
  bytes.writeInt32LE(width, 4)
  // Twice the height: picture and mask.
  bytes.writeInt32LE(height * 2, 8)
  bytes.writeUInt16LE(1, 12)
  bytes.writeUInt16LE(32, 14)
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const from = ((height - 1 - row) * width + column) * 4
      const to = BITMAP_HEADER + (row * width + column) * 4
      const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(from, from + 4)
      bytes.set([blue, green, red, alpha], to)
    }
  }
  return bytes
}

/**
 * Packs square PNGs into one icon.
 * @param pngs by their size in pixels, 1 to 256. Smaller ones become bitmaps, which every reader of icons takes;
 *   256 stays a PNG, as Windows itself keeps it
 */
export function icoOf(pngs: ReadonlyMap<number, Uint8Array>): Uint8Array {
  const header = Buffer.alloc(HEADER + ENTRY * pngs.size)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(pngs.size, 4)
  const pictures: Uint8Array[] = []
  let offset = header.length
  for (const [index, [size, png]] of [...pngs].entries()) {
    const picture = size === 256 ? png : bitmap(png)
    const entry = HEADER + ENTRY * index
    // One byte each for width and height, in which 256 is written as 0.
    header.writeUInt8(size % 256, entry)
    header.writeUInt8(size % 256, entry + 1)
    header.writeUInt16LE(1, entry + 4)
    header.writeUInt16LE(32, entry + 6)
    header.writeUInt32LE(picture.length, entry + 8)
    header.writeUInt32LE(offset, entry + 12)
    pictures.push(picture)
    offset += picture.length
  }
  return Buffer.concat([header, ...pictures])
}
