/** A page that shows whether a printer prints the paper that was chosen: its edges, its dots and a code. */
import PDFDocument from 'pdfkit'
import { create as createQr } from 'qrcode'
import type { PaperSize } from '../../contract/printing.ts'
import type { PrintJob } from './print-job.ts'

const POINTS_PER_MILLIMETRE = 72 / 25.4
const POINTS_PER_DOT = 72 / 203

/** Sizes in millimetres, and how much of the width prints: heads are narrower than rolls, sheets keep 5 mm. */
const PAGES = {
  '58mm': { width: 58, height: 90, printable: 48 },
  '80mm': { width: 80, height: 110, printable: 72 },
  A6: { width: 105, height: 148, printable: 95 },
  A4: { width: 210, height: 297, printable: 200 }
} as const satisfies Record<PaperSize, { width: number; height: number; printable: number }>

/** What the code of a test page says. */
export const TEST_PAGE_CODE = 'Tillpoints test page'

const MODULE_DOTS = 8

/** Makes the page for `paper`. `printedAt` is all that differs from one to the next. */
export async function testPage(paper: PaperSize, printedAt: Date): Promise<PrintJob> {
  const { width, height, printable } = PAGES[paper]
  const mm = (length: number): number => length * POINTS_PER_MILLIMETRE
  const document = new PDFDocument({
    size: [mm(width), mm(height)],
    margin: 0,
    info: { Title: TEST_PAGE_CODE, Creator: 'Tillpoints', CreationDate: printedAt }
  })
  const chunks: Uint8Array[] = []
  document.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  const ended = new Promise((resolve, reject) => {
    document.on('end', resolve).on('error', reject)
  })

  const left = (width - printable) / 2
  const text = (words: string, size: number, top: number): void => {
    document.fontSize(size).text(words, mm(left), mm(top), { width: mm(printable), align: 'center' })
  }
  // A frame at the edges of what prints: a missing side shows paper that is narrower than was chosen.
  document
    .lineWidth(POINTS_PER_DOT * 2)
    .rect(mm(left + 0.5), mm(3), mm(printable - 1), mm(height - 6))
    .stroke()
  text('Tillpoints', 18, 8)
  text(`Test page for ${paper === 'A4' || paper === 'A6' ? paper : `${width} mm`} paper`, 11, 17)
  text(printedAt.toISOString().replace('T', ' ').slice(0, 16) + ' UTC', 9, 23)

  const { modules } = createQr(TEST_PAGE_CODE, { errorCorrectionLevel: 'M' })
  const module = MODULE_DOTS * POINTS_PER_DOT
  // whole dots from the edge, so that no module is smeared
  const firstDot = Math.round((mm(width) / POINTS_PER_DOT - modules.size * MODULE_DOTS) / 2)
  const [codeLeft, codeTop] = [
    firstDot * POINTS_PER_DOT,
    Math.round(mm(30) / POINTS_PER_DOT) * POINTS_PER_DOT
  ]
  for (let row = 0; row < modules.size; row++) {
    for (let column = 0; column < modules.size; column++) {
      if (modules.get(row, column)) {
        document.rect(codeLeft + column * module, codeTop + row * module, module, module)
      }
    }
  }
  document.fill()
  const codeHeight = (modules.size * module) / POINTS_PER_MILLIMETRE
  text(
    'All four sides of the frame are there, and a phone reads the code: this printer is ready.',
    9,
    33 + codeHeight
  )
  document.end()
  await ended
  return {
    pdf: Buffer.concat(chunks),
    title: TEST_PAGE_CODE,
    widthMillimetres: width,
    heightMillimetres: height,
    code: {
      content: TEST_PAGE_CODE,
      topMillimetres: 29,
      bottomMillimetres: 31 + codeHeight,
      moduleDots: MODULE_DOTS
    }
  }
}
