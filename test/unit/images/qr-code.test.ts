import { describe, expect, it } from 'vitest'
import { drawQr, encodeQr, moduleDots, UrlTooLongError } from '../../../electron/images/qr-code.ts'
import { scan } from '../../support/read-slip.ts'

const url = 'https://loyalty.example/q/K7QF-29XM'

describe('the size of a module', () => {
  it.each([
    [29, 576, 8],
    [37, 576, 8],
    [38, 576, 7],
    [43, 576, 7],
    [44, 576, 6],
    [88, 576, 6],
    [89, 576, 5],
    [136, 576, 4],
    [137, 576, null],
    [37, 384, 8],
    [56, 384, 6],
    [57, 384, 5],
    [88, 384, 4],
    [89, 384, null]
  ])('of a code of %s modules on %s dots is %s dots', (size, width, dots) => {
    expect(moduleDots(size, width)).toBe(dots)
  })
})

describe('the code for the screen', () => {
  it('is the code of the URL', async () => {
    const drawing = drawQr(url)
    if (drawing === null) throw new Error('no drawing')
    // paints each "M x y h length v1 h-length z" of the path at 4 pixels a module, 4 modules of white around
    const side = (drawing.size + 8) * 4
    const pixels = new Uint8Array(side * side).fill(255)
    for (const [, x, y, length] of drawing.path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
      for (let row = 0; row < 4; row++) {
        const start = ((Number(y) + 4) * 4 + row) * side + (Number(x) + 4) * 4
        pixels.fill(0, start, start + Number(length) * 4)
      }
    }
    expect(await scan({ width: side, height: side, pixels })).toEqual([url])
  })

  it('is absent for a URL that no QR code holds', () => {
    expect(drawQr('x'.repeat(3000))).toBeNull()
    expect(() => encodeQr('x'.repeat(3000))).toThrow(UrlTooLongError)
  })
})
