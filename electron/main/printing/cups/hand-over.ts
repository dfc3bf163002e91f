/** Hands a job to CUPS: one IPP request with the document behind it (Print-Job, RFC 8011, 4.2.1). */
import { sheetOf, type PrintJob } from '../job.ts'
import { jobNumberOf } from './attributes.ts'
import { askIpp, IppRefused, OPERATION } from './ipp-client.ts'
import type { IppAsked } from './ipp-message.ts'
import { pathOfQueue, uriOf } from './queues.ts'
import type { CupsServer } from './server.ts'

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

/**
 * Options of a queue (RFC 8011, 5.2, and those of CUPS) that no slip follows: what is on the paper, and how large, is the
 * slip's own. With a range of pages that it has not, CUPS prints nothing and calls that completed.
 */
const OF_THE_SLIP: ReadonlySet<string> = new Set([
  'copies',
  'fit-to-page',
  'landscape',
  'media',
  'media-col',
  'mirror',
  'number-up',
  'orientation-requested',
  'page-ranges',
  'page-set',
  'PageRegion',
  'PageSize',
  'print-scaling',
  'raw',
  'scaling'
])

/** What the job is to be like; of `options` of the queue, none that the slip itself decides. */
export function jobAttributes(job: PrintJob, options: readonly IppAsked[] = []): readonly IppAsked[] {
  return [
    ['copies', 'integer', [job.copies ?? 1]],
    ['PageSize', 'nameWithoutLanguage', [pageSize(job)]],
    ['print-scaling', 'keyword', ['none']],
    ...options.filter(([name]) => !OF_THE_SLIP.has(name))
  ]
}

/**
 * Hands the job over; `options` are the queue's own. Gives the job's number, or rejects with `IppRefused`: `silent`
 * means that CUPS may have it. `timeout` in milliseconds.
 */
export async function handOver(
  server: CupsServer,
  queue: string,
  job: PrintJob,
  options: readonly IppAsked[],
  timeout: number
): Promise<number> {
  const path = pathOfQueue(queue)
  const answer = await askIpp(
    server,
    path,
    {
      operation: OPERATION.printJob,
      attributes: [
        ['printer-uri', 'uri', [uriOf(path)]],
        ['job-name', 'nameWithoutLanguage', [job.title]],
        ['document-format', 'mimeMediaType', ['application/pdf']]
      ],
      job: jobAttributes(job, options)
    },
    timeout,
    job.pdf
  )
  const id = jobNumberOf(answer)
  if (id === null) throw new IppRefused('silent', 'A job without a number')
  return id
}
