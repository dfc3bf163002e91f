/**
 * Queues of the Windows spooler, and what SumatraPDF needs to submit a PDF to one: its path, its arguments, a paper form
 * and a file.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { ok, type Result } from '../../../contract/failure.ts'
import { sheetOf } from '../../../contract/paper.ts'
import type {
  OfferedPapers,
  Printer,
  PrinterState,
  PrintFault,
  RawQueueConnection,
  SystemQueue
} from '../../../contract/printing.ts'
import type { ExecResult } from '../../exec.ts'
import {
  isPdf,
  type MonitoredJob,
  notPrinted,
  type PrintControl,
  type PrintDocument,
  type PrintJob,
  type PrintResult,
  refusedSize,
  type SystemPrinting,
  type SystemPrintingOptions,
  timeoutsFor,
  waitForJob
} from '../print-job.ts'
import { offeredPapers, pagesOf } from '../pages.ts'
import {
  isHeld,
  isTextOnlyQueue,
  jobsSchema,
  parseOutput,
  portUri,
  queuesSchema,
  runScript,
  type Script,
  type ScriptValues,
  takesCommands,
  windowsJobStatus,
  type WindowsQueue,
  windowsQueueFault
} from './powershell.ts'
import { rawFailure, rawResultSchema } from './raw-printer.ts'

const stateOf = (queue: WindowsQueue): PrinterState => {
  const fault = windowsQueueFault(queue)
  if (fault !== null) return { kind: 'hindered', fault }
  if (/Printing|Busy|Processing/i.test(queue.Status)) return { kind: 'printing' }
  return /Normal|Idle|^0?$/i.test(queue.Status) ? { kind: 'ready' } : { kind: 'unknown' }
}

/**
 * The result of a program that submits a job and did not end as it should. Once it was started, it may have submitted the
 * job: a program that is killed has the exit code 1, as one that refuses.
 */
const unknownEnd = ({ code, cause }: ExecResult) =>
  cause === undefined ? notPrinted(code === null ? 'timeout' : 'aborted', true) : notPrinted('aborted')

export class WindowsPrinting implements SystemPrinting {
  readonly #options: SystemPrintingOptions

  constructor(options: SystemPrintingOptions) {
    this.#options = options
  }

  async list(): Promise<Result<readonly Printer[]>> {
    const queues = await this.#queues('list')
    if (queues === null) return notPrinted('print-system-down')
    return ok(
      queues.map((queue) => ({
        kind: 'queue',
        name: queue.Name,
        description: queue.Comment || queue.Location || queue.DriverName,
        state: stateOf(queue),
        isDefault: queue.Default,
        isRaw: isTextOnlyQueue(queue),
        offered: offeredBy(queue),
        reportsDeletedJobs: false,
        deviceUri: portUri(queue)
      }))
    )
  }

