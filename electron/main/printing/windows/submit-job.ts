/** What SumatraPDF needs to submit a PDF to a Windows queue: its path, its arguments, a paper form and a file. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { millimetresOf, sheetOf, usualHeadWidth } from '../../../contract/paper.ts'
import type { PrintDocument } from '../print-job.ts'

/** The program in pdf-to-printer 5.8.1. Nothing else of that package is used. */
const SUMATRA = 'dist/SumatraPDF-3.4.6-32.exe'

/**
 * Returns the full path of SumatraPDF. Windows cannot start a program inside the app's archive, so its copy outside is
 * used there.
 * @param manifest path of pdf-to-printer's package.json
 */
export const sumatraPath = (
  manifest = createRequire(import.meta.url).resolve('pdf-to-printer/package.json')
): string => join(dirname(manifest), SUMATRA).replace(/app\.asar(?=[\\/])/, 'app.asar.unpacked')

/** A file, a queue, and the driver's paper form; null: its default. */
export interface SpoolerJob {
  readonly file: string
  readonly queue: string
  readonly form: string | null
}

/**
 * Returns the arguments that make SumatraPDF submit a file. Its settings go beside the file: by default they go beside
 * the program, which is part of the installed app.
 */
export const sumatraArguments = ({ file, queue, form }: SpoolerJob): readonly string[] => [
  '-appdata',
  dirname(file),
  '-print-to',
  queue,
  '-silent',
  '-print-settings',
  ['noscale', ...(form === null ? [] : [`paper=${form}`])].join(','),
  file
]

/** A paper form of a driver. */
interface PaperForm {
  readonly name: string
  /** true: as wide as the print head, without the roll's margins; it takes the `headPdf` */
  readonly isHeadWide: boolean
}

/** The size in a driver's name of a form: `80 x 297 mm`, `80(72)x 3276mm`, `72mm x 200mm`, `Roll Paper 58x210`. */
const FORM_SIZE = /(\d+(?:[.,]\d+)?)\s*(?:mm)?\s*(?:\([^)]*\))?\s*(?:mm)?\s*[x×*]\s*(\d+(?:[.,]\d+)?)/i

/** Tolerated difference between a form and the slip's paper: drivers round. */
const FORM_TOLERANCE_MM = 1

const parseForm = (name: string): { name: string; width: number; height: number } | null => {
  const parts = FORM_SIZE.exec(name)
  if (parts === null) return null
  const [width, height] = [parts[1], parts[2]].map((part) => Number(part?.replace(',', '.')))
  return width === undefined || height === undefined ? null : { name, width, height }
}

/**
 * Returns the driver's form for a document: the sheet's own, or of the forms as wide as the roll, else as its print head,
 * the shortest that is long enough. Null when no name matches: then the driver's default form is used.
 */
export function paperForm(
  forms: readonly string[],
  job: Pick<PrintDocument, 'widthMillimetres' | 'heightMillimetres'>
): PaperForm | null {
  const sheet = sheetOf(job)
  // SumatraPDF splits its print settings at both, and they cannot be escaped.
  const usable = forms.filter((form) => !/[,;]/.test(form))
  if (sheet !== null) {
    const name =
      usable.find((form) => form.toLowerCase() === sheet.toLowerCase()) ??
      usable.find((form) => new RegExp(`^${sheet}\\b`, 'i').test(form))
    return name === undefined ? null : { name, isHeadWide: false }
  }
  const sizes = usable.map(parseForm).filter((size) => size !== null)
  const shortest = (widthMillimetres: number): string | undefined =>
    sizes
      .filter(({ width }) => Math.abs(width - widthMillimetres) <= FORM_TOLERANCE_MM)
      .filter(({ height }) => height + FORM_TOLERANCE_MM >= job.heightMillimetres)
      .sort((one, other) => one.height - other.height)[0]?.name
  const rollWide = shortest(job.widthMillimetres)
  if (rollWide !== undefined) return { name: rollWide, isHeadWide: false }
  const headDots = usualHeadWidth(job.widthMillimetres)
  const headWide = headDots === null ? undefined : shortest(millimetresOf(headDots))
  return headWide === undefined ? null : { name: headWide, isHeadWide: true }
}

/** Prefix of the folders of `withTemporaryFile` in the system's temporary folder. */
const TEMPORARY_PREFIX = 'tillpoints-print-'

/**
 * Calls `use` with the path of a file that contains `bytes`, readable by this user only, and deletes it afterwards: a
 * slip is worth points, so no copy may remain. The file's name is unique, so that the spooler's job is found by it.
 */
export async function withTemporaryFile<Outcome>(
  bytes: Uint8Array,
  extension: '.pdf' | '.bin',
  use: (path: string) => Promise<Outcome>
): Promise<Outcome> {
  // mkdtemp creates the folder with mode 0700.
  const folder = await mkdtemp(join(tmpdir(), TEMPORARY_PREFIX))
  try {
    const path = join(folder, `${randomUUID()}${extension}`)
    await writeFile(path, bytes, { mode: 0o600 })
    return await use(path)
  } finally {
    // Windows refuses while a program that was given up has the file open: see `removeTemporaryFiles`.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined)
  }
}

/**
 * Removes what `withTemporaryFile` could not remove, at least `minAgeMs` old. Resolves with the number of folders; those
 * that are still in use stay. Never rejects.
 */
export async function removeTemporaryFiles(now: Date, minAgeMs: number): Promise<number> {
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
