/** Where a slip goes once it is laid out: the seam between the life of a slip and paper. */
import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { err, ok, type Result } from '../../contract/failure.ts'
import type { PrintDestination } from '../../contract/printing.ts'
import { writeFileAtomic } from '../fs/atomic-write.ts'
import type { LogDetails, Logger } from '../log/log.ts'
import type { PrintablePdf } from '../slip-pdf/slip-pdf-renderer.ts'

/** One print job: a page for each slip in it. */
export interface PaperJob extends PrintablePdf {
  /** what the queue shows, and what a file is named after; no customer's name */
  readonly title: string
  /** the ids that tie its lines in the log together */
  readonly trace: LogDetails
}

export interface Delivered {
  /** full path of the PDF; null where no file is left */
  readonly file: string | null
}

/**
 * Takes a job to its place and answers when it is there for good, or with a failure that says whether it may come
 * out all the same. `signal` gives the job up. Never rejects.
 */
export type Deliver = (job: PaperJob, to: PrintDestination, signal: AbortSignal) => Promise<Result<Delivered>>

/** Prints on a printer: `print` of the till's printing. */
export type PrintOnPrinter = (
  job: PaperJob,
  to: PrintDestination,
  signal: AbortSignal
) => Promise<Result<unknown>>

/** Brings both together: files go to the folder, everything else to the printers. */
export const createDeliver =
  (toFolder: (job: PaperJob) => Promise<Result<Delivered>>, print: PrintOnPrinter): Deliver =>
  async (job, to, signal) => {
    if (to.kind === 'folder') return toFolder(job)
    const printed = await print(job, to, signal)
    return printed.ok ? { ok: true, value: { file: null } } : printed
  }

/* from folder.ts: A folder as destination: each job a PDF named after its title, whole or not there. */

/** Files with one name tried before giving up: only codes that differ in case alone, or a reused code, collide. */
const MOST_NAMESAKES = 1000

const readIfThere = async (path: string): Promise<Buffer | null> => {
  try {
    return await readFile(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/**
 * Writes `<title>.pdf`. A file that holds another slip is never overwritten: a namesake (a file system that ignores
 * case, a code that a service gave twice) gets `<title>~2.pdf`. The same slip again finds its own bytes and keeps them.
 */
async function keep(folder: string, title: string, pdf: Uint8Array): Promise<string> {
  await mkdir(folder, { recursive: true })
  const name = fileNameOf(title)
  for (let namesake = 1; namesake <= MOST_NAMESAKES; namesake++) {
    const path = join(folder, namesake === 1 ? `${name}.pdf` : `${name}~${String(namesake)}.pdf`)
    const held = await readIfThere(path)
    if (held?.equals(pdf) === true) return path
    if (held !== null) continue
    await writeFileAtomic(path, pdf)
    return path
  }
  throw new Error(`The folder holds ${String(MOST_NAMESAKES)} other slips named ${name}`)
}

/**
 * Slips go to `folder`, made when absent. The same job again is harmless. One that cannot be written is the failure
 * `not-saved`.
 */
export function createFolder(folder: string, log: Logger): (job: PaperJob) => Promise<Result<Delivered>> {
  /** One at a time: two slips must not find the same name free. */
  let last: Promise<unknown> = Promise.resolve()
  return async ({ title, pdf, trace }) => {
    const write = last.then(() => keep(folder, title, pdf))
    last = write.catch(() => undefined)
    try {
      return ok({ file: await write })
    } catch (error) {
      log.error('slip-file-not-written', { error, ...trace })
      return err({ kind: 'not-saved', what: 'slip' })
    }
  }
}

/* from file-name.ts: A file name for any code: codes have no documented form, so one may hold path separators or anything else. */

/** File systems take 255 bytes a name; the rest is room for what is put around it. */
const LONGEST = 160

/** Names that Windows keeps for devices, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

const escaped = (byte: number): string => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`

/**
 * A name without extension that stays inside its folder on every system: letters, digits, `-`, `_` and inner dots
 * as they are, every other byte of UTF-8 as `%XX`. Different codes have different names; a code too long for a
 * name is cut and told apart by its SHA-256.
 */
export function fileNameOf(code: string): string {
  const bytes = Buffer.from(code.toWellFormed(), 'utf8')
  let name = ''
  for (const [index, byte] of bytes.entries()) {
    const character = String.fromCharCode(byte)
    const edge = index === 0 || index === bytes.length - 1
    const plain = /[A-Za-z0-9_-]/.test(character) || (character === '.' && !edge)
    name += plain ? character : escaped(byte)
  }
  if (DEVICE.test(name)) name = escaped(bytes[0] ?? 0) + name.slice(1)
  if (name.length <= LONGEST) return name
  return `${name.slice(0, LONGEST - 65)}~${createHash('sha256').update(code).digest('hex')}`
}
