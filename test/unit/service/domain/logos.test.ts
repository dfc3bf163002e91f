import { encode } from 'jpeg-js'
import { PNG } from 'pngjs'
import { expect, it } from 'vitest'
import { MAX_LOGO_BYTES, parseLogo } from '../../../../electron/service/domain/logos.ts'
import { pngOf } from '../../../support/png-file.ts'

const png = (width: number, height: number): Buffer => PNG.sync.write(new PNG({ width, height }))

it('names a PNG and a JPEG by their bytes', async () => {
  expect((await parseLogo(png(8, 4))).name).toMatch(/^[0-9a-f]{32}\.png$/)
  expect((await parseLogo(png(8, 4))).name).not.toBe((await parseLogo(png(4, 8))).name)
  const jpeg = encode({ width: 8, height: 8, data: Buffer.alloc(8 * 8 * 4) }).data
  expect((await parseLogo(jpeg)).name).toMatch(/^[0-9a-f]{32}\.jpg$/)
})

const kind = { width: 60_000, height: 60_000, depth: 8, colour: 6, isInterlaced: false }
const jpegOfManyPixels = encode({ width: 1100, height: 1000, data: Buffer.alloc(1100 * 1000 * 4) }, 1).data

it.each([
  ['no image', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'neither a PNG nor a JPEG'],
  ['an empty file', Buffer.alloc(0), 'neither a PNG nor a JPEG'],
  ['a file that is too large', Buffer.alloc(MAX_LOGO_BYTES + 1), 'has 257 kB, at most 256 kB'],
  ['half a PNG', png(8, 4).subarray(0, 40), 'damaged'],
  ['the first bytes of a PNG', png(8, 4).subarray(0, 8), 'damaged'],
  ['half a JPEG', jpegOfManyPixels.subarray(0, 300), 'damaged'],
  ['a PNG of 3600 megapixels', pngOf(kind, Buffer.alloc(9)), 'larger than 2048 × 2048 pixels'],
  ['a JPEG of 1.1 megapixels', jpegOfManyPixels, 'a JPEG than 1024 × 1024']
])('refuses %s', async (_, file, sentence) => {
  await expect(parseLogo(file)).rejects.toThrow(sentence)
})
