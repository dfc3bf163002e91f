import { expect, test } from 'vitest'
import { jobAttributes } from '../../../../../electron/main/printing/cups/hand-over.ts'
import type { PrintJob } from '../../../../../electron/main/printing/job.ts'

const slip: PrintJob = {
  pdf: Buffer.from('%PDF-1.7 slip'),
  title: 'Points slip',
  widthMillimetres: 80,
  heightMillimetres: 123.456
}

test('a job has the exact size, as many copies as are wanted, and is not scaled', () => {
  expect(jobAttributes({ ...slip, copies: 2 })).toEqual([
    ['copies', 'integer', [2]],
    ['PageSize', 'nameWithoutLanguage', ['Custom.80x123.46mm']],
    ['print-scaling', 'keyword', ['none']]
  ])
})

test.each([
  [105, 148, 'A6'],
  [210, 297, 'A4'],
  [104.999_97, 147.999_99, 'A6'],
  [58, 90, 'Custom.58x90mm']
])('%d by %d mm is called %s', (widthMillimetres, heightMillimetres, size) => {
  expect(jobAttributes({ ...slip, widthMillimetres, heightMillimetres })).toContainEqual([
    'PageSize',
    'nameWithoutLanguage',
    [size]
  ])
})

test('options of the queue come along, but for what the slip itself decides', () => {
  const cut = ['TmtPaperCut', 'nameWithoutLanguage', ['CutPerPage']] as const
  const attributes = jobAttributes(slip, [
    cut,
    ['PageSize', 'nameWithoutLanguage', ['A4']],
    ['copies', 'integer', [7]],
    ['page-ranges', 'nameWithoutLanguage', ['5']]
  ])
  expect(attributes).toEqual([...jobAttributes(slip), cut])
})
