/** A business's logo as the black dots of a receipt printer. */
import jpeg from 'jpeg-js'
import { createHash } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { PNG } from 'pngjs'
import { readImageHeader } from '../image-size.ts'

/** A black and white picture. */
export interface Bitmap {
  readonly width: number
  readonly height: number
  /** row by row, one byte a dot: 1 is black */
  readonly dots: Uint8Array
}

/** Maximum size of a logo, in dots; or its size, in pixels. */
interface LogoSize {
  readonly width: number
  readonly height: number
}

/**
 * The logo in `file`, as large as `maxSize` allows and in its own proportions. Null when the file is no PNG or JPEG, is
 * broken, or shows nothing.
 */
export type ReadLogo = (file: Uint8Array, maxSize: LogoSize) => Bitmap | null

/** Four bytes a pixel: red, green, blue, alpha. */
interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** Ink of each pixel, 0 (paper) to 1 (black). */
interface InkCoverage {
  readonly width: number
  readonly height: number
  readonly values: Float32Array
}

/** Larger than any logo that a business would upload: decoding more would take noticeably long. */
const MAX_FILE_BYTES = 8_000_000
const MAX_PIXELS = 4_000_000
/** A scan of a JPEG can be a few bytes that take as long as all pixels. A progressive one of 2 megapixels has ten. */
const MAX_SCANNED_PIXELS = 20_000_000

const PNG_SIGNATURE_BYTES = 8
/** A PNG chunk: length, type, content, CRC (PNG specification, 5.3). */
const PNG_CHUNK_OVERHEAD = 12
/** Four channels of 16 bits. */
const MAX_PNG_BYTES_PER_PIXEL = 8
const SCAN_MARKER = Buffer.from('ffda', 'hex')

/** Less ink than this is invisible on paper. */
const MIN_VISIBLE_INK = 0.1
/** Fewer dots are a line rather than a picture. */
const MIN_SIDE_DOTS = 8

/**
 * Throws if a PNG would decode to more than its header says. pngjs does not check it: a small file can declare another
 * size in a second header, and inflate to any number of bytes.
 */
function checkPngSize(bytes: Buffer, { width, height }: LogoSize): void {
  let headers = 0
  const data: Buffer[] = []
  for (let offset = PNG_SIGNATURE_BYTES; offset + PNG_CHUNK_OVERHEAD <= bytes.length;) {
    const length = bytes.readUInt32BE(offset)
    const type = bytes.toString('latin1', offset + 4, offset + 8)
    if (type === 'IHDR') headers++
    else if (type === 'IDAT') data.push(bytes.subarray(offset + 8, offset + 8 + length))
    offset += length + PNG_CHUNK_OVERHEAD
  }
  if (headers > 1) throw new Error('The picture has several headers')
  // Each row has a filter byte and padding; interlaced, the rows of seven passes are at most twice as many.
  const maxOutputLength = width * height * MAX_PNG_BYTES_PER_PIXEL + 4 * height + 64
  inflateSync(Buffer.concat(data), { maxOutputLength })
}

function decodePng(bytes: Buffer, size: LogoSize): Pixels {
  checkPngSize(bytes, size)
  return PNG.sync.read(bytes)
}

/** Number of places that may start a scan (ITU-T T.81, B.2.3). */
function countScans(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(SCAN_MARKER); at >= 0; at = bytes.indexOf(SCAN_MARKER, at + 2)) count++
  return count
}

function decodeJpeg(bytes: Buffer, { width, height }: LogoSize): Pixels {
  if (countScans(bytes) * width * height > MAX_SCANNED_PIXELS)
    throw new Error('The picture has too many scans')
  return jpeg.decode(bytes, {
    useTArray: true,
    maxResolutionInMP: MAX_PIXELS / 1_000_000,
    maxMemoryUsageInMB: 256
  })
}

/** Null for a PNG or JPEG that is broken, or has another size than its header says. */
function decode(bytes: Buffer, type: string, size: LogoSize): Pixels | null {
  try {
    const pixels = type === 'image/png' ? decodePng(bytes, size) : decodeJpeg(bytes, size)
    return pixels.width === size.width && pixels.height === size.height ? pixels : null
  } catch {
    return null
  }
}

