/** Hands a job to CUPS: one IPP request with the document behind it (Print-Job, RFC 8011, 4.2.1). */
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { sheetOf, type PrintJob } from '../print-job.ts'
import { jobNumberOf, pathOfQueue, uriOf, type CupsServer } from './cups-client.ts'
import { IppError, OPERATION, sendIppRequest, type IppAttribute } from './ipp.ts'

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
export function jobAttributes(job: PrintJob, options: readonly IppAttribute[] = []): readonly IppAttribute[] {
  return [
    ['copies', 'integer', [job.copies ?? 1]],
    ['PageSize', 'nameWithoutLanguage', [pageSize(job)]],
    ['print-scaling', 'keyword', ['none']],
    ...options.filter(([name]) => !OF_THE_SLIP.has(name))
  ]
}

/**
 * Hands the job over; `options` are the queue's own. Gives the job's number, or rejects with `IppError`: `silent`
 * means that CUPS may have it. `timeout` in milliseconds.
 */
export async function submitJob(
  server: CupsServer,
  queue: string,
  job: PrintJob,
  options: readonly IppAttribute[],
  timeout: number
): Promise<number> {
  const path = pathOfQueue(queue)
  const answer = await sendIppRequest(
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
  if (id === null) throw new IppError('silent', 'A job without a number')
  return id
}

/* from queue-options.ts:
 * What somebody set for a queue with CUPS's `lpoptions` (how it cuts, whether it opens the drawer). CUPS's own
 * commands send these along with each job; the server does not know them.
 */

/** The files, as lpoptions(1) names them; what a user set goes before what the system has. */
const filesOf = (environment: NodeJS.ProcessEnv): readonly string[] => [
  join(environment['CUPS_SERVERROOT'] ?? '/etc/cups', 'lpoptions'),
  join(environment['HOME'] ?? homedir(), '.cups', 'lpoptions')
]

/** One option: a name, and maybe a value, bare or quoted; a backslash takes the next letter as it is. */
const OPTION = /([^\s=]+)(?:=("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\{[^}]*\}|(?:\\.|[^\s\\])*))?/gs

const bare = (value: string): string => {
  const isQuoted = /^(["']).*\1$/s.test(value)
  return (isQuoted ? value.slice(1, -1) : value).replace(/\\(.)/gs, '$1')
}

/** The options of a line behind the queue's name; one without a value is switched on, or off by a `no` before it. */
function optionsIn(text: string): ReadonlyMap<string, string> {
  const options = new Map<string, string>()
  for (const [, name = '', value] of text.matchAll(OPTION)) {
    if (value !== undefined) options.set(name, bare(value))
    else if (/^no./i.test(name)) options.set(name.slice(2), 'false')
    else options.set(name, 'true')
  }
  return options
}

/** The options that a file has for a queue. A queue's further instances (`Receipt/bar`) are none of the till's. */
export function optionsOfQueue(file: string, queue: string): ReadonlyMap<string, string> {
  const options = new Map<string, string>()
  for (const line of file.split('\n')) {
    const [, name, rest = ''] = /^\s*(?:dest|default)\s+(\S+)(.*)$/i.exec(line) ?? []
    if (name?.toLowerCase() === queue.toLowerCase())
      for (const [option, value] of optionsIn(rest)) options.set(option, value)
  }
  return options
}

/** Options of IPP's own that are numbers (RFC 8011, 5.2); whatever else is one goes by its text, as options of a PPD do. */
const INTEGERS: ReadonlySet<string> = new Set(['job-priority'])
const ENUMS: ReadonlySet<string> = new Set(['finishings', 'print-quality'])

/** Most bytes of a name and of a text in IPP (RFC 8011, 5.1): what is longer is no option that anybody set. */
const LONGEST_NAME = 255
const LONGEST_TEXT = 1023

function asAttribute(name: string, value: string): IppAttribute | null {
  if (Buffer.byteLength(name) > LONGEST_NAME || Buffer.byteLength(value) > LONGEST_TEXT) return null
  const isInteger = INTEGERS.has(name)
  if (isInteger || ENUMS.has(name)) {
    const numbers = value.split(',').map(Number)
    if (!numbers.every((number) => Number.isInteger(number) && Math.abs(number) < 2 ** 31)) return null
    return [name, isInteger ? 'integer' : 'enum', numbers]
  }
  if (value === 'true' || value === 'false') return [name, 'boolean', [value === 'true']]
  return [name, 'nameWithoutLanguage', [value]]
}

const textOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '')

/** The options that were set for a queue, as attributes of a job. Never rejects: a file that is not there has none. */
export async function readQueueOptions(
  environment: NodeJS.ProcessEnv,
  queue: string
): Promise<readonly IppAttribute[]> {
  const files = await Promise.all(filesOf(environment).map(textOf))
  const options = new Map(files.flatMap((file) => [...optionsOfQueue(file, queue)]))
  return [...options].map(([name, value]) => asAttribute(name, value)).filter((option) => option !== null)
}
