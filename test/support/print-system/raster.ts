/**
 * Reads the pages that CUPS's filters draw: CUPS Raster Format, version 3 for drivers, and version 2 for printers without one
 * (PWG 5102.4).
 */
import type { Picture } from '../read-slip.ts'

/** A page as a driver or printer gets it. */
export interface RasterPage {
  /** dots an inch, across and down */
  readonly dpi: readonly [across: number, down: number]
  /** what the printer reaches of the paper */
  readonly picture: Picture
}

/** Offsets of unsigned integers in the header of a page (`cups_page_header2_t`). */
const AT = {
  resolution: 276,
  width: 372,
  height: 376,
  bitsPerPixel: 388,
  lineBytes: 392,
  space: 400
} as const
const HEADER_BYTES = 1796

/** How the bytes begin: version 3 in little-endian numbers, version 2 in big-endian ones. */
const [FOR_DRIVERS, FOR_PRINTERS] = ['3SaR', 'RaS2']
const MARK_BYTES = 4

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

/** By cups_cspace_t: RGB, black, black with cyan, magenta and yellow, and grey. */
const HAS_INK: ReadonlyMap<number, HasInk> = new Map([
  [1, darkBytes(3)],
  [3, inkBits],
  [8, inkBits],
  [18, darkBytes(1)]
])

/** The lines of a page, and where they end. */
interface Lines {
  readonly bytes: Buffer
  readonly end: number
}

/** Unpacks repeated lines of repeated dots (PWG 5102.4, 4.4). */
function unpack(packed: Buffer, start: number, lineBytes: number, count: number, dotBytes: number): Lines {
  const bytes = Buffer.alloc(lineBytes * count)
  let at = start
  for (let filled = 0; filled < bytes.length;) {
    const repeats = packed.readUInt8(at++) + 1
    const begin = filled
    while (filled < begin + lineBytes) {
      const code = packed.readUInt8(at++)
      const length = (code < 128 ? code + 1 : 257 - code) * dotBytes
      const read = code < 128 ? dotBytes : length
      bytes.fill(packed.subarray(at, at + read), filled, filled + length)
      at += read
      filled += length
    }
    for (let copy = 1; copy < repeats; copy++, filled += lineBytes)
      bytes.copy(bytes, filled, begin, begin + lineBytes)
  }
  return { bytes, end: at }
}

/** Returns the pages of a raster. Throws for other bytes and other colours. */
export function readRaster(bytes: Buffer): readonly RasterPage[] {
  const mark = bytes.toString('latin1', 0, MARK_BYTES)
  if (mark !== FOR_DRIVERS && mark !== FOR_PRINTERS) throw new Error('The bytes are no raster')
  const pages: RasterPage[] = []
  for (let at = MARK_BYTES; at < bytes.length;) {
    const header = bytes.subarray(at, (at += HEADER_BYTES))
    const number = (offset: number): number =>
      mark === FOR_DRIVERS ? header.readUInt32LE(offset) : header.readUInt32BE(offset)
    const [width, height, lineBytes] = [number(AT.width), number(AT.height), number(AT.lineBytes)]
    const hasInk = HAS_INK.get(number(AT.space))
    if (hasInk === undefined) throw new Error(`The raster has colours of kind ${number(AT.space)}`)
    const lines =
      mark === FOR_DRIVERS
        ? { bytes: bytes.subarray(at, at + lineBytes * height), end: at + lineBytes * height }
        : unpack(bytes, at, lineBytes, height, Math.ceil(number(AT.bitsPerPixel) / 8))
    at = lines.end
    const pixels = new Uint8Array(width * height)
    for (let y = 0; y < height; y++) {
      const line = lines.bytes.subarray(y * lineBytes, (y + 1) * lineBytes)
      for (let x = 0; x < width; x++) pixels[y * width + x] = hasInk(line, x, width) ? 0 : 255
    }
    pages.push({
      dpi: [number(AT.resolution), number(AT.resolution + 4)],
      picture: { width, height, pixels }
    })
  }
  return pages
}
