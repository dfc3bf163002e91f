import fc from 'fast-check'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  optionsOfQueue,
  pdfDocument,
  readQueueOptions
} from '../../../../../electron/main/printing/cups/submit-job.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'queue-options-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test.each([
  ['Dest Receipt TmtPaperCut=CutPerPage media=om_roll', { TmtPaperCut: 'CutPerPage', media: 'om_roll' }],
  ['Default receipt TmtPaperCut=CutPerPage', { TmtPaperCut: 'CutPerPage' }],
  ['Dest Receipt name="a b" other=\'c d\' third=e\\ f', { name: 'a b', other: 'c d', third: 'e f' }],
  ['Dest Receipt drawer nocutter', { drawer: 'true', cutter: 'false' }],
  [
    'Dest Receipt media-col={x-dimension=8000 y-dimension=9000}',
    { 'media-col': '{x-dimension=8000 y-dimension=9000}' }
  ],
  ['Dest Receipt a=1\nDest Receipt a=2', { a: '2' }],
  ['Dest Receipt empty=', { empty: '' }],
  ['Dest Receipt', {}],
  // another queue, an instance, and what is no line of such a file
  ['Dest Receipt2 a=1', {}],
  ['Dest Receipt/bar a=1', {}],
  ['# Dest Receipt a=1\nDestReceipt a=1\n\n', {}]
])('%o gives %o', (file, options) => {
  expect(Object.fromEntries(optionsOfQueue(file, 'Receipt'))).toEqual(options)
})

test('options are names with texts for any content of the file', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (rest) => {
      for (const [name, value] of optionsOfQueue(`Dest Q ${rest}`, 'Q')) {
        expect(name).toMatch(/\S/)
        expect(value).toBeTypeOf('string')
      }
    })
  )
})

test('the user’s options override the system’s, and each keeps its type', async () => {
  const environment = { CUPS_SERVERROOT: join(folder, 'etc'), HOME: join(folder, 'home') }
  await mkdir(join(folder, 'etc'))
  await mkdir(join(folder, 'home/.cups'), { recursive: true })
  await writeFile(
    join(folder, 'etc/lpoptions'),
    `Dest Receipt drawer=Off job-priority=1 finishings=3,x long=${'y'.repeat(70_000)}\n`
  )
  await writeFile(
    join(folder, 'home/.cups/lpoptions'),
    'Default Receipt drawer=Open print-quality=5 fit-to-page=false\n'
  )
  expect(await readQueueOptions(environment, 'Receipt')).toEqual([
    ['drawer', 'nameWithoutLanguage', ['Open']],
    ['job-priority', 'integer', [1]],
    ['print-quality', 'enum', [5]],
    ['fit-to-page', 'boolean', [false]]
  ])
})

test('without files there are no options', async () => {
  const environment = { CUPS_SERVERROOT: folder, HOME: folder }
  expect(await readQueueOptions(environment, 'Receipt')).toEqual([])
})

const PDF = Buffer.from('%PDF-1.7 slip')
const SIZE = ['media', 'keyword', ['iso_a6_105x148mm']] as const

test('a document has a size, its pages as they are, and the options of the queue that change neither', () => {
  const cut = ['TmtPaperCut', 'nameWithoutLanguage', ['CutPerPage']] as const
  const document = pdfDocument(PDF, SIZE, [
    cut,
    ['PageSize', 'nameWithoutLanguage', ['A4']],
    ['copies', 'integer', [7]],
    ['page-ranges', 'nameWithoutLanguage', ['5']],
    ['job-sheets', 'nameWithoutLanguage', ['standard,none']],
    ['sides', 'keyword', ['two-sided-long-edge']]
  ])
  expect(document).toMatchObject({ format: 'application/pdf', bytes: PDF })
  const attributes = new Map(document.attributes.map(([name, , values]) => [name, values]))
  expect(attributes.size).toBe(document.attributes.length)
  expect(Object.fromEntries(attributes)).toEqual({
    booklet: [false],
    copies: [1],
    'crop-to-fit': [false],
    fill: [false],
    'fit-to-page': [false],
    fitplot: [false],
    'job-sheets': ['none'],
    media: ['iso_a6_105x148mm'],
    mirror: [false],
    'number-up': [1],
    'orientation-requested': [3],
    'page-border': ['none'],
    'page-label': [''],
    'page-ranges': [{ from: 1, to: 2_147_483_647 }],
    'page-set': ['all'],
    'print-scaling': ['none'],
    sides: ['one-sided'],
    TmtPaperCut: ['CutPerPage']
  })
})
