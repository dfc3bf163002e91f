/**
 * Reads the pages that CUPS's filters draw: CUPS Raster Format, version 3, for drivers, and Apple Raster for printers without
 * one.
 */
import type { Picture } from '../read-slip.ts'

/** A page as a driver or printer gets it. */
export interface RasterPage {
  /** dots an inch, across and down */
  readonly dpi: readonly [across: number, down: number]
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
const AT = { across: 276, down: 280, width: 372, height: 376, lineBytes: 392, space: 400 } as const

/** Pages whose lines follow each other as they are. */
function readDriverRaster(bytes: Buffer): readonly RasterPage[] {
  const pages: RasterPage[] = []
  for (let at = DRIVER_MARK.length; at < bytes.length;) {
    const header = bytes.subarray(at, (at += DRIVER_HEADER_BYTES))
    const number = (offset: number): number => header.readUInt32LE(offset)
    const [width, lineBytes] = [number(AT.width), number(AT.lineBytes)]
    const hasInk = HAS_INK.get(number(AT.space))
    if (hasInk === undefined) throw new Error(`The raster has colours of kind ${number(AT.space)}`)
    const lines = bytes.subarray(at, (at += lineBytes * number(AT.height)))
    pages.push({
      dpi: [number(AT.across), number(AT.down)],
      picture: picture(width, lines, lineBytes, hasInk)
    })
  }
  return pages
}

const APPLE_MARK = 'UNIRAST\0'
/** Mark, number of pages, and the header of the first one. */
const APPLE_START = { header: 12, lines: 44 } as const
/** The rest of a line is white. */
const REST_IS_WHITE = 0x80

/** The first page, of grey dots: repeated lines of repeated dots. */
function readAppleRaster(bytes: Buffer): RasterPage {
  const header = bytes.subarray(APPLE_START.header, APPLE_START.lines)
  const [width, height, dpi] = [header.readUInt32BE(12), header.readUInt32BE(16), header.readUInt32BE(20)]
  if (header.readUInt16BE() !== 0x0800) throw new Error('The raster is not grey')
  const lines = Buffer.alloc(width * height, WHITE)
  let at: number = APPLE_START.lines
  for (let filled = 0; filled < lines.length;) {
    const repeats = bytes.readUInt8(at++) + 1
    const [begin, end] = [filled, filled + width]
    while (filled < end) {
      const code = bytes.readUInt8(at++)
      if (code === REST_IS_WHITE) filled = end
      else if (code < REST_IS_WHITE) lines.fill(bytes.readUInt8(at++), filled, (filled += code + 1))
      else filled += bytes.copy(lines, filled, at, (at += 257 - code))
    }
    for (let copy = 1; copy < repeats; copy++) filled += lines.copy(lines, filled, begin, end)
  }
  return { dpi: [dpi, dpi], picture: picture(width, lines, width, darkBytes(1)) }
}

/** Returns the pages of a raster; of Apple's the first one. Throws for other bytes and other colours. */
export function readRaster(bytes: Buffer): readonly RasterPage[] {
  const begin = bytes.toString('latin1', 0, APPLE_MARK.length)
  if (begin === APPLE_MARK) return [readAppleRaster(bytes)]
  if (begin.startsWith(DRIVER_MARK)) return readDriverRaster(bytes)
  throw new Error('The bytes are no raster')
}
