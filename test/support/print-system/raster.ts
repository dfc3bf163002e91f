/**
 * Reads the pages that CUPS's filters draw: CUPS Raster Format, version 3, for drivers, and Apple Raster or PWG Raster for
 * printers without one.
 */
import type { Picture } from '../read-slip.ts'

/** A page as a driver or printer gets it. */
export interface RasterPage {
  /** dots an inch, across and down */
  readonly dpi: readonly [across: number, down: number]
  /** whether the next page is printed on its back */
  readonly isTwoSided: boolean
  /** what the printer reaches of the paper */
  readonly picture: Picture
}

/** Returns whether a line has ink at `x`. */
type HasInk = (line: Buffer, x: number, width: number) => boolean

/** A bit for each dot; a line of further colours is behind that of the black. */
const inkBits: HasInk = (line, x, width) => {
  const colourBytes = Math.ceil(width / 8)
  for (let at = x >> 3; at < line.length; at += colourBytes)
    if (((line[at] ?? 0) & (0x80 >> (x & 7))) !== 0) return true
  return false
}

/** Bytes of light for each dot, of which a dark one has little. */
const darkBytes =
  (count: number): HasInk =>
  (line, x) =>
    line.subarray(count * x, count * (x + 1)).some((light) => light < 128)

/** By cups_cspace_t: RGB, black, and black with cyan, magenta and yellow. */
const HAS_INK: ReadonlyMap<number, HasInk> = new Map([
  [1, darkBytes(3)],
  [3, inkBits],
  [8, inkBits]
])

const WHITE = 0xff

function picture(width: number, lines: Buffer, lineBytes: number, hasInk: HasInk): Picture {
  const height = lines.length / lineBytes
  const pixels = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    const line = lines.subarray(y * lineBytes, (y + 1) * lineBytes)
    for (let x = 0; x < width; x++) pixels[y * width + x] = hasInk(line, x, width) ? 0 : WHITE
  }
  return { width, height, pixels }
}

const DRIVER_MARK = '3SaR'
const DRIVER_HEADER_BYTES = 1796
/** Offsets of unsigned integers in the header of a page (`cups_page_header2_t`). */
const AT = {
  duplex: 272,
  across: 276,
  down: 280,
  width: 372,
  height: 376,
  bits: 384,
  lineBytes: 392,
  space: 400
} as const

/** Pages whose lines follow each other as they are. */
function readDriverRaster(bytes: Buffer): readonly RasterPage[] {
  const pages: RasterPage[] = []
  for (let at = 0; at < bytes.length;) {
    // A banner page is a document of its own.
    if (bytes.toString('latin1', at, at + DRIVER_MARK.length) === DRIVER_MARK) at += DRIVER_MARK.length
    const header = bytes.subarray(at, (at += DRIVER_HEADER_BYTES))
    const number = (offset: number): number => header.readUInt32LE(offset)
    const [width, lineBytes] = [number(AT.width), number(AT.lineBytes)]
    const hasInk = HAS_INK.get(number(AT.space))
    if (hasInk === undefined) throw new Error(`The raster has colours of kind ${number(AT.space)}`)
    const lines = bytes.subarray(at, (at += lineBytes * number(AT.height)))
    pages.push({
      dpi: [number(AT.across), number(AT.down)],
      isTwoSided: number(AT.duplex) !== 0,
      picture: picture(width, lines, lineBytes, hasInk)
    })
  }
  return pages
}

/** Rest of a line without dots. */
const REST_IS_WHITE = 0x80

/** Lines that are packed, beginning at an offset. */
interface PackedLines {
  readonly at: number
  readonly lineBytes: number
  readonly height: number
  /** a byte without ink */
  readonly white: number
}

/** Unpacks repeated lines of repeated bytes, which both Apple's and PWG's rasters have. `end` is the offset behind them. */
function unpack(bytes: Buffer, { at, lineBytes, height, white }: PackedLines) {
  const lines = Buffer.alloc(lineBytes * height, white)
  let end = at
  for (let filled = 0; filled < lines.length;) {
    const repeats = bytes.readUInt8(end++) + 1
    const [first, next] = [filled, filled + lineBytes]
    while (filled < next) {
      const code = bytes.readUInt8(end++)
      if (code === REST_IS_WHITE) filled = next
      else if (code < REST_IS_WHITE) lines.fill(bytes.readUInt8(end++), filled, (filled += code + 1))
      else filled += bytes.copy(lines, filled, end, (end += 257 - code))
    }
    for (let copy = 1; copy < repeats; copy++) filled += lines.copy(lines, filled, first, next)
  }
  return { lines, end }
}

const APPLE_MARK = 'UNIRAST\0'
/** Mark, number of pages, and the header of the first one. */
const APPLE_START = { header: 12, lines: 44 } as const

/** The first page, of grey dots. */
function readAppleRaster(bytes: Buffer): RasterPage {
  const header = bytes.subarray(APPLE_START.header, APPLE_START.lines)
  const [width, height, dpi] = [header.readUInt32BE(12), header.readUInt32BE(16), header.readUInt32BE(20)]
  if (header.readUInt16BE() !== 0x0800) throw new Error('The raster is not grey')
  const { lines } = unpack(bytes, { at: APPLE_START.lines, lineBytes: width, height, white: WHITE })
  // 2 and 3: on both sides.
  const isTwoSided = header.readUInt8(2) > 1
  return { dpi: [dpi, dpi], isTwoSided, picture: picture(width, lines, width, darkBytes(1)) }
}

const PWG_MARK = 'RaS2'
/** Colour spaces of PWG 5102.4 whose dots are one byte of light, and one bit of ink. */
const PWG_GREY = 18
const PWG_BLACK = 3

/** Pages of grey or black dots (PWG 5102.4, 4.3). */
function readPwgRaster(bytes: Buffer): readonly RasterPage[] {
  const pages: RasterPage[] = []
  for (let at = PWG_MARK.length; at < bytes.length;) {
    const header = bytes.subarray(at, (at += DRIVER_HEADER_BYTES))
    const number = (offset: number): number => header.readUInt32BE(offset)
    const [width, height, lineBytes] = [number(AT.width), number(AT.height), number(AT.lineBytes)]
    const [bits, space] = [number(AT.bits), number(AT.space)]
    const isGrey = space === PWG_GREY && bits === 8
    if (!isGrey && !(space === PWG_BLACK && bits === 1))
      throw new Error(`The raster has colours of kind ${space} with ${bits} bits`)
    const { lines, end } = unpack(bytes, { at, lineBytes, height, white: isGrey ? WHITE : 0 })
    at = end
    pages.push({
      dpi: [number(AT.across), number(AT.down)],
      isTwoSided: number(AT.duplex) !== 0,
      picture: picture(width, lines, lineBytes, isGrey ? darkBytes(1) : inkBits)
    })
  }
  return pages
}

/** Returns the pages of a raster; of Apple's the first one. Throws for other bytes and other colours. */
export function readRaster(bytes: Buffer): readonly RasterPage[] {
  const begin = bytes.toString('latin1', 0, APPLE_MARK.length)
  if (begin === APPLE_MARK) return [readAppleRaster(bytes)]
  if (begin.startsWith(PWG_MARK)) return readPwgRaster(bytes)
  if (begin.startsWith(DRIVER_MARK)) return readDriverRaster(bytes)
  throw new Error('The bytes are no raster')
}
