/** The code of a slip without a connection on the narrowest paper, as a customer's phone sees it: printed, and photographed. */
import { describe, expect, test } from 'vitest'
import { PRINTER_LANGUAGES } from '../../electron/contract/printing.ts'
import { drawQr } from '../../electron/images/qr-code.ts'
import type { ReceiptFormat } from '../../electron/main/printing/print-job.ts'
import type { SlipDocument } from '../../electron/main/slip-pdf/slip-document.ts'
import { CODE_READERS, readCodes } from '../support/code-readers.ts'
import { offlineAddress } from '../support/offline-keys.ts'
import { targetOf } from '../support/print-target.ts'
import { slipPicture, type Picture } from '../support/read-slip.ts'
import { drawReceipt, joinRasters } from '../support/receipt-printer/index.ts'
import { printCommands } from '../support/receipt-printer/simulated-printer.ts'
import { sampleSlip } from '../support/sample-slip.ts'
import { photographed, rowsOf } from '../support/simulated-print.ts'
import { FULL } from '../support/size.ts'
import { renderer } from '../unit/main/slip-pdf/sample-slips.ts'

const CODES = FULL ? 60 : 1
/** 17 modules and four for each version (ISO/IEC 18004). */
const MAX_SIZE = 17 + 4 * 5

const dots = (millimetres: number): number => Math.round((millimetres / 25.4) * 203)

type Print = (slip: SlipDocument) => Promise<Picture>

/** A slip's rows with the code, as the system's print queue draws them. */
const onQueue: Print = async (slip) => {
  const { pdf, code } = await renderer.renderSlips([slip], targetOf('58mm'))
  return rowsOf(await slipPicture(pdf), dots(code.topMillimetres), dots(code.bottomMillimetres))
}

/** The same of a receipt printer, which gets the code as dots or draws it. */
const onReceiptPrinter =
  (language: ReceiptFormat['language'], code: ReceiptFormat['code']): Print =>
  async (slip) => {
    const receipt = { language, code, widthDots: 384, cut: 'none' } as const
    const rendered = await renderer.renderSlips([slip], targetOf('58mm', { headWidth: 384, receipt }))
    const printed = printCommands(language, rendered.commands ?? new Uint8Array())
    const whole = drawReceipt(printed)
    const picture = { ...whole, pixels: whole.dots.map((dot) => (dot === 1 ? 0 : 255)) }
    const drawn = printed.findIndex(({ kind }) => kind === 'code')
    if (drawn < 0)
      return rowsOf(picture, dots(rendered.code.topMillimetres), dots(rendered.code.bottomMillimetres))
    const top = joinRasters(printed.slice(0, drawn)).height
    return rowsOf(picture, top, top + picture.height - joinRasters(printed).height)
  }

const PRINTERS = [
  ['a print queue', onQueue],
  ...PRINTER_LANGUAGES.flatMap((language) => [
    [`a receipt printer, ${language}`, onReceiptPrinter(language, 'raster')] as const,
    [`a receipt printer that draws it, ${language}`, onReceiptPrinter(language, 'native-qr')] as const
  ])
] as const

describe.each(PRINTERS)('on 58 mm by %s', (_, print) => {
  test(`is no larger than version 5, and ${CODE_READERS.join(', ')} read ${String(CODES)}`, async () => {
    const unread: string[] = []
    for (let index = 0; index < CODES; index++) {
      const url = offlineAddress(index)
      expect(drawQr(url)?.size).toBeLessThanOrEqual(MAX_SIZE)
      const picture = photographed(await print({ ...sampleSlip, url, code: url.slice(-40) }))
      for (const reader of CODE_READERS) {
        const [read] = await readCodes(reader, picture)
        if (read !== url) unread.push(`${reader} ${url} ${String(read)}`)
      }
    }
    expect(unread).toEqual([])
  })
})
