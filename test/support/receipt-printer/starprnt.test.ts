/** The StarPRNT interpreter draws what the encoder says, and refuses what a printer would print as garbage. */
import ReceiptPrinterEncoder from '@point-of-sale/receipt-printer-encoder'
import { create as createQr } from 'qrcode'
import { expect, test } from 'vitest'
import { scan } from '../read-slip.ts'
import { drawReceipt, joinRasters, type Printed, type PrintedRaster } from './printed.ts'
import { STAR_PRNT } from './starprnt.ts'

const CONTENT = 'https://points.example/qr/9f2c41d7'

/** The sample code as dots, in the middle of a head of 576 dots. */
function sampleImage(height: number) {
  const { modules } = createQr(CONTENT, { errorCorrectionLevel: 'M' })
  const data = new Uint8ClampedArray(576 * height * 4).fill(255)
  for (let y = 0; y < modules.size * 6; y++) {
    for (let x = 0; x < modules.size * 6; x++) {
      if (modules.get(Math.floor(y / 6), Math.floor(x / 6)) === 0) continue
      data.set([0, 0, 0, 255], ((y + 24) * 576 + x + 180) * 4)
    }
  }
  return { width: 576, height, data }
}

const encoder = () =>
  new ReceiptPrinterEncoder({ language: 'star-prnt', columns: 48, feedAfterBlock: false, newline: '\n' })

/** Parses the bytes one at a time, as a slow line brings them. */
function print(bytes: Uint8Array): Printed[] {
  const parse = STAR_PRNT.createParser()
  return [...bytes].flatMap((byte) =>
    [...parse(Uint8Array.of(byte))].flatMap(({ printed }) => (printed === undefined ? [] : [printed]))
  )
}

const scanned = ({ width, height, dots }: PrintedRaster): Promise<string[]> =>
  scan({ width, height, pixels: dots.map((dot) => (dot === 1 ? 0 : 255)) })

test('draws bit images as one picture, dot by dot', async () => {
  const image = sampleImage(240)
  const printed = print(encoder().initialize().image(image, 576, 240, 'threshold').cut('partial').encode())
  const picture = joinRasters(printed)
  expect([picture.width, picture.height]).toEqual([576, 240])
  expect(picture.dots).toEqual(
    Uint8Array.from({ length: 576 * 240 }, (_, index) => (image.data[index * 4] === 0 ? 1 : 0))
  )
  expect(printed.slice(0, 10).map(({ kind }) => kind)).toEqual(Array(10).fill('raster'))
  expect(printed[10]).toEqual({ kind: 'cut', cut: 'partial' })
  expect(await scanned(picture)).toEqual([CONTENT])
})

test('draws the code that the printer makes itself', async () => {
  const printed = print(
    encoder()
      .initialize()
      .image(
        { width: 576, height: 24, data: new Uint8ClampedArray(576 * 24 * 4).fill(255) },
        576,
        24,
        'threshold'
      )
      .align('center')
      .qrcode(CONTENT, { model: 2, size: 6, errorlevel: 'm' })
      .cut('full')
      .encode()
  )
  expect(printed).toContainEqual({ kind: 'code', content: CONTENT, moduleDots: 6 })
  expect(printed).toContainEqual({ kind: 'cut', cut: 'full' })
  expect(await scanned(joinRasters(printed))).toEqual([])
  expect(await scanned(drawReceipt(printed))).toEqual([CONTENT])
})

test('shows a gap between images whose lines are not dense', () => {
  const image = Uint8Array.of(0x1b, 0x58, 1, 0, 0xff, 0xff, 0xff, 0x0a)
  expect(print(image).map(({ kind }) => kind)).toEqual(['raster', 'feed'])
  expect(print(Uint8Array.of(0x1b, 0x30, ...image)).map(({ kind }) => kind)).toEqual(['raster'])
})

test.each([
  ['text', [0x41]],
  ['an unknown command', [0x1b, 0x7a, 0x09, 0x00]],
  ['an ESC/POS cut', [0x1d, 0x56, 0x01]]
])('throws for %s', (_, bytes) => {
  expect(() => print(Uint8Array.from(bytes))).toThrow('does not know')
})
