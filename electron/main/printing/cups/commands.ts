/** CUPS's own commands: `lp` hands a job over, `cancel` takes it back. */
import type { PrintFault } from '../../../contract/printing.ts'
import { sheetOf, type PrintJob } from '../job.ts'
import type { Ran, Run } from '../run.ts'
import { withTemporaryPdf } from '../temporary-file.ts'

/** Millimetres as CUPS reads them: at most two decimals, never an exponent. */
const millimetres = (length: number): string => String(Math.round(length * 100) / 100)

/**
 * The page's exact size. `media=Custom…` would lose 0.3 mm to rounding, and without a size a slip is centred on
 * Letter, shrunk or cropped. Sheets go by their name: printers that know no custom size know those.
 */
function pageSize(job: PrintJob): string {
  const sheet = sheetOf(job)
  if (sheet !== null) return sheet
  return `Custom.${millimetres(job.widthMillimetres)}x${millimetres(job.heightMillimetres)}mm`
}

/** The arguments of `lp`. Nothing of them is read by a shell. */
export const lpArguments = (queue: string, job: PrintJob, file: string): readonly string[] => [
  '-d',
  queue,
  '-t',
  job.title,
  '-n',
  String(job.copies ?? 1),
  '-o',
  `PageSize=${pageSize(job)}`,
  '-o',
  'print-scaling=none',
  '--',
  file
]

/** The job's number in what `lp` prints (`request id is Receipt80-12 (1 file(s))`), or null. */
export function jobNumber(stdout: string): number | null {
  const id = /^request id is .*-(\d+) \(/m.exec(stdout)?.[1]
  return id === undefined ? null : Number(id)
}

/** What `lp` says for sure. An unknown queue and a dead scheduler share one text, so neither is told from it. */
const LP_SAYS: readonly (readonly [RegExp, PrintFault])[] = [
  [/is not accepting jobs/i, 'queue-rejecting'],
  [/forbidden|unauthori[sz]ed|not authori[sz]ed|not allowed|permission denied/i, 'permission-denied'],
  [/document-format|unsupported format/i, 'bad-document']
]

/** The fault that `lp` names, or null. */
export const faultOfLp = (stderr: string): PrintFault | null =>
  LP_SAYS.find(([pattern]) => pattern.test(stderr))?.[1] ?? null

export interface Commands {
  lp(queue: string, job: PrintJob): Promise<Ran>
  cancel(queue: string, id: number): Promise<Ran>
}

/** The commands, run with `environment` (LC_ALL=C is forced: their output is localised) for `timeout` ms at most. */
export function createCommands(run: Run, environment: NodeJS.ProcessEnv, timeout: number): Commands {
  const options = { environment, timeout }
  return {
    // `lp` copies the file to the server before it ends, so the file may go then.
    lp: (queue, job) =>
      withTemporaryPdf(job.pdf, (file) => run('lp', lpArguments(queue, job, file), options)),
    cancel: (queue, id) => run('cancel', [`${queue}-${id}`], options)
  }
}
