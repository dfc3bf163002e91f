/** The printer's own code has the same text as the one that the till draws, whatever the address. */
import { describe, expect, test } from 'vitest'
import { millimetresOf } from '../../electron/contract/paper.ts'
import { type CodeStyle, PRINTER_LANGUAGES } from '../../electron/contract/printing.ts'
import { encodeReceipt } from '../../electron/main/slip-pdf/encode-receipt.ts'
import { Column, paperLayout } from '../../electron/main/slip-pdf/column.ts'
import { codeOnPage, fitOnRoll, writePdf } from '../../electron/main/slip-pdf/draw.ts'
import { encodeQr, moduleDots } from '../../electron/images/qr-code.ts'
import { SlipText } from '../../electron/main/slip-pdf/text/slip-text.ts'
import { scan } from '../support/read-slip.ts'
import { drawReceipt, type Printed } from '../support/receipt-printer/index.ts'
import { printCommands } from '../support/receipt-printer/simulated-printer.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { FULL } from '../support/size.ts'
import { allFonts } from '../unit/main/slip-pdf/sample-slips.ts'

const SEEDS = Array.from({ length: FULL ? 10 : 2 }, (_, index) => 1914 + index)
/** In each test: together they draw for minutes on a busy machine. */
const ADDRESSES = 50
const MAX_LENGTH = 300
const ALPHABETS = [
  ['Latin', 'abcdefghijklmnopqrstuvwxyz0123456789-'],
  ['Latin with accents', 'aeiouéèüßñåøçœřžğ'],
  ['Greek', 'αβγδεζηθικλμνξοπρστυφχψωάέήίόύώ'],
  ['Arabic', 'ابتثجحخدذرزسشصضطظعغفقكلمنهوي'],
  ['Cyrillic and Japanese', 'бгджийльяポイントカフェ東京中村'],
  ['capitals', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789$*+-.']
] as const
type Form = 'as typed' | 'percent-encoded' | 'in capitals'

/** An address of 30 to 300 characters with a host and a path in one alphabet. */
function addressOf(random: () => number): string {
  const [, alphabet] = ALPHABETS[Math.floor(random() * ALPHABETS.length)] ?? ALPHABETS[0]
  const letters = Array.from(alphabet)
  const word = (length: number): string =>
    Array.from({ length }, () => letters[Math.floor(random() * letters.length)] ?? '').join('')
  const form: Form =
    (['as typed', 'percent-encoded', 'in capitals'] as const)[Math.floor(random() * 3)] ?? 'as typed'
  const host = form === 'as typed' ? `https://${word(8)}.example` : 'HTTPS://POINTS.EXAMPLE'
  const length = 30 + Math.floor(random() * (MAX_LENGTH - 29))
  const path = `/q/${word(MAX_LENGTH)}?c=K7QF-29XM`
  const written = form === 'as typed' ? path : encodeURI(path)
  return (host + (form === 'in capitals' ? written.toUpperCase() : written))
    .slice(0, length)
    .replace(/%.?$/, '')
}

const fonts = await allFonts()
const text = new SlipText(fonts, { locale: 'en', timeZone: 'UTC' })

/** A page with a rule above the code, on the narrowest roll that takes it. */
async function pageOf(url: string) {
  const code = encodeQr(url)
  const widthDots = moduleDots(code.size, 384) === null ? 576 : 384
  const layout = paperLayout(widthDots === 384 ? '58mm' : '80mm')
  const column = new Column(layout, text, 'ltr')
  column.rule()
  column.qr(code, moduleDots(code.size, layout.width) ?? 0)
  const fitted = fitOnRoll({ height: column.height, items: column.items, leftOut: [] }, layout)
  const page = { ...fitted.page, heightMillimetres: millimetresOf(column.height) }
  const content = { layout, fitted: { ...fitted, page }, mark: null }
  const pdf = await writePdf([content], { title: '', createdAt: new Date(0).toISOString() })
  return { document: { pdf, code: codeOnPage(url, [content.fitted]) }, widthDots } as const
}

describe.each(PRINTER_LANGUAGES)('in %s', (language) => {
  const printed = async ({ document, widthDots }: Awaited<ReturnType<typeof pageOf>>, code: CodeStyle) =>
    printCommands(language, await encodeReceipt(document, { language, widthDots, cut: 'none', code }))
  const scanned = (receipt: readonly Printed[]): Promise<string[]> => {
    const { width, height, dots } = drawReceipt(receipt)
    return scan({ width, height, pixels: dots.map((dot) => (dot === 1 ? 0 : 255)) })
  }

  test.each(SEEDS)(
    'addresses are the same in the printer’s own code as in the till’s: seed %i',
    async (seed) => {
      const random = seededRandom(seed)
      const wrong: unknown[] = []
      let native = 0
      for (let index = 0; index < ADDRESSES; index++) {
        const url = addressOf(random)
        const page = await pageOf(url)
        const own = await printed(page, 'native-qr')
        native += own.some(({ kind }) => kind === 'code') ? 1 : 0
        const [drawn, till] = [await scanned(own), await scanned(await printed(page, 'raster'))]
        if (drawn[0] !== url || till[0] !== url) wrong.push({ url, drawn, till })
      }
      expect(wrong).toEqual([])
      // What printers take as it is stays theirs to draw.
      expect(native).toBeGreaterThan(ADDRESSES / 3)
    }
  )
})
