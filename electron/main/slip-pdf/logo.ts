/** A business's logo as the black dots of a receipt printer. */
import { createHash } from 'node:crypto'
import { decodeLogoImage, readLogoHeader } from '../../images/logo-image.ts'
import type { Pixels } from '../../images/png.ts'

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

/** Ink of each pixel, 0 (paper) to 1 (black). */
interface InkCoverage {
  readonly width: number
  readonly height: number
  readonly values: Float32Array
}

/** Larger than any logo that a business would upload: decoding more would take noticeably long. */
const MAX_FILE_BYTES = 8_000_000

/** Less ink than this is invisible on paper. */
const MIN_VISIBLE_INK = 0.1
/** Fewer dots are a line rather than a picture. */
const MIN_SIDE_DOTS = 8

/** Null for a file that is no PNG or JPEG, contradicts itself or is damaged. */
function unlessDamaged<Value>(read: () => Value | null): Value | null {
  try {
    return read()
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
  // Decided before anything is decoded: a picture of 1 × 4,000,000 pixels takes seconds.
  const size = file.length > MAX_FILE_BYTES ? null : unlessDamaged(() => readLogoHeader(file))
  if (size === null) return null
  const scale = Math.min(maxSize.width / size.width, maxSize.height / size.height)
  const columns = Math.round(size.width * scale)
  const rows = Math.round(size.height * scale)
  if (!(columns >= MIN_SIDE_DOTS && rows >= MIN_SIDE_DOTS)) return null
  const pixels = unlessDamaged(() => decodeLogoImage(file))
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
