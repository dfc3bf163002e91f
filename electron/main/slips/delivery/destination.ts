/** Where a slip goes once it is laid out: the seam between the life of a slip and paper. */
import type { Result } from '../../../contract/failure.ts'
import type { PrintDestination } from '../../../contract/printing.ts'
import type { Details } from '../../log/index.ts'
import type { LaidOut } from '../print-jobs/lay-out.ts'

/** One print job: a page for each slip in it. */
export interface PaperJob extends LaidOut {
  /** what the queue shows, and what a file is named after; no customer's name */
  readonly title: string
  /** the ids that tie its lines in the log together */
  readonly trace: Details
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
