/** Receipts in every language, head width and cut, as an interpreter of the commands draws them. */
import { describe, expect, test } from 'vitest'
import { HEAD_WIDTHS, type HeadWidth } from '../../electron/contract/paper.ts'
import { PRINTER_LANGUAGES } from '../../electron/contract/printing.ts'
import type { PrintDocument } from '../../electron/main/printing/print-job.ts'
import type { ReceiptFormat } from '../../electron/main/printing/print-job.ts'
import type { CodeOnPage } from '../../electron/main/slip-pdf/encode-receipt.ts'
import { SlipPdfRenderer, type RenderedSlips } from '../../electron/main/slip-pdf/slip-pdf-renderer.ts'
import { targetOf } from '../support/print-target.ts'
import { scan } from '../support/read-slip.ts'
import {
  drawReceipt,
  joinRasters,
  type Printed,
  type PrintedRaster
} from '../support/receipt-printer/index.ts'
import { printCommands } from '../support/receipt-printer/simulated-printer.ts'
import { sampleSlip } from '../support/sample-slip.ts'
import { fontsFolder } from '../unit/main/slips/slip-service-fixture.ts'

const renderer = new SlipPdfRenderer(fontsFolder)
const format: ReceiptFormat = { language: 'esc-pos', widthDots: 576, cut: 'partial', code: 'raster' }
const page = { locale: 'en-GB', printedAt: new Date(0).toISOString() }

const print = ({ commands = new Uint8Array() }: PrintDocument, { language }: ReceiptFormat) =>
  printCommands(language, commands)

/** A slip for a printer whose head has the usual width of its paper, or is set. */
const slipOf = (
  receipt: ReceiptFormat,
  headWidth: HeadWidth | null = receipt.widthDots,
  from = renderer
): Promise<RenderedSlips> =>
  from.renderSlips([sampleSlip], targetOf(headWidth === 384 ? '58mm' : '80mm', { headWidth, receipt }))

const scanned = ({ width, height, dots }: PrintedRaster): Promise<string[]> =>
  scan({ width, height, pixels: dots.map((dot) => (dot === 1 ? 0 : 255)) })

const isBlack = ({ width, dots }: PrintedRaster, x: number, y: number): boolean => dots[y * width + x] === 1

/** The lengths of the black and white runs in the rows of the code, from its first to its last black dot. */
function runsOf(picture: PrintedRaster, { topMillimetres, bottomMillimetres }: CodeOnPage): number[] {
  const rowOf = (millimetres: number): number => Math.round((millimetres / 25.4) * 203)
  const runs: number[] = []
  for (let y = rowOf(topMillimetres); y < rowOf(bottomMillimetres); y++) {
    const row = [...picture.dots.subarray(y * picture.width, (y + 1) * picture.width)].join('')
    runs.push(...(/1.*1/.exec(row)?.[0].match(/1+|0+/g) ?? []).map(({ length }) => length))
  }
  return runs
}

const cutsOf = (printed: readonly Printed[]): string[] =>
  printed.flatMap((part) => (part.kind === 'cut' ? [part.cut] : []))

describe.each(PRINTER_LANGUAGES)('a slip in %s', (language) => {
  test.each(HEAD_WIDTHS)(
    'is as wide as a head of %i dots, its code is on whole dots and scans, the same bytes again',
    async (width) => {
      const receipt = { ...format, language, widthDots: width }
      const slip = await slipOf(receipt)
      const printed = print(slip, receipt)
      const picture = joinRasters(printed)
      expect(picture.width).toBe(width)
      expect(await scanned(picture)).toEqual([sampleSlip.url])
      const { code } = slip
      const runs = runsOf(picture, code)
      expect(runs.length).toBeGreaterThan(1000)
      expect(runs.filter((length) => length % code.moduleDots !== 0)).toEqual([])
      // A rule reaches from the first to the last dot: nothing of the column is cut off, and nothing is left blank.
      const rules = Array.from({ length: picture.height }, (_, y) => y).filter((y) =>
        Array.from({ length: width }, (_, x) => x).every((x) => isBlack(picture, x, y))
      )
      expect(rules.length).toBeGreaterThan(0)
      expect(await slipOf(receipt, width, new SlipPdfRenderer(fontsFolder))).toEqual(slip)
    }
  )

  test('with the printer’s own code scans', async () => {
    const receipt = { ...format, language, code: 'native-qr' } as const
    const printed = print(await slipOf(receipt), receipt)
    expect(printed).toContainEqual(expect.objectContaining({ kind: 'code', content: sampleSlip.url }))
    expect(await scanned(joinRasters(printed))).toEqual([])
    expect(await scanned(drawReceipt(printed))).toEqual([sampleSlip.url])
  })

  test.each([
    ['none', []],
    ['partial', ['partial']],
    ['full', ['full']]
  ] as const)('with the cut %s is fed to the cutter first', async (cut, cuts) => {
    const receipt = { ...format, language, cut }
    const printed = print(await slipOf(receipt, null), receipt)
    expect(cutsOf(printed)).toEqual(cuts)
    const last = printed.findLastIndex(({ kind }) => kind === 'raster')
    expect(printed.slice(last + 1).filter(({ kind }) => kind === 'feed').length).toBeGreaterThanOrEqual(4)
  })
})

test('a slip for the usual head of its paper has the same bytes as one for no head', async () => {
  for (const [paper, width] of [
    ['58mm', 384],
    ['80mm', 576]
  ] as const) {
    const usual = await renderer.renderSlips([sampleSlip], targetOf(paper, { headWidth: width }))
    expect(usual).toEqual(await renderer.renderSlips([sampleSlip], targetOf(paper)))
  }
})

test('a sheet stays as it is, whatever the head', async () => {
  expect(await renderer.renderSlips([sampleSlip], targetOf('A6', { headWidth: 384 }))).toEqual(
    await renderer.renderSlips([sampleSlip], targetOf('A6'))
  )
})

describe.each(PRINTER_LANGUAGES)('the test page in %s', (language) => {
  test('has a closed frame as wide as each head, and each cut', async () => {
    const receipt = { ...format, language }
    const printed = print(await renderer.renderTestPage(page, targetOf('80mm', { receipt })), receipt)
    const rasters = printed.filter((part) => part.kind === 'raster')
    for (const width of HEAD_WIDTHS.slice(1)) {
      const frame = joinRasters(rasters.filter((raster) => raster.width === width))
      const corners = [0, width - 1].flatMap((x) => [0, 30, 63].map((y) => isBlack(frame, x, y)))
      expect(corners).toEqual(Array(6).fill(true))
    }
    expect(cutsOf(printed)).toEqual(['partial', 'full'])
    const code = joinRasters(rasters.filter(({ width }) => width === 384))
    expect(await scanned(code)).toEqual(['Tillpoints test page'])
  })

  test('has the printer’s own code where it is chosen', async () => {
    const receipt = { ...format, language, code: 'native-qr' } as const
    const printed = print(await renderer.renderTestPage(page, targetOf('58mm', { receipt })), receipt)
    expect(printed).toContainEqual({ kind: 'code', content: 'Tillpoints test page', moduleDots: 8 })
  })
})
