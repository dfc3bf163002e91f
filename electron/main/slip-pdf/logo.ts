/** A business's logo, ready for paper. */
import jpeg from 'jpeg-js'
import { createHash } from 'node:crypto'
import { PNG } from 'pngjs'

/** Room that a logo may take, in dots. */
interface LogoRoom {
  readonly width: number
  readonly height: number
}

/**
 * The logo in `file` as dots, as large as `room` allows and in its own proportions. Null when the file is no PNG or
 * JPEG, is broken, or shows nothing.
 */
export type LogoOf = (file: Uint8Array, room: LogoRoom) => Bitmap | null

function toBitmap(file: Uint8Array, room: LogoRoom): Bitmap | null {
  const pixels = decodeLogo(file)
  if (pixels === null) return null
  const scale = Math.min(room.width / pixels.width, room.height / pixels.height)
  const columns = Math.round(pixels.width * scale)
  const rows = Math.round(pixels.height * scale)
  // a line rather than a picture
  if (columns < 8 || rows < 8) return null
  const bitmap = dither(scaleTo(inkCoverageOf(pixels), columns, rows))
  return bitmap.dots.includes(1) ? bitmap : null
}

/** Remembers the last logo: a till prints the same one all day. */
export function createLogos(): LogoOf {
  let last: { readonly key: string; readonly bitmap: Bitmap | null } | null = null
  return (file, room) => {
    const hash = createHash('sha256').update(file).digest('hex')
    const key = `${hash} ${String(room.width)} ${String(room.height)}`
    if (last?.key !== key) last = { key, bitmap: toBitmap(file, room) }
    return last.bitmap
  }
}

/* from decode.ts: Reads a logo's file. */

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
function decodeLogo(file: Uint8Array): Pixels | null {
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

/* from darkness.ts: A colour picture as darkness: 0 is paper, 1 is ink. */

interface Darkness {
  readonly width: number
  readonly height: number
  readonly values: Float32Array
}

/** Below this nothing would be seen on paper. */
const FAINT = 0.1

/**
 * The picture on white paper, by how bright its colours look (ITU-R BT.709). A picture that would not be seen there,
 * such as a white logo made for a dark page, is printed by its shape instead: black where it is opaque.
 */
function inkCoverageOf({ width, height, data }: Pixels): Darkness {
  const onPaper = new Float32Array(width * height)
  const shape = new Float32Array(width * height)
  let darkest = 0
  let clearest = 1
  for (let index = 0; index < onPaper.length; index++) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(index * 4, index * 4 + 4)
    const opaque = alpha / 255
    const dark = (1 - (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255) * opaque
    onPaper[index] = dark
    shape[index] = opaque
    darkest = Math.max(darkest, dark)
    clearest = Math.min(clearest, opaque)
  }
  const seen = darkest > FAINT || clearest > FAINT
  return { width, height, values: seen ? onPaper : shape }
}

/** Shrinks or grows a picture to whole dots: each is the mean of the area that it covers. */
function scaleTo({ width, height, values }: Darkness, columns: number, rows: number): Darkness {
  const scaled = new Float32Array(columns * rows)
  for (let y = 0; y < rows; y++) {
    const [top, bottom] = covered(y, rows, height)
    for (let x = 0; x < columns; x++) {
      const [left, right] = covered(x, columns, width)
      let sum = 0
      for (let fromY = top; fromY < bottom; fromY++) {
        for (let fromX = left; fromX < right; fromX++) sum += values[fromY * width + fromX] ?? 0
      }
      scaled[y * columns + x] = sum / ((bottom - top) * (right - left))
    }
  }
  return { width: columns, height: rows, values: scaled }
}

/** The pixels of `from` that one of `to` dots covers: at least one. */
function covered(index: number, to: number, from: number): [first: number, end: number] {
  const first = Math.min(from - 1, Math.floor((index * from) / to))
  return [first, Math.max(first + 1, Math.floor(((index + 1) * from) / to))]
}

/* from dither.ts: Greys as a pattern of dots. */

/** Where Atkinson's dithering hands on what a dot is off by: an eighth to each, so that a quarter is dropped. */
const NEIGHBOURS = [
  [1, 0],
  [2, 0],
  [-1, 1],
  [0, 1],
  [1, 1],
  [0, 2]
] as const

/** Atkinson's dithering: dropping a quarter of each error keeps paper white and ink black, as logos want it. */
function dither({ width, height, values }: Darkness): Bitmap {
  const rest = Float32Array.from(values)
  const dots = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const index = y * width + x
      const wanted = rest[index] ?? 0
      const dot = wanted >= 0.5 ? 1 : 0
      dots[index] = dot
      for (const [right, down] of NEIGHBOURS) {
        if (x + right < 0 || x + right >= width || y + down >= height) continue
        const neighbour = index + down * width + right
        rest[neighbour] = (rest[neighbour] ?? 0) + (wanted - dot) / 8
      }
    }
  }
  return { width, height, dots }
}

/** A picture of black and white dots: all that a receipt printer knows. */
export interface Bitmap {
  readonly width: number
  readonly height: number
  /** row by row, one byte a dot: 1 is black */
  readonly dots: Uint8Array
}