  async print(job: PrintJob, { name }: SystemQueue, control: PrintControl): Promise<PrintResult> {
    if (!isPdf(job.pdf)) return notPrinted('bad-document')
    const queue = await this.#readyQueue(name)
    if (typeof queue === 'string') return notPrinted(queue)
    if (isTextOnlyQueue(queue)) return notPrinted('refused-pdf')
    if (control.signal.aborted) return notPrinted('cancelled-here')
    const form = paperForm(queue, job)
    const pdf = form?.isHeadWide === true ? await job.headPdf?.() : job.pdf
    if (form === null || pdf === undefined) return refusedSize(offeredBy(queue, job.heightMillimetres))
    return withTemporaryFile(pdf, '.pdf', (file) => this.#printFile(file, form.name, job, name, control))
  }

  /** A queue with a driver takes commands as well, since the data type bypasses it. */
  async printRaw(
    bytes: Uint8Array,
    job: PrintJob,
    { name }: RawQueueConnection,
    control: PrintControl
  ): Promise<PrintResult> {
    const queue = await this.#readyQueue(name)
    if (typeof queue === 'string') return notPrinted(queue)
    if (!takesCommands(queue)) return notPrinted('refused-commands')
    if (control.signal.aborted) return notPrinted('cancelled-here')
    return withTemporaryFile(bytes, '.bin', (file) => this.#printRawFile(file, job, name, control))
  }

  /** The queue of this name, or the fault that makes submitting a job pointless. */
  async #readyQueue(name: string): Promise<WindowsQueue | PrintFault> {
    const queues = await this.#queues('queue', { queue: name })
    if (queues === null) return 'print-system-down'
    const queue = queues.find(({ Name }) => Name === name)
    if (queue === undefined) return 'unknown-queue'
    // Faults of paper and cover may be left from the last job; these two are the queue's own.
    const fault = windowsQueueFault(queue)
    return fault === 'queue-paused' || fault === 'printer-offline' ? fault : queue
  }

  async #printRawFile(
    file: string,
    job: PrintJob,
    queue: string,
    control: PrintControl
  ): Promise<PrintResult> {
    const document = basename(file, '.bin')
    const output = await this.#run('raw', { queue, file, document: `${job.title} ${document}` })
    const result = parseOutput(rawResultSchema, output)
    if (result === null) return unknownEnd(output)
    if (result.Call !== null) {
      this.#options.log.error('print-job-refused', { ...result, ...job.trace })
      return rawFailure(result)
    }
    const timeouts = timeoutsFor(job, this.#options.timeouts)
    return waitForJob(this.#spooledJob(queue, document), { printer: queue, job: null }, timeouts, control)
  }

  async #printFile(
    file: string,
    form: string,
    job: PrintJob,
    queue: string,
    control: PrintControl
  ): Promise<PrintResult> {
    const { exec, environment, log } = this.#options
    const timeouts = timeoutsFor(job, this.#options.timeouts)
    const submission = { file, queue, form }
    const ended = await exec(sumatraPath(), sumatraArguments(submission), {
      environment,
      timeout: timeouts.job
    })
    if (ended.code !== 0) {
      log.error('print-job-refused', { exitCode: ended.code, cause: ended.cause, ...job.trace })
      return unknownEnd(ended)
    }
    // The spooler's document name contains the file's name, which is unique.
    const spooled = this.#spooledJob(queue, basename(file, '.pdf'))
    return waitForJob(spooled, { printer: queue, job: null }, timeouts, control)
  }

  /** @param document a part of the document's name that no other document has */
  #spooledJob(queue: string, document: string): MonitoredJob {
    const jobs = async () => parseOutput(jobsSchema, await this.#run('job', { queue, document }))
    let wasHeld = false
    return {
      status: async () => {
        const output = await jobs()
        if (output === null) return { kind: 'pending', hindrance: 'print-system-down', isAtPrinter: true }
        const status = windowsJobStatus(output, wasHeld)
        wasHeld = isHeld(output)
        return status
      },
      cancel: async () => {
        const job = (await jobs())?.Jobs[0]?.Id
        if (job === undefined) return 'unknown'
        const { code } = await this.#run('remove', { queue, job })
        const left = await jobs()
        // A job that the printer is reading remains until it is done; one that was printed meanwhile cannot be removed.
        return code === 0 && left?.Jobs.length === 0 ? 'gone' : 'unknown'
      }
    }
  }

  async #queues(
    script: 'list' | 'queue',
    values: ScriptValues = {}
  ): Promise<readonly WindowsQueue[] | null> {
    return parseOutput(queuesSchema, await this.#run(script, values))
  }

  async #run(script: Script, values: ScriptValues): Promise<ExecResult> {
    const { exec, environment, log } = this.#options
    const result = await runScript(exec, script, values, environment)
    if (result.code !== 0)
      log.error('spooler-not-responding', { exitCode: result.code, stderr: result.stderr })
    return result
  }
}

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

/** A file, a queue, and the driver's paper form. */
export interface SpoolerJob {
  readonly file: string
  readonly queue: string
  readonly form: string
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
  // Once and on one side, whatever the driver's defaults are.
  `noscale,1x,simplex,paper=${form}`,
  file
]

/** A paper form of a driver. */
interface PaperForm {
  readonly name: string
  /** true: as wide as the print head, without the roll's margins; it takes what `headPdf` gives */
  readonly isHeadWide: boolean
}

/** The size in a driver's name of a form: `80 x 297 mm`, `80(72)x 3276mm`, `72mm x 200mm`, `Roll Paper 58x210`. */
const FORM_SIZE = /(\d+(?:[.,]\d+)?)\s*(?:mm)?\s*(?:\([^)]*\))?\s*(?:mm)?\s*[x×*]\s*(\d+(?:[.,]\d+)?)/i

