/**
 * The exact command line that Windows would run. pdf-to-printer asks the system whether it is Windows, which is the one
 * thing told otherwise here; the program that it starts is a script that writes its arguments down.
 */
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  createSpoolerSubmit,
  paperForm,
  removeTemporaryPdfs,
  sumatraPath,
  withTemporaryPdf
} from '../../../../../electron/main/printing/windows/submit-job.ts'

describe.runIf(process.platform !== 'win32')('SumatraPDF', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(os.tmpdir(), 'sumatra-'))
    vi.spyOn(os, 'platform').mockReturnValue('win32')
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    await rm(folder, { recursive: true })
  })

  /** A program that writes its arguments to a file, one a line, and ends with `code`. */
  const recorder = async (code: number): Promise<{ program: string; lines: () => Promise<string[]> }> => {
    const program = join(folder, 'sumatra.sh')
    const args = join(folder, 'args')
    await writeFile(program, `#!/bin/sh\nprintf '%s\\n' "$@" > '${args}'\nexit ${code}\n`)
    await chmod(program, 0o755)
    return { program, lines: async () => (await readFile(args, 'utf8')).trimEnd().split('\n') }
  }

  test.each([
    { form: '80(72)x 297mm', copies: 1, settings: 'noscale,paper=80(72)x 297mm,1x' },
    { form: null, copies: 3, settings: 'noscale,3x' }
  ])('gets $settings', async ({ form, copies, settings }) => {
    const { program, lines } = await recorder(0)
    const file = join(folder, 'a.pdf')
    await writeFile(file, '%PDF-1.7')
    await createSpoolerSubmit(program)({ file, queue: 'Bon “Theke” $(1)', form, copies })
    expect(await lines()).toEqual([
      '-print-to',
      'Bon “Theke” $(1)',
      '-silent',
      '-print-settings',
      settings,
      file
    ])
  })

  test('with a failing exit code accepted no job', async () => {
    const { program } = await recorder(1)
    const file = join(folder, 'a.pdf')
    await writeFile(file, '%PDF-1.7')
    await expect(createSpoolerSubmit(program)({ file, queue: 'Q', form: null, copies: 1 })).rejects.toThrow()
  })
})

test('SumatraPDF is started from the unpacked folder, not from the archive', () => {
  const inside = '/till/resources/app.asar/node_modules/pdf-to-printer/dist/bundle.js'
  expect(sumatraPath(inside)).toBe(
    join('/till/resources/app.asar.unpacked/node_modules/pdf-to-printer/dist/SumatraPDF-3.4.6-32.exe')
  )
})

test('the program is the one in pdf-to-printer', async () => {
  const { createRequire } = await import('node:module')
  const { existsSync } = await import('node:fs')
  expect(existsSync(sumatraPath(createRequire(import.meta.url).resolve('pdf-to-printer')))).toBe(true)
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
  [RECEIPT, job(80, 4000), null],
  [['79.5 x 297mm'], job(80, 120), '79.5 x 297mm'],
  [['Letter', 'A4', 'A6'], job(210, 297), 'A4'],
  [['A4 Small', 'A4'], job(210, 297), 'A4'],
  [['80,0 x 297 mm', '80 x 3276 mm'], job(80, 120), '80 x 3276 mm'],
  [['A4 (210 x 297 mm)'], job(210, 297), 'A4 (210 x 297 mm)'],
  [['Letter', 'A4'], job(105, 148), null],
  [[], job(80, 120), null]
])('of %o for %o: %o', (forms, slip, form) => {
  expect(paperForm(forms, slip)).toBe(form)
})

const PDF = Buffer.from('%PDF-1.7 slip')

test('the program gets a file that only this user can read, which is removed afterwards', async () => {
  const { path, mode, bytes } = await withTemporaryPdf(PDF, async (path) => ({
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
  const failing = withTemporaryPdf(PDF, (given) => {
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
    expect(await removeTemporaryPdfs(new Date(now + 1000), 60_000)).toBe(0)
    expect(await removeTemporaryPdfs(new Date(now + 61_000), 60_000)).toBe(1)
    expect(await readdir(temporary)).toEqual(['tillpoints-other'])
  } finally {
    vi.unstubAllEnvs()
    await rm(temporary, { recursive: true })
  }
})
