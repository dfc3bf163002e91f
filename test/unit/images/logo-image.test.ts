import { encode } from 'jpeg-js'
import { PNG } from 'pngjs'
import { expect, it } from 'vitest'
import { decodeLogoImage, readLogoHeader } from '../../../electron/images/logo-image.ts'
import { inflatedBytes, readPng } from '../../../electron/images/png.ts'
import { pngOf } from '../../support/png-file.ts'

const png = (width: number, height: number): Buffer => PNG.sync.write(new PNG({ width, height }))
const jpeg = (width: number, height: number): Buffer =>
  encode({ width, height, data: Buffer.alloc(width * height * 4) }, 50).data

const RGBA = { depth: 8, colour: 6, isInterlaced: false }
/** A PNG whose content is a row of 8 pixels, whatever its header says. */
const pngSaying = (width: number, height: number): Buffer =>
  pngOf({ ...RGBA, width, height }, Buffer.alloc(33))

/** The scan of a JPEG, so many times. */
const withScans = (file: Buffer, count: number): Buffer => {
  const scan = file.subarray(file.indexOf(Buffer.from('ffda', 'hex')), -2)
  return Buffer.concat([file.subarray(0, -2), ...Array<Buffer>(count - 1).fill(scan), file.subarray(-2)])
}

/** Another size in the frame of a JPEG. */
const withSize = (file: Buffer, width: number, height: number): Buffer => {
  const changed = Buffer.from(file)
  changed.writeUInt16BE(height, frameOf(file))
  changed.writeUInt16BE(width, frameOf(file) + 2)
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
  ['a PNG just above 2048 × 2048', pngSaying(2049, 2048)],
  ['a JPEG just above 1024 × 1024', withSize(jpeg(8, 4), 1025, 1024)],
  [
    'a PNG with 16 bits for each of too many samples',
    pngOf({ ...RGBA, depth: 16, width: 2048, height: 1100 }, Buffer.alloc(9))
  ],
  ['a PNG of no pixels', pngSaying(0, 4)],
  ['a JPEG with a second header', Buffer.concat([jpeg(8, 4).subarray(0, -2), jpeg(8, 4).subarray(2)])],
  ['a PNG without its end', png(8, 4).subarray(0, -12)],
  ['a JPEG without its end', jpeg(8, 4).subarray(0, -2)],
  ['a JPEG with one scan more than the limit', withScans(jpeg(1000, 1000), 21)]
])('refuses %s before anything is decoded', (_, file) => {
  expect(() => readLogoHeader(file)).toThrow()
})

it('takes what programs for drawing save: a PNG of 2048 × 2048, also interlaced, and a JPEG of 1024 × 1024', () => {
  for (const isInterlaced of [false, true]) {
    const kind = { ...RGBA, width: 2048, height: 2048, isInterlaced }
    const whole = pngOf(kind, Buffer.alloc(inflatedBytes(readPng(pngOf(kind, Buffer.of())))))
    expect(decodeLogoImage(whole)).toMatchObject({ width: 2048, height: 2048 })
  }
  expect(readLogoHeader(withSize(jpeg(8, 4), 1024, 1024))).toMatchObject({ width: 1024, height: 1024 })
})

it('refuses content that is longer than the header says', () => {
  expect(() =>
    decodeLogoImage(pngOf({ ...RGBA, width: 8, height: 4 }, Buffer.alloc(8 * 4 * 4 + 4 + 1)))
  ).toThrow(/larger than/)
})
