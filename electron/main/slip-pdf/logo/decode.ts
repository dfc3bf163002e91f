/** Reads a logo's file. */
import jpeg from 'jpeg-js'
import { PNG } from 'pngjs'

/** A picture as its file has it: four bytes a pixel, red, green, blue and how opaque. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** Larger than any logo that a business would upload: decoding more would hold the till up. */
const MOST_BYTES = 8_000_000
const MOST_PIXELS = 16_000_000

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
/** Where a PNG says how wide and how high it is (PNG specification, 11.2.2). */
const PNG_WIDTH_AT = 16
const PNG_HEIGHT_AT = 20

function decodePng(bytes: Buffer): Pixels {
  // Asked before decoding: a small file can claim to be a picture of any size.
  const pixels = bytes.readUInt32BE(PNG_WIDTH_AT) * bytes.readUInt32BE(PNG_HEIGHT_AT)
  if (pixels > MOST_PIXELS) throw new Error('The picture is too large')
  return PNG.sync.read(bytes)
}

const decodeJpeg = (bytes: Buffer): Pixels =>
  jpeg.decode(bytes, {
    useTArray: true,
    maxResolutionInMP: MOST_PIXELS / 1_000_000,
    maxMemoryUsageInMB: 256
  })

/** The picture in a PNG or JPEG file; null for anything else, and for one that is broken or too large. */
export function decodeLogo(file: Uint8Array): Pixels | null {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  if (bytes.length > MOST_BYTES) return null
  const isPng = bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)
  const isJpeg = bytes[0] === 0xff && bytes[1] === 0xd8
  if (!isPng && !isJpeg) return null
  try {
    const pixels = isPng ? decodePng(bytes) : decodeJpeg(bytes)
    return pixels.width > 0 && pixels.height > 0 ? pixels : null
  } catch {
    return null
  }
}
