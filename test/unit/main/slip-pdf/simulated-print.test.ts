import { describe, expect, it } from 'vitest'
import { createSlipLayout } from '../../../../electron/main/slip-pdf/slip-pdf-renderer.ts'
import { createFontStore } from '../../../../electron/main/slip-pdf/text/fonts.ts'
import { scan, slipPicture } from '../../../support/read-slip.ts'
import { photographed, rowsOf } from '../../../support/simulated-print.ts'
import { fontsFolder } from '../slips/slip-service-fixture.ts'
import { example } from './sample-slips.ts'

const layout = createSlipLayout(createFontStore(fontsFolder))
const dots = (millimetres: number): number => Math.round((millimetres / 25.4) * 203)

/** Characters of all kinds, the same ones in each run. */
const LETTERS = 'aZ3-k9_Q~x.7=Wb%2FmR'

const urlOf = (length: number): string =>
  Array.from({ length: 9 })
    .reduce<string>((url) => url + LETTERS, 'https://a.example/')
    .slice(0, length)
    .padEnd(length, 'e')

/** From one QR version to the next it is more than ten characters: no version is left out. */
const LENGTHS = Array.from({ length: 37 }, (_, index) => 20 + index * 5)

describe.each(['58mm', '80mm'] as const)('a code on %s, printed and photographed', (paper) => {
  it('scans at every length from 20 to 200 characters', async () => {
    const unread: number[] = []
    for (const length of LENGTHS) {
      const url = urlOf(length)
      const { pdf, code } = await layout({ ...example, url }, paper)
      const picture = await slipPicture(pdf)
      const band = rowsOf(picture, dots(code.topMillimetres), dots(code.bottomMillimetres))
      const [read] = await scan(photographed(band))
      if (read !== url) unread.push(length)
    }
    expect(unread).toEqual([])
  })

  it('scans as well when it is the second code', async () => {
    const joinUrl = urlOf(60)
    const { pdf, code } = await layout({ ...example, joinUrl }, paper)
    const picture = await slipPicture(pdf)
    const below = rowsOf(picture, dots(code.bottomMillimetres), picture.height)
    expect(await scan(photographed(below))).toEqual([joinUrl])
  })
})
