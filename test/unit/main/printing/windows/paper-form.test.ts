import { expect, test } from 'vitest'
import { paperForm } from '../../../../../electron/main/printing/windows/paper-form.ts'

const job = (widthMillimetres: number, heightMillimetres: number) => ({
  pdf: new Uint8Array(),
  title: '',
  widthMillimetres,
  heightMillimetres
})

/** Names of forms as drivers of receipt printers have them. */
const RECEIPT = [
  '80(72)x 3276mm',
  '80(72)x 297mm',
  'Roll Paper 58 x 210 mm',
  '58(48) x 3276 mm',
  'A4',
  'Letter'
]

test.each([
  [RECEIPT, job(80, 120), '80(72)x 297mm'],
  [RECEIPT, job(80, 400), '80(72)x 3276mm'],
  [RECEIPT, job(58, 120), 'Roll Paper 58 x 210 mm'],
  [RECEIPT, job(58, 250), '58(48) x 3276 mm'],
  [RECEIPT, job(80, 4000), null],
  [['79.5 x 297mm'], job(80, 120), '79.5 x 297mm'],
  [['Letter', 'A4', 'A6'], job(210, 297), 'A4'],
  [['A4 (210 x 297 mm)'], job(210, 297), 'A4 (210 x 297 mm)'],
  [['Letter', 'A4'], job(105, 148), null],
  [[], job(80, 120), null]
])('of %o for %o: %o', (forms, slip, form) => {
  expect(paperForm(forms, slip)).toBe(form)
})
