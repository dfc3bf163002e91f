import { encode } from 'jpeg-js'
import { PNG } from 'pngjs'
import { expect, it } from 'vitest'
import { MAX_LOGO_BYTES, parseLogo } from '../../../../electron/service/domain/logos.ts'

const png = (width: number, height: number): Buffer => PNG.sync.write(new PNG({ width, height }))

it('names a PNG and a JPEG by their bytes', async () => {
  expect((await parseLogo(png(8, 4))).name).toMatch(/^[0-9a-f]{32}\.png$/)
  expect((await parseLogo(png(8, 4))).name).not.toBe((await parseLogo(png(4, 8))).name)
  const jpeg = encode({ width: 8, height: 8, data: Buffer.alloc(8 * 8 * 4) }).data
  expect((await parseLogo(jpeg)).name).toMatch(/^[0-9a-f]{32}\.jpg$/)
})

const manyPixels = png(8, 4)
manyPixels.writeUInt32BE(60_000, 16)
manyPixels.writeUInt32BE(60_000, 20)
const jpegOfManyPixels = encode({ width: 2100, height: 2000, data: Buffer.alloc(2100 * 2000 * 4) }, 1).data

it.each([
  ['no image', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'neither a PNG nor a JPEG'],
  ['an empty file', Buffer.alloc(0), 'neither a PNG nor a JPEG'],
  ['a file that is too large', Buffer.alloc(MAX_LOGO_BYTES + 1), 'has 257 kB, at most 256 kB'],
  ['half a PNG', png(8, 4).subarray(0, 40), 'damaged'],
  ['the first bytes of a PNG', png(8, 4).subarray(0, 8), 'damaged'],
  ['half a JPEG', jpegOfManyPixels.subarray(0, 300), 'damaged'],
  ['a PNG of 3600 megapixels', manyPixels, 'more than 4 megapixels'],
  ['a JPEG of 4.2 megapixels', jpegOfManyPixels, 'more than 4 megapixels']
])('refuses %s', async (_, file, sentence) => {
  await expect(parseLogo(file)).rejects.toThrow(sentence)
})
