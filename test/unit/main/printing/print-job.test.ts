/** What a document is laid out for. */
import { expect, test } from 'vitest'
import {
  DEFAULT_RECEIPT_OPTIONS,
  type PrinterSettings,
  type ReceiptPrinter
} from '../../../../electron/contract/printing.ts'
import { printTarget } from '../../../../electron/main/printing/print-job.ts'

const queue: PrinterSettings['destination'] = { kind: 'queue', name: 'Bon' }
const receiptPrinter: ReceiptPrinter = {
  kind: 'receipt-printer',
  connection: { kind: 'device', path: '/dev/usb/lp0' },
  ...DEFAULT_RECEIPT_OPTIONS
}
const format = { language: 'esc-pos', cut: 'partial', code: 'raster' }

test('a receipt printer gets commands for its own head, or the usual one of the paper', () => {
  expect(printTarget({ destination: receiptPrinter, paperSize: '58mm' })).toMatchObject({
    headWidth: null,
    receipt: { ...format, widthDots: 384 }
  })
  const wide: ReceiptPrinter = { ...receiptPrinter, widthDots: 512 }
  expect(printTarget({ destination: wide, paperSize: '80mm' })).toMatchObject({
    headWidth: 512,
    receipt: { ...format, widthDots: 512 }
  })
})

test('no receipt printer takes a sheet', () => {
  expect(printTarget({ destination: receiptPrinter, paperSize: 'A4' }).receipt).toBeNull()
})

test.each([
  ['win32', '80mm', true],
  ['win32', 'A6', false],
  ['linux', '80mm', false]
] as const)('a queue of %s needs %s without margins: %s', (platform, paperSize, isHeadPdfNeeded) => {
  expect(printTarget({ destination: queue, paperSize }, platform)).toMatchObject({
    receipt: null,
    isHeadPdfNeeded
  })
})
