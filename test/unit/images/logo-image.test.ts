import { encode } from 'jpeg-js'
import { deflateSync } from 'node:zlib'
import { PNG } from 'pngjs'
import { expect, it } from 'vitest'
import { decodeLogoImage, readLogoHeader } from '../../../electron/images/logo-image.ts'
import { FULL } from '../../support/size.ts'

const png = (width: number, height: number): Buffer => PNG.sync.write(new PNG({ width, height }))
const jpeg = (width: number, height: number): Buffer =>
  encode({ width, height, data: Buffer.alloc(width * height * 4) }, 50).data

/** One more header of 8 × 4 pixels, before the others. */
const withSecondHeader = (file: Buffer): Buffer =>
  Buffer.concat([file.subarray(0, 33), png(8, 4).subarray(8, 33), file.subarray(33)])

/** The scan of a JPEG, so many times. */
const withScans = (file: Buffer, count: number): Buffer => {
  const scan = file.subarray(file.indexOf(Buffer.from('ffda', 'hex')), -2)
  return Buffer.concat([file.subarray(0, -2), ...Array<Buffer>(count - 1).fill(scan), file.subarray(-2)])
}

/** Another size in the header: of a PNG at 16, or in the frame of a JPEG. */
const withSize = (file: Buffer, at: number, width: number, height: number): Buffer => {
  const changed = Buffer.from(file)
  if (at === 16) {
    changed.writeUInt32BE(width, at)
    changed.writeUInt32BE(height, at + 4)
  } else {
    changed.writeUInt16BE(height, at)
    changed.writeUInt16BE(width, at + 2)
  }
  return changed
}

const frameOf = (file: Buffer): number => file.indexOf(Buffer.from('ffc0', 'hex')) + 5

it('reads and decodes a PNG and a JPEG', () => {
  for (const [file, type] of [
    [png(8, 4), 'png'],
    [jpeg(8, 4), 'jpg']
  ] as const) {
    expect(readLogoHeader(file)).toEqual({ type, width: 8, height: 4 })
    expect(decodeLogoImage(file)).toMatchObject({ width: 8, height: 4 })
  }
  expect(readLogoHeader(Buffer.from('GIF89a'))).toBeNull()
})

it.each([
  ['a PNG just above 4 megapixels', withSize(png(8, 4), 16, 2001, 2000)],
  ['a JPEG just above 4 megapixels', withSize(jpeg(8, 4), frameOf(jpeg(8, 4)), 2001, 2000)],
  ['a PNG of no pixels', withSize(png(8, 4), 16, 0, 4)],
  ['a PNG with a second header', withSecondHeader(png(8, 4))],
  ['a JPEG with a second header', Buffer.concat([jpeg(8, 4).subarray(0, -2), jpeg(8, 4).subarray(2)])],
  ['a PNG without its end', png(8, 4).subarray(0, -12)],
  ['a JPEG without its end', jpeg(8, 4).subarray(0, -2)],
  ['a JPEG with one scan more than the limit', withScans(jpeg(1000, 1000), 21)]
])('refuses %s before anything is decoded', (_, file) => {
  expect(() => readLogoHeader(file)).toThrow()
})

it('refuses content that is longer than the header says', () => {
  const file = png(8, 4)
  const content = deflateSync(Buffer.alloc(8 * 4 * 4 + 4 + 1))
  const chunk = Buffer.alloc(12 + content.length)
  chunk.writeUInt32BE(content.length)
  chunk.write('IDAT', 4, 'latin1')
  content.copy(chunk, 8)
  const longer = Buffer.concat([file.subarray(0, 33), chunk, file.subarray(-12)])
  expect(() => decodeLogoImage(longer)).toThrow(/larger than/)
})

const [SMALL_PNG, SMALL_JPEG] = [png(16, 16), jpeg(16, 16)]

/** Harmless: a small PNG or JPEG of which a few bytes were changed or cut off. */
const changedLogo = (index: number): Buffer => {
  const file = Buffer.from(index % 2 === 0 ? SMALL_PNG : SMALL_JPEG)
  let state = index * 2654435761
  const random = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state % below
  }
  if (index % 5 === 0) return file.subarray(0, random(file.length))
  if (index % 7 === 0) return index % 2 === 0 ? withSecondHeader(file) : withScans(file, 2 + random(3))
  for (let count = 0; count < 3; count += 1) file.writeUInt8(random(256), 8 + random(file.length - 8))
  return index % 2 === 0 ? withSize(file, 16, 16, 16) : withSize(file, frameOf(SMALL_JPEG), 16, 16)
}

it('decodes or refuses thousands of changed logos', () => {
  let decoded = 0
  for (let index = 0; index < (FULL ? 20_000 : 1000); index += 1) {
    try {
      const { width, height, data } = decodeLogoImage(changedLogo(index))
      expect(data).toHaveLength(width * height * 4)
      decoded += 1
    } catch (error) {
      expect(error).toBeInstanceOf(Error)
    }
  }
  expect(decoded).toBeGreaterThan(10)
})
