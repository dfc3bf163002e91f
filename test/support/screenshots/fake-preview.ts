import type { PaperSize } from '../../../electron/contract/printing.ts'
import type { SlipPreview, SlipPreviewInput } from '../../../electron/contract/settings.ts'

/** Width and height of a sample slip on each paper, in mm. */
const SIZES: Readonly<Record<PaperSize, readonly [width: number, height: number]>> = {
  '58mm': [58, 118],
  '80mm': [80, 132],
  A6: [105, 148],
  A4: [210, 297]
}

/** A stand-in for the drawn PDF: the words where they would be. Characters of Linear B have no font. */
export function fakePreview({ paper, slip }: SlipPreviewInput): SlipPreview {
  const [width, height] = SIZES[paper]
  const scale = 8
  const canvas = document.createElement('canvas')
  canvas.width = width * scale
  canvas.height = height * scale
  const pen = canvas.getContext('2d')
  if (pen) {
    const centre = canvas.width / 2
    const unit = Math.min(width, 105) * scale
    const write = (text: string, y: number, size: number, weight = 400): void => {
      pen.font = `${String(weight)} ${String(unit * size)}px 'Inter Variable'`
      pen.fillText(text, centre, unit * y)
    }
    pen.fillStyle = '#fff'
    pen.fillRect(0, 0, canvas.width, canvas.height)
    pen.fillStyle = '#000'
    pen.textAlign = 'center'
    write('Kafeneio Aroma', 0.12, 0.07, 700)
    write('Ermou 24, 105 63 Athina', 0.18, 0.04)
    write(slip.headline || 'Your points', 0.3, 0.05)
    write('250', 0.5, 0.2, 700)
    pen.fillRect(centre - unit * 0.22, unit * 0.58, unit * 0.44, unit * 0.44)
    write('AR7K-5093', 1.12, 0.06, 700)
    if (slip.customerName) write('For Μαρία Παπαδοπούλου', 1.2, 0.04)
    write(slip.footer, 1.28, 0.04)
    write(slip.tillName, 1.34, 0.04)
  }
  return {
    image: canvas.toDataURL('image/png'),
    widthMillimetres: width,
    heightMillimetres: height,
    missing: `${slip.headline}${slip.footer}${slip.tillName}`.match(/\p{Script=Linear_B}/gu) ?? []
  }
}
