/** A slip as a PDF: the same document gives the same bytes, whatever was laid out before. */
import PDFDocument from 'pdfkit'
import { composeSlip } from './compose.ts'
import type { SlipDocument } from './document.ts'
import { drawSlip } from './draw.ts'
import { ROLL_80 } from './paper.ts'
import { createFontSource } from './text/fonts.ts'
import { createSlipText } from './text/text.ts'

/** Lays a slip out on an 80 mm roll. Rejects with `UrlTooLong`, or when the fonts cannot be read. */
export type LayoutSlip = (slip: SlipDocument) => Promise<Uint8Array>

/** Makes the layout; `fontsFolder` holds the font files, which are read at the first slip. */
export function createSlipLayout(fontsFolder: string): LayoutSlip {
  const fontsForOneSlip = createFontSource(fontsFolder)
  return async (slip) => {
    const fonts = await fontsForOneSlip()
    const document = new PDFDocument({
      autoFirstPage: false,
      // none: pdfkit would open its own Helvetica otherwise
      font: '',
      info: { Title: slip.code, Creator: 'Tillpoints', CreationDate: new Date(slip.issuedAt) }
    })
    const text = createSlipText(document, fonts)
    drawSlip(document, text, composeSlip(slip, ROLL_80, text), ROLL_80)
    const chunks: Uint8Array[] = []
    document.on('data', (chunk: Uint8Array) => chunks.push(chunk))
    const ended = new Promise<void>((resolve, reject) => {
      document.on('end', resolve).on('error', reject)
    })
    document.end()
    await ended
    return new Uint8Array(Buffer.concat(chunks))
  }
}
