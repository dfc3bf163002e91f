/** What SumatraPDF is given: its arguments, the driver's form, the pages and the file. */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import {
  paperForm,
  removeTemporaryFiles,
  sumatraArguments,
  sumatraPath,
  withTemporaryFile
} from '../../../../../electron/main/printing/windows/windows-printing.ts'

test('SumatraPDF gets the form, and keeps its own settings beside the file', () => {
  const file = join('/tmp', 'job', 'a.pdf')
  const job = { file, queue: 'Bon “Theke” $(1)', form: '80(72)x 297mm' }
  expect(sumatraArguments(job)).toEqual([
    '-appdata',
    join('/tmp', 'job'),
    '-print-to',
    'Bon “Theke” $(1)',
    '-silent',
    '-print-settings',
    'noscale,1x,simplex,paper=80(72)x 297mm',
    file
  ])
})

test('SumatraPDF is started from the unpacked folder, not from the archive', () => {
  const inside = '/till/resources/app.asar/node_modules/pdf-to-printer/package.json'
  expect(sumatraPath(inside)).toBe(
    join('/till/resources/app.asar.unpacked/node_modules/pdf-to-printer/dist/SumatraPDF-3.4.6-32.exe')
  )
})

test('the program is in pdf-to-printer', () => {
  expect(existsSync(sumatraPath())).toBe(true)
})

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
  [RECEIPT, job(80, 4000), undefined],
  [['79.5 x 297mm'], job(80, 120), '79.5 x 297mm'],
  [['Letter', 'A4', 'A6'], job(210, 297), 'A4'],
  [['A4 Small', 'A4'], job(210, 297), 'A4'],
  [['80,0 x 297 mm', '80 x 400; mm', '80 x 3276 mm'], job(80, 120), '80 x 3276 mm'],
  [['A4 (210 x 297 mm)'], job(210, 297), 'A4 (210 x 297 mm)'],
  [['A4', '105 x 148 mm'], job(105, 148), '105 x 148 mm'],
  [['A6 Rotated', 'A6 (148 x 105 mm)', 'A6 Card 105 x 148 mm'], job(105, 148), undefined],
  [['A4 Small', 'A4 Extra', 'A4 Rotated'], job(210, 297), undefined],
  [['Letter', 'A4'], job(105, 148), undefined],
  [[], job(80, 120), undefined]
])('of %o for %o: %o', (forms, slip, name) => {
  expect(paperForm({ Papers: [...forms], Sizes: [] }, slip)?.name).toBe(name)
})

test('the size that the driver reports counts before the one in the name of a form', () => {
  const Papers = ['Receipt', '80 x 3276 mm', '80(72) x 200 mm']
  const Sizes = [
    { Name: 'Receipt', Width: 315, Height: 1181 },
    { Name: '80 x 3276 mm', Width: 315, Height: 12_898 },
    { Name: '80(72) x 200 mm', Width: 283, Height: 787 }
  ]
  expect(paperForm({ Papers, Sizes }, job(80, 120))).toEqual({ name: 'Receipt', isHeadWide: false })
  expect(paperForm({ Papers, Sizes: Sizes.slice(1) }, job(80, 120))?.name).toBe('80 x 3276 mm')
  expect(paperForm({ Papers: Papers.slice(2), Sizes }, job(80, 120))).toEqual({
    name: '80(72) x 200 mm',
    isHeadWide: true
  })
})

test.each([
  [['72mm x 200mm', '72mm x 3276mm', '48mm x 200mm'], 80, { name: '72mm x 200mm', isHeadWide: true }],
  [['72mm x 200mm', '48mm * 200mm'], 58, { name: '48mm * 200mm', isHeadWide: true }],
  [['72mm x 200mm', '80mm x 300mm'], 80, { name: '80mm x 300mm', isHeadWide: false }],
  [['200mm x 300mm'], 210, null]
])(
  'of %o a roll of %i mm takes the form as wide as the roll, else as its print head',
  (forms, width, form) => {
    expect(paperForm({ Papers: [...forms], Sizes: [] }, job(width, 120))).toEqual(form)
  }
)

const PDF = Buffer.from('%PDF-1.7 slip')

test('the program gets a file that only this user can read, which is removed afterwards', async () => {
  const { path, mode, bytes } = await withTemporaryFile(PDF, '.pdf', async (path) => ({
    path,
    mode: (await stat(path)).mode & 0o777,
    bytes: await readFile(path)
  }))
  // Windows has no modes.
  if (process.platform !== 'win32') expect(mode).toBe(0o600)
  expect(bytes).toEqual(PDF)
  await expect(stat(path)).rejects.toThrow('ENOENT')
})

test('the file is removed after a failure, too', async () => {
  let path = ''
  const failing = withTemporaryFile(PDF, '.pdf', (given) => {
    path = given
    return Promise.reject(new Error('no spooler'))
  })
  await expect(failing).rejects.toThrow('no spooler')
  await expect(stat(path)).rejects.toThrow('ENOENT')
})

test('files that could not be removed are removed later, after their maximum age', async () => {
  const temporary = await mkdtemp(join(os.tmpdir(), 'temporary-'))
  vi.stubEnv('TMPDIR', temporary)
  try {
    const leftover = join(temporary, 'tillpoints-print-abc')
    await mkdir(leftover)
    await writeFile(join(leftover, 'slip.pdf'), PDF)
    await mkdir(join(temporary, 'tillpoints-other'))
    const now = Date.now()
    expect(await removeTemporaryFiles(new Date(now + 1000), 60_000)).toBe(0)
    expect(await removeTemporaryFiles(new Date(now + 61_000), 60_000)).toBe(1)
    expect(await readdir(temporary)).toEqual(['tillpoints-other'])
  } finally {
    vi.unstubAllEnvs()
    await rm(temporary, { recursive: true })
  }
})
