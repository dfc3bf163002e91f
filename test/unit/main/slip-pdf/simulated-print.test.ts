import { describe, expect, it } from 'vitest'
import { scan, slipPicture } from '../../../support/read-slip.ts'
import { photographed, rowsOf } from '../../../support/simulated-print.ts'
import { FULL } from '../../../support/size.ts'
import { renderSlips } from './sample-slips.ts'
import { sampleSlip } from '../../../support/sample-slip.ts'

const dots = (millimetres: number): number => Math.round((millimetres / 25.4) * 203)

/** Characters of all kinds, the same in each run. */
const LETTERS = 'aZ3-k9_Q~x.7=Wb%2FmR'

const urlOf = (length: number): string =>
  Array.from({ length: 9 })
    .reduce<string>((url) => url + LETTERS, 'https://a.example/')
    .slice(0, length)
    .padEnd(length, 'e')

const EVERY_FIFTH = Array.from({ length: 37 }, (_, index) => 20 + index * 5)

/**
 * `npm run test:slip-pdf` checks every fifth length, `npm run test:all` the largest numbers of bytes in some QR versions at level M
 * (ISO/IEC 18004, table 7), and both ends.
 */
const LENGTHS = FULL
  ? { '58mm': EVERY_FIFTH, '80mm': EVERY_FIFTH }
  : { '58mm': [20, 62, 122, 200], '80mm': [20, 200] }

describe.each(['58mm', '80mm'] as const)('a code on %s, printed and photographed', (paper) => {
  it('scans at lengths from 20 to 200 characters', async () => {
    const unread: number[] = []
    for (const length of LENGTHS[paper]) {
      const url = urlOf(length)
      const { pdf, code } = await renderSlips({ ...sampleSlip, url }, paper)
      const picture = await slipPicture(pdf)
      const band = rowsOf(picture, dots(code.topMillimetres), dots(code.bottomMillimetres))
      const [read] = await scan(photographed(band))
      if (read !== url) unread.push(length)
    }
    expect(unread).toEqual([])
  })

  it('scans as well when it is the second code', async () => {
    const joinUrl = urlOf(60)
    const { pdf, code } = await renderSlips({ ...sampleSlip, joinUrl }, paper)
    const picture = await slipPicture(pdf)
    const below = rowsOf(picture, dots(code.bottomMillimetres), picture.height)
    expect(await scan(photographed(below))).toEqual([joinUrl])
  })
})