/** Tolerated difference between a form and the slip's paper: drivers round. */
const FORM_TOLERANCE_MM = 1

/** A form with its size in millimetres. */
interface FormSize {
  readonly name: string
  /** the rest of the name in small letters, without spaces, brackets and the unit */
  readonly words: string
  readonly width: number
  readonly height: number
}

const MILLIMETRES_PER_HUNDREDTH_INCH = 0.254

/** The driver's own size of a form, else the one in its name; null without either. */
const sizeOfForm = (name: string, sizes: WindowsQueue['Sizes']): FormSize | null => {
  const size = sizes.find(({ Name }) => Name === name)
  const parts = FORM_SIZE.exec(name)
  const [width, height] =
    size === undefined
      ? (parts ?? []).slice(1).map((part) => Number(part.replace(',', '.')))
      : [size.Width, size.Height].map((length) => length * MILLIMETRES_PER_HUNDREDTH_INCH)
  const words = name
    .replace(FORM_SIZE, '')
    .replaceAll(/[\s()]|mm/gi, '')
    .toLowerCase()
  return width === undefined || height === undefined ? null : { name, words, width, height }
}

/**
 * Returns the driver's form for a document: the sheet's own, or of the forms as wide as the roll, else as its print head,
 * the shortest that is long enough. Null when none matches: the driver's default form could crop the page.
 */
export function paperForm(
  { Papers, Sizes }: Pick<WindowsQueue, 'Papers' | 'Sizes'>,
  document: Pick<PrintDocument, 'widthMillimetres' | 'heightMillimetres'>
): PaperForm | null {
  const sheet = sheetOf(document)
  // SumatraPDF splits its print settings at both, and they cannot be escaped.
  const usable = Papers.filter((form) => !/[,;]/.test(form))
  const sizes = usable.map((name) => sizeOfForm(name, Sizes)).filter((size) => size !== null)
  if (sheet !== null) {
    const isSameSize = ({ width, height }: FormSize): boolean =>
      Math.abs(width - document.widthMillimetres) <= FORM_TOLERANCE_MM &&
      Math.abs(height - document.heightMillimetres) <= FORM_TOLERANCE_MM
    const name =
      usable.find((form) => form.toLowerCase() === sheet.toLowerCase()) ??
      // Not `A4 Rotated`, `A4 Small` or `A4 Extra`.
      sizes.find((size) => ['', sheet.toLowerCase()].includes(size.words) && isSameSize(size))?.name
    return name === undefined ? null : { name, isHeadWide: false }
  }
  for (const { widthMillimetres, heightMillimetres, isHeadWide } of pagesOf(document)) {
    const [shortest] = sizes
      .filter(({ width }) => Math.abs(width - widthMillimetres) <= FORM_TOLERANCE_MM)
      .filter(({ height }) => height + FORM_TOLERANCE_MM >= heightMillimetres)
      .sort((one, other) => one.height - other.height)
    if (shortest !== undefined) return { name: shortest.name, isHeadWide }
  }
  return null
}

/** `minLength` as in `offeredPapers`. */
const offeredBy = (queue: WindowsQueue, minLength = 0): OfferedPapers =>
  offeredPapers((document) => paperForm(queue, document) !== null, queue.Papers, minLength)

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
