/** SumatraPDF, as pdf-to-printer brings it: hands a PDF to a queue of Windows. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { sheetOf, type PrintJob } from '../print-job.ts'

/** The version that pdf-to-printer 5.8.1 brings. */
const PROGRAM = 'SumatraPDF-3.4.6-32.exe'

/**
 * Full path of the program. Inside the packed application Windows cannot start it from the archive. pdf-to-printer
 * looks for the unpacked copy only where the main module is CommonJS, and the till's is not.
 */
export function sumatraPath(resolved: string): string {
  return join(dirname(resolved), PROGRAM).replace(/app\.asar(?=[\\/])/, 'app.asar.unpacked')
}

/** A file, a queue, the driver's paper form (null: its default) and the number of copies. */
export interface SpoolerJob {
  readonly file: string
  readonly queue: string
  readonly form: string | null
  readonly copies: number
}

/** Hands a file to a queue. Resolves when the spooler has it; rejects when SumatraPDF says no. */
export type SubmitToSpooler = (handOver: SpoolerJob) => Promise<void>

/** The way that a till prints; `program` instead of the one that pdf-to-printer brings. */
export const createSpoolerSubmit =
  (program?: string): SubmitToSpooler =>
  async ({ file, queue, form, copies }) => {
    const { print } = await import('pdf-to-printer')
    await print(file, {
      printer: queue,
      scale: 'noscale',
      copies,
      ...(form !== null && { paperSize: form }),
      sumatraPdfPath: program ?? sumatraPath(createRequire(import.meta.url).resolve('pdf-to-printer'))
    })
  }

/* from paper-form.ts: The driver's paper form that a slip goes on: on Windows paper has a name, and only the driver knows which. */

/** A form's size in a driver's name for it: `80 x 297 mm`, `80(72)x 3276mm`, `Roll Paper 58x210`. */
const SIZE = /(\d+(?:[.,]\d+)?)\s*(?:mm)?\s*(?:\([^)]*\))?\s*(?:mm)?\s*[x×*]\s*(\d+(?:[.,]\d+)?)/i

/** Millimetres that a form may be wider than the slip's paper: drivers round. */
const TOLERANCE = 1

const sizeOf = (form: string): { form: string; width: number; height: number } | null => {
  const parts = SIZE.exec(form)
  if (parts === null) return null
  const [width, height] = [parts[1], parts[2]].map((part) => Number(part?.replace(',', '.')))
  return width === undefined || height === undefined ? null : { form, width, height }
}

/**
 * The name of the form for this slip: the sheet's own, or of the forms as wide as the roll the shortest that holds
 * the slip. Null when none fits by its name: then the driver's default form is used.
 */
export function paperForm(forms: readonly string[], job: PrintJob): string | null {
  const sheet = sheetOf(job)
  if (sheet !== null) return forms.find((form) => new RegExp(`^${sheet}\\b`, 'i').test(form)) ?? null
  const fitting = forms
    .map(sizeOf)
    .filter((size) => size !== null)
    .filter(({ width }) => Math.abs(width - job.widthMillimetres) <= TOLERANCE)
    .filter(({ height }) => height + TOLERANCE >= job.heightMillimetres)
    .sort((one, other) => one.height - other.height)
  return fitting[0]?.form ?? null
}

/**
 * Runs `use` with the path of a file that holds `pdf`, readable by this user alone, and removes it afterwards:
 * a slip is worth points, so no copy of one stays behind. The file's name is its own, so that a print system's job can
 * be told by it.
 */
export async function withTemporaryPdf<Result>(
  pdf: Uint8Array,
  use: (path: string) => Promise<Result>
): Promise<Result> {
  // mkdtemp makes the folder 0700
  const folder = await mkdtemp(join(tmpdir(), 'tillpoints-'))
  try {
    const path = join(folder, `${randomUUID()}.pdf`)
    await writeFile(path, pdf, { mode: 0o600 })
    return await use(path)
  } finally {
    // Windows refuses while a program that was given up has the file open; the system's own cleaning is left then.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined)
  }
}
