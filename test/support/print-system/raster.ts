/** Reads the pages that CUPS's filters draw for a driver: CUPS Raster Format, version 3. */
import type { Picture } from '../read-slip.ts'

/** A page as a driver gets it. */
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
  lineBytes: 392,
  space: 400
} as const
const HEADER_BYTES = 1796

/** How a raster of version 3 begins whose numbers are little-endian. */
const MARK = '3SaR'
/** Returns whether a line has ink at `x`. */
type HasInk = (line: Buffer, x: number, width: number) => boolean

/** A bit for each dot; a line of further colours is behind that of the black. */
const inkBits: HasInk = (line, x, width) => {
  const colourBytes = Math.ceil(width / 8)
  for (let at = x >> 3; at < line.length; at += colourBytes)
    if (((line[at] ?? 0) & (0x80 >> (x & 7))) !== 0) return true
  return false
}

/** Red, green and blue, of which dark dots have little. */
const darkBytes: HasInk = (line, x) => line.subarray(3 * x, 3 * x + 3).some((light) => light < 128)

/** By cups_cspace_t: RGB, black, and black with cyan, magenta and yellow. */
const HAS_INK: ReadonlyMap<number, HasInk> = new Map([
  [1, darkBytes],
  [3, inkBits],
  [8, inkBits]
])

/** Returns the pages of a raster. Throws for other bytes and other colours. */
export function readRaster(bytes: Buffer): readonly RasterPage[] {
  if (bytes.toString('latin1', 0, MARK.length) !== MARK) throw new Error('The bytes are no raster')
  const pages: RasterPage[] = []
  for (let at = MARK.length; at < bytes.length;) {
    const header = bytes.subarray(at, at + HEADER_BYTES)
    const number = (offset: number): number => header.readUInt32LE(offset)
    const [width, height, lineBytes] = [number(AT.width), number(AT.height), number(AT.lineBytes)]
    const hasInk = HAS_INK.get(number(AT.space))
    if (hasInk === undefined) throw new Error(`The raster has colours of kind ${number(AT.space)}`)
    const lines = bytes.subarray(at + HEADER_BYTES, (at += HEADER_BYTES + lineBytes * height))
    const pixels = new Uint8Array(width * height)
    for (let y = 0; y < height; y++) {
      const line = lines.subarray(y * lineBytes, (y + 1) * lineBytes)
      for (let x = 0; x < width; x++) pixels[y * width + x] = hasInk(line, x, width) ? 0 : 255
    }
    pages.push({
      dpi: [number(AT.resolution), number(AT.resolution + 4)],
      picture: { width, height, pixels }
    })
  }
  return pages
}