/** Relative luminance of a colour (ITU-R BT.709), 0 to 1. */
const luminance = (red: number, green: number, blue: number): number =>
  (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255

/**
 * The picture on white paper, by luminance. A picture that would be invisible there, such as a white logo made for a
 * dark page, is printed as its silhouette: black where it is opaque.
 */
function inkCoverage({ width, height, data }: Pixels): InkCoverage {
  const byLuminance = new Float32Array(width * height)
  const byOpacity = new Float32Array(width * height)
  let maxInk = 0
  let minOpacity = 1
  for (let index = 0; index < byLuminance.length; index++) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(index * 4, index * 4 + 4)
    const opacity = alpha / 255
    const ink = (1 - luminance(red, green, blue)) * opacity
    byLuminance[index] = ink
    byOpacity[index] = opacity
    maxInk = Math.max(maxInk, ink)
    minOpacity = Math.min(minOpacity, opacity)
  }
  const isVisible = maxInk > MIN_VISIBLE_INK || minOpacity > MIN_VISIBLE_INK
  return { width, height, values: isVisible ? byLuminance : byOpacity }
}

/** The source pixels that destination pixel `index` covers: at least one. */
function sourceRange(
  index: number,
  destinationSize: number,
  sourceSize: number
): [first: number, end: number] {
  const first = Math.min(sourceSize - 1, Math.floor((index * sourceSize) / destinationSize))
  return [first, Math.max(first + 1, Math.floor(((index + 1) * sourceSize) / destinationSize))]
}

/** Resizes by area averaging. */
function resize({ width, height, values }: InkCoverage, columns: number, rows: number): InkCoverage {
  const resized = new Float32Array(columns * rows)
  for (let y = 0; y < rows; y++) {
    const [top, bottom] = sourceRange(y, rows, height)
    for (let x = 0; x < columns; x++) {
      const [left, right] = sourceRange(x, columns, width)
      let sum = 0
      for (let sourceY = top; sourceY < bottom; sourceY++) {
        for (let sourceX = left; sourceX < right; sourceX++) sum += values[sourceY * width + sourceX] ?? 0
      }
      resized[y * columns + x] = sum / ((bottom - top) * (right - left))
    }
  }
  return { width: columns, height: rows, values: resized }
}

/** Neighbours that receive an eighth of the error each in Atkinson dithering: a quarter is dropped. */
const ATKINSON_NEIGHBOURS = [
  [1, 0],
  [2, 0],
  [-1, 1],
  [0, 1],
  [1, 1],
  [0, 2]
] as const

/** Atkinson dithering: dropping a quarter of each error keeps white areas white and black areas black. */
function dither({ width, height, values }: InkCoverage): Bitmap {
  const remaining = Float32Array.from(values)
  const dots = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const index = y * width + x
      const ink = remaining[index] ?? 0
      const dot = ink >= 0.5 ? 1 : 0
      dots[index] = dot
      for (const [right, down] of ATKINSON_NEIGHBOURS) {
        if (x + right < 0 || x + right >= width || y + down >= height) continue
        const neighbour = index + down * width + right
        remaining[neighbour] = (remaining[neighbour] ?? 0) + (ink - dot) / 8
      }
    }
  }
  return { width, height, dots }
}

const readLogo: ReadLogo = (file, maxSize) => {
  const size = readImageHeader(file)
  if (size?.type !== 'image/png' && size?.type !== 'image/jpeg') return null
  // Decided before anything is decoded: a picture of 1 × 4,000,000 pixels takes seconds.
  if (file.length > MAX_FILE_BYTES || size.width * size.height > MAX_PIXELS) return null
  const scale = Math.min(maxSize.width / size.width, maxSize.height / size.height)
  const columns = Math.round(size.width * scale)
  const rows = Math.round(size.height * scale)
  if (!(columns >= MIN_SIDE_DOTS && rows >= MIN_SIDE_DOTS)) return null
  const pixels = decode(Buffer.from(file.buffer, file.byteOffset, file.byteLength), size.type, size)
  if (pixels === null) return null
  const bitmap = dither(resize(inkCoverage(pixels), columns, rows))
  return bitmap.dots.includes(1) ? bitmap : null
}

/** Returns a `ReadLogo` that caches the last logo: a till prints the same one all day. */
export function createLogoReader(): ReadLogo {
  let last: { readonly key: string; readonly bitmap: Bitmap | null } | null = null
  return (file, maxSize) => {
    const hash = createHash('sha256').update(file).digest('hex')
    const key = `${hash} ${String(maxSize.width)} ${String(maxSize.height)}`
    if (last?.key !== key) last = { key, bitmap: readLogo(file, maxSize) }
    return last.bitmap
  }
}
