/** The folder that slips are saved to when no printer is selected. */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { err, ok, type Result } from '../../contract/failure.ts'
import { errorCode, writeFileAtomic } from '../fs/atomic-write.ts'
import type { LogDetails, Logger } from '../log/log.ts'
import type { PrintJob } from './print-job.ts'

/** A PDF to deliver: one page per slip. */
export interface SlipPrintJob extends PrintJob {
  /** the name of the file in the folder, without extension; holds no customer's name */
  readonly fileName: string
  /** ids for the log */
  readonly trace: LogDetails
}

/** The outcome of a delivered job. */
export interface DeliveredJob {
  /** full path of the saved PDF; null when it was printed */
  readonly file: string | null
}

/** File systems allow 255 bytes per name; the rest is for prefixes and suffixes. */
const MAX_NAME_LENGTH = 160

/** Device names of Windows, with any extension. */
const DEVICE_NAME = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/** Files with the same name that are tried: only codes that differ in case alone, or a reused code, collide. */
const MAX_SAME_NAME = 1000

const escapeByte = (byte: number): string => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`

/**
 * Returns a file name without extension for any code: codes have no documented form, and may hold path separators.
 * Letters, digits, `-`, `_` and inner dots stay, every other byte of UTF-8 becomes `%XX`. Different codes have
 * different names: a code that is too long is truncated and completed by its SHA-256.
 */
export function fileNameOf(code: string): string {
  const bytes = Buffer.from(code.toWellFormed(), 'utf8')
  let name = ''
  for (const [index, byte] of bytes.entries()) {
    const character = String.fromCharCode(byte)
    const isInner = index > 0 && index < bytes.length - 1
    const isPlain = /[A-Za-z0-9_-]/.test(character) || (character === '.' && isInner)
    name += isPlain ? character : escapeByte(byte)
  }
  if (DEVICE_NAME.test(name)) name = escapeByte(bytes[0] ?? 0) + name.slice(1)
  if (name.length <= MAX_NAME_LENGTH) return name
  return `${name.slice(0, MAX_NAME_LENGTH - 65)}~${createHash('sha256').update(code).digest('hex')}`
}

const readIfExists = async (path: string): Promise<Buffer | null> => {
  try {
    return await readFile(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/** Returns whether a file is the PDF of a slip in `names` (from `fileNameOf`), or of one of its copies. */
function isPdfOf(names: ReadonlySet<string>, file: string): boolean {
  if (!file.endsWith('.pdf')) return false
  const stem = file.slice(0, -'.pdf'.length)
  const first = stem.replace(/~\d+$/, '')
  return [stem, first, first.replace(/-COPY-\d+$/, '')].some((name) => names.has(name))
}

/** Saves each job as a PDF. */
export class SlipFolder {
  readonly #folder: string
  readonly #log: Logger
  /** One write at a time: two slips must not take the same name. */
  #lastWrite: Promise<unknown> = Promise.resolve()

  /** `folder` is created with the first slip. */
  constructor(folder: string, log: Logger) {
    this.#folder = folder
    this.#log = log
  }

  /** Saves a job. The same job again finds its own file. Resolves with `not-saved` when the disk fails; never rejects. */
  async save({
    fileName,
    pdf,
    trace
  }: Pick<SlipPrintJob, 'fileName' | 'pdf' | 'trace'>): Promise<Result<DeliveredJob>> {
    const write = this.#lastWrite.then(() => this.#write(fileName, pdf))
    this.#lastWrite = write.catch(() => undefined)
    try {
      return ok({ file: await write })
    } catch (error) {
      this.#log.error('slip-file-not-written', { error, ...trace })
      return err({ kind: 'not-saved', what: 'slip' })
    }
  }

  /** Returns the full paths of the PDFs of these codes, copies included. Rejects with the file system's error. */
  async pdfsOf(codes: readonly string[]): Promise<string[]> {
    const names = new Set(codes.map(fileNameOf))
    const files = await this.#list()
    return files.filter((file) => isPdfOf(names, file)).map((file) => join(this.#folder, file))
  }

  /** Removes the PDFs of these codes, copies included. Resolves with their number. Rejects with the file system's error. */
  async removePdfsOf(codes: readonly string[]): Promise<number> {
    let removed = 0
    // Again, until there is none: a reprint may save one meanwhile.
    for (let paths = await this.pdfsOf(codes); paths.length > 0; paths = await this.pdfsOf(codes)) {
      for (const path of paths) await rm(path, { force: true })
      removed += paths.length
    }
    return removed
  }

  /**
   * Removes the PDFs that were written before `before`, except those of `keep` (file names without extension), and what
   * killed processes left of others. Resolves with their number. Rejects with the file system's error.
   */
  async removeOld(before: Date, keep: readonly string[]): Promise<number> {
    const names = new Set(keep.map(fileNameOf))
    let removed = 0
    for (const file of await this.#list()) {
      const path = join(this.#folder, file)
      if (!/\.(pdf|part)$/.test(file) || isPdfOf(names, file) || (await stat(path)).mtime >= before) continue
      await rm(path)
      removed++
    }
    return removed
  }

  async #list(): Promise<string[]> {
    try {
      return await readdir(this.#folder)
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return []
      throw error
    }
  }

  /** Writes `<name>.pdf`. A file with other content is never overwritten: the slip becomes `<name>~2.pdf`. */
  async #write(fileName: string, pdf: Uint8Array): Promise<string> {
    await mkdir(this.#folder, { recursive: true })
    const name = fileNameOf(fileName)
    for (let count = 1; count <= MAX_SAME_NAME; count++) {
      const path = join(this.#folder, count === 1 ? `${name}.pdf` : `${name}~${String(count)}.pdf`)
      const existing = await readIfExists(path)
      if (existing?.equals(pdf) === true) return path
      if (existing !== null) continue
      await writeFileAtomic(path, pdf)
      return path
    }
    throw new Error(`The folder holds ${String(MAX_SAME_NAME)} other slips named ${name}`)
  }
}
