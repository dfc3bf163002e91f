import jpeg from 'jpeg-js'
import { crc32, deflateSync } from 'node:zlib'
import { PNG } from 'pngjs'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createLogoReader } from '../../../../electron/main/slip-pdf/logo.ts'

const room = { width: 100, height: 60 }
const logoOf = createLogoReader()

type Colour = readonly [red: number, green: number, blue: number, alpha: number]

function filled(width: number, height: number, colour: Colour, left: Colour = colour): Buffer {
  const data = Buffer.alloc(width * height * 4)
  for (let index = 0; index < width * height; index++) {
    data.set(index % width < width / 2 ? left : colour, index * 4)
  }
  return data
}
function png(width: number, height: number, colour: Colour, left?: Colour): Uint8Array {
  const picture = new PNG({ width, height })
  picture.data = filled(width, height, colour, left)
  return PNG.sync.write(picture)
}

const BLACK: Colour = [0, 0, 0, 255]
const WHITE: Colour = [255, 255, 255, 255]
const CLEAR: Colour = [255, 255, 255, 0]

/** Part of the dots that are black. */
const inkOf = (file: Uint8Array): number => {
  const bitmap = logoOf(file, room)
  if (bitmap === null) throw new Error('no logo')
  return bitmap.dots.reduce((sum, dot) => sum + dot, 0) / bitmap.dots.length
}

describe('a logo', () => {
  it.each([
    ['shrunk to the width', 400, 100, 100, 25],
    ['shrunk to the height', 100, 120, 50, 60],
    ['grown', 20, 10, 100, 50]
  ])('keeps its proportions, %s', (_how, width, height, columns, rows) => {
    expect(logoOf(png(width, height, BLACK), room)).toMatchObject({ width: columns, height: rows })
  })

  it('prints black as black, white and transparent as white, and dithers grey', () => {
    expect(inkOf(png(50, 50, BLACK))).toBe(1)
    expect(inkOf(png(50, 50, WHITE, BLACK))).toBe(0.5)
    expect(inkOf(png(50, 50, CLEAR, BLACK))).toBe(0.5)
    expect(inkOf(png(50, 50, [110, 110, 110, 255]))).toBeCloseTo(0.6, 1)
  })

  it('of white on transparent is printed by its shape', () => {
    expect(inkOf(png(50, 50, CLEAR, WHITE))).toBe(0.5)
  })

  it('can be a JPEG', () => {
    const { data } = jpeg.encode({ width: 40, height: 20, data: filled(40, 20, [20, 20, 20, 255]) }, 90)
    expect(inkOf(data)).toBeGreaterThan(0.9)
  })

  it.each([
    ['empty', new Uint8Array()],
    ['blank', png(40, 40, WHITE)],
    ['clear', png(40, 40, CLEAR)],
    ['a line', png(900, 3, BLACK)],
    ['of another kind', Buffer.from('GIF89a and so on')],
    ['cut short', png(90, 90, BLACK).slice(0, 60)]
  ])('that is %s is none', (_what, file) => {
    expect(logoOf(file, room)).toBeNull()
  })

  it.each([
    ['by its own word', hugePng()],
    ['by its second header', pngOf([header(40, 40), header(3000, 3000), pixels(3000 * 3001)])],
    ['by its interlaced rows', pngOf([header(40, 40, true), pixels(20_000)])],
    ['as a line', pngOf([header(1, 4_000_000), pixels(8_000_000)])],
    ['as an interlaced line', pngOf([header(1, 4_000_000, true), pixels(16_000_000)])],
    ['as an animation', pngOf([header(3000, 3000), chunk('acTL', Buffer.alloc(8)), pixels(40)])],
    ['as a JPEG', jpegOf(65_500, 65_500)],
    ['as a line of a JPEG', jpegOf(65_500, 61)],
    ['by the scans of a JPEG', jpegOf(1000, 1000, 30)]
  ])('that is huge %s is not decoded', (_how, file) => {
    const decodeJpeg = vi.spyOn(jpeg, 'decode')
    onTestFinished(() => decodeJpeg.mockRestore())
    expect(logoOf(file, room)).toBeNull()
    expect(decodeJpeg).not.toHaveBeenCalled()
  })

  it('can be interlaced', () => {
    // Rows of the seven passes (PNG specification, 8.2), each with a filter byte.
    const rows = [5, 5, 5, 10, 10, 20, 20].reduce((sum, count) => sum + count, 0)
    expect(inkOf(pngOf([header(40, 40, true), pixels(40 * 40 + rows)]))).toBe(1)
  })

  it('never throws for a broken file', () => {
    const files = [
      png(30, 30, BLACK),
      jpeg.encode({ width: 30, height: 30, data: filled(30, 30, BLACK) }).data
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(...files),
        fc.array(fc.tuple(fc.nat({ max: 400 }), fc.nat({ max: 255 })), { minLength: 1, maxLength: 8 }),
        (file, changes) => {
          const broken = Uint8Array.from(file)
          for (const [place, byte] of changes) broken[place] = byte
          expect(() => logoOf(broken, room)).not.toThrow()
        }
      ),
      { numRuns: 200 }
    )
  })
})

/** A small JPEG whose frame header says another size (ITU-T T.81, B.2.2), with further scans of no data. */
function jpegOf(width: number, height: number, scans = 0): Uint8Array {
  const file = Buffer.from(jpeg.encode({ width: 40, height: 20, data: filled(40, 20, BLACK) }, 90).data)
  const frame = file.indexOf(Buffer.from('ffc0', 'hex'))
  file.writeUInt16BE(height, frame + 5)
  file.writeUInt16BE(width, frame + 7)
  const start = file.indexOf(Buffer.from('ffda', 'hex'))
  const scan = file.subarray(start, start + 2 + file.readUInt16BE(start + 2))
  const end = file.length - 2
  const further = Array.from({ length: scans }, () => scan)
  return Buffer.concat([file.subarray(0, end), ...further, file.subarray(end)])
}

/** A PNG that says it has a hundred thousand pixels on each side. */
function hugePng(): Uint8Array {
  const file = Buffer.from(png(10, 10, BLACK))
  file.writeUInt32BE(100_000, 16)
  file.writeUInt32BE(100_000, 20)
  return file
}

/** A chunk of a PNG. */
function chunk(type: string, content: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type), content])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(content.length, 0)
  framed.set(body, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

/** The header of a grayscale PNG with a byte for each pixel. */
function header(width: number, height: number, isInterlaced = false): Buffer {
  const content = Buffer.alloc(13)
  content.writeUInt32BE(width, 0)
  content.writeUInt32BE(height, 4)
  content.set([8, 0, 0, 0, Number(isInterlaced)], 8)
  return chunk('IHDR', content)
}

/** The black pixels of a PNG, which inflate to a number of bytes. */
function pixels(bytes: number): Buffer {
  return chunk('IDAT', deflateSync(Buffer.alloc(bytes)))
}

function pngOf(chunks: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks, chunk('IEND', Buffer.alloc(0))])
}
