/** Submits a PDF to a Windows queue with SumatraPDF, which pdf-to-printer contains. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { sheetOf, type PrintJob } from '../print-job.ts'

/** The version in pdf-to-printer 5.8.1. */
const SUMATRA = 'SumatraPDF-3.4.6-32.exe'

/**
 * Full path of SumatraPDF, given the path that `pdf-to-printer` resolves to. Windows cannot start a program inside the
 * app's archive. pdf-to-printer looks for the unpacked copy only when the main module is CommonJS, and here it is not.
 */
export const sumatraPath = (resolved: string): string =>
  join(dirname(resolved), SUMATRA).replace(/app\.asar(?=[\\/])/, 'app.asar.unpacked')

/** A file, a queue, the driver's paper form (null: its default) and the number of copies. */
export interface SpoolerJob {
  readonly file: string
  readonly queue: string
  readonly form: string | null
  readonly copies: number
}

/** Submits a file to a queue. Resolves when the spooler has it; rejects when SumatraPDF fails. */
export type SubmitToSpooler = (job: SpoolerJob) => Promise<void>

/** @param program default: SumatraPDF of pdf-to-printer */
export const createSpoolerSubmit =
  (program?: string): SubmitToSpooler =>
  async ({ file, queue, form, copies }) => {
    const { default: pdfToPrinter } = await import('pdf-to-printer')
    await pdfToPrinter.print(file, {
      printer: queue,
      scale: 'noscale',
      copies,
      ...(form !== null && { paperSize: form }),
      sumatraPdfPath: program ?? sumatraPath(createRequire(import.meta.url).resolve('pdf-to-printer'))
    })
  }

/** The size in a driver's name of a form: `80 x 297 mm`, `80(72)x 3276mm`, `Roll Paper 58x210`. */
const FORM_SIZE = /(\d+(?:[.,]\d+)?)\s*(?:mm)?\s*(?:\([^)]*\))?\s*(?:mm)?\s*[x×*]\s*(\d+(?:[.,]\d+)?)/i

/** Tolerated difference between a form and the slip's paper: drivers round. */
const FORM_TOLERANCE_MM = 1

const parseForm = (form: string): { form: string; width: number; height: number } | null => {
  const parts = FORM_SIZE.exec(form)
  if (parts === null) return null
  const [width, height] = [parts[1], parts[2]].map((part) => Number(part?.replace(',', '.')))
  return width === undefined || height === undefined ? null : { form, width, height }
}

/**
 * The name of the driver's form for this job: the sheet's own, or of the forms as wide as the roll the shortest that is
 * long enough. Null when no name matches: then the driver's default form is used.
 */
export function paperForm(forms: readonly string[], job: PrintJob): string | null {
  const sheet = sheetOf(job)
  // A comma separates SumatraPDF's print settings, and cannot be escaped.
  const usable = forms.filter((form) => !form.includes(','))
  if (sheet !== null) {
    const exact = usable.find((form) => form.toLowerCase() === sheet.toLowerCase())
    return exact ?? usable.find((form) => new RegExp(`^${sheet}\\b`, 'i').test(form)) ?? null
  }
  const fitting = usable
    .map(parseForm)
    .filter((size) => size !== null)
    .filter(({ width }) => Math.abs(width - job.widthMillimetres) <= FORM_TOLERANCE_MM)
    .filter(({ height }) => height + FORM_TOLERANCE_MM >= job.heightMillimetres)
    .sort((one, other) => one.height - other.height)
  return fitting[0]?.form ?? null
}

/** Prefix of the folders of `withTemporaryPdf` in the system's temporary folder. */
const TEMPORARY_PREFIX = 'tillpoints-print-'

/**
 * Calls `use` with the path of a file that contains `pdf`, readable by this user only, and deletes it afterwards: a
 * slip is worth points, so no copy may remain. The file's name is unique, so that the spooler's job is found by it.
 */
export async function withTemporaryPdf<Outcome>(
  pdf: Uint8Array,
  use: (path: string) => Promise<Outcome>
): Promise<Outcome> {
  // mkdtemp creates the folder with mode 0700.
  const folder = await mkdtemp(join(tmpdir(), TEMPORARY_PREFIX))
  try {
    const path = join(folder, `${randomUUID()}.pdf`)
    await writeFile(path, pdf, { mode: 0o600 })
    return await use(path)
  } finally {
    // Windows refuses while a program that was given up has the file open: see `removeTemporaryPdfs`.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined)
  }
}

/**
 * Removes what `withTemporaryPdf` could not remove, at least `minAgeMs` old. Resolves with the number of folders; those
 * that are still in use stay. Never rejects.
 */
export async function removeTemporaryPdfs(now: Date, minAgeMs: number): Promise<number> {
  const names = await readdir(tmpdir()).catch(() => [])
  let removed = 0
  for (const name of names.filter((one) => one.startsWith(TEMPORARY_PREFIX))) {
    const folder = join(tmpdir(), name)
    try {
      if (now.getTime() - (await stat(folder)).mtimeMs < minAgeMs) continue
      await rm(folder, { recursive: true })
      removed++
    } catch {
      // In use, or of another account.
    }
  }
  return removed
}
