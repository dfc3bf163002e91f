/** Submits a job to CUPS: one IPP request followed by the document (Print-Job, RFC 8011, 4.2.1). */
import { readClientFiles } from './client-configuration.ts'
import { queuePath, toUri } from './cups-client.ts'
import { GROUP, OPERATION, sendIppRequest, type IppAttribute, type IppResponse } from './ipp.ts'
import { IppError, type IppServer } from './ipp-server.ts'

/** No banner page before or after the job. */
const NO_BANNER: IppAttribute = ['job-sheets', 'keyword', ['none']]

/**
 * Each page as it is, once and on a sheet of its own, whatever the queue's own defaults are (RFC 8011, 5.2, and options of
 * CUPS). With a range of pages that the slip does not have, CUPS prints nothing and reports the job as completed. Each slip
 * of a batch is for another customer, so that none is on the back of another.
 */
const AS_IT_IS: readonly IppAttribute[] = [
  NO_BANNER,
  ['booklet', 'boolean', [false]],
  ['copies', 'integer', [1]],
  ['crop-to-fit', 'boolean', [false]],
  ['fill', 'boolean', [false]],
  ['fit-to-page', 'boolean', [false]],
  ['fitplot', 'boolean', [false]],
  ['mirror', 'boolean', [false]],
  ['number-up', 'integer', [1]],
  ['orientation-requested', 'enum', [3]],
  ['page-border', 'keyword', ['none']],
  ['page-label', 'nameWithoutLanguage', ['']],
  ['page-ranges', 'rangeOfInteger', [{ from: 1, to: 0x7fff_ffff }]],
  ['page-set', 'keyword', ['all']],
  ['print-scaling', 'keyword', ['none']],
  ['sides', 'keyword', ['one-sided']]
]

/** Options of `lpoptions` that would change the pages or their size. */
const IGNORED_OPTIONS: ReadonlySet<string> = new Set([
  ...AS_IT_IS.map(([name]) => name),
  'Duplex',
  'landscape',
  'media',
  'media-col',
  'PageRegion',
  'PageSize',
  'raw',
  'scaling'
])

/** The format that makes CUPS pass the bytes on as they are, past any driver of the queue. */
export const RAW_FORMAT = 'application/vnd.cups-raw'

/** A document as it is sent to a queue. */
export interface CupsDocument {
  readonly format: 'application/pdf' | typeof RAW_FORMAT
  readonly bytes: Uint8Array
  readonly attributes: readonly IppAttribute[]
}

/**
 * Commands for the printer itself, copies included. The options of `lpoptions` are for drivers, and not sent. Those two
 * defaults of a queue apply without a driver, too: a banner page would be printed as text.
 */
export const rawDocument = (bytes: Uint8Array): CupsDocument => ({
  format: RAW_FORMAT,
  bytes,
  attributes: [['copies', 'integer', [1]], NO_BANNER]
})

/** A PDF, on the paper that `size` names, with the queue's `options` that do not change its pages. */
export const pdfDocument = (
  pdf: Uint8Array,
  size: IppAttribute,
  options: readonly IppAttribute[]
): CupsDocument => ({
  format: 'application/pdf',
  bytes: pdf,
  attributes: [...AS_IT_IS, size, ...options.filter(([name]) => !IGNORED_OPTIONS.has(name))]
})

const jobNumberOf = ({ groups }: IppResponse): number | null =>
  groups
    .find(({ tag }) => tag === GROUP.job)
    ?.attributes.get('job-id')
    ?.find((value) => typeof value === 'number') ?? null

/**
 * Submits a job of one document and returns its number. Rejects with `IppError`: after `silent` CUPS may have the job.
 * `timeout` in milliseconds.
 */
export async function submitJob(
  server: IppServer,
  queue: string,
  title: string,
  { format, bytes, attributes }: CupsDocument,
  timeout: number
): Promise<number> {
  const path = queuePath(queue)
  const response = await sendIppRequest(
    server,
    path,
    {
      operation: OPERATION.printJob,
      attributes: [
        ['printer-uri', 'uri', [toUri(path)]],
        ['job-name', 'nameWithoutLanguage', [title]],
        ['document-format', 'mimeMediaType', [format]]
      ],
      job: attributes
    },
    timeout,
    bytes
  )
  const id = jobNumberOf(response)
  if (id === null) throw new IppError('silent', 'The job has no number')
  return id
}

/** One option: a name and optionally a value, bare or quoted; a backslash escapes the next character. */
const OPTION = /([^\s=]+)(?:=("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\{[^}]*\}|(?:\\.|[^\s\\])*))?/gs

const unquote = (value: string): string => {
  const isQuoted = /^(["']).*\1$/s.test(value)
  return (isQuoted ? value.slice(1, -1) : value).replace(/\\(.)/gs, '$1')
}

/** Parses the options of a line after the queue's name. One without a value is on, or off with the prefix `no`. */
function parseOptions(text: string): ReadonlyMap<string, string> {
  const options = new Map<string, string>()
  for (const [, name = '', value] of text.matchAll(OPTION)) {
    if (value !== undefined) options.set(name, unquote(value))
    else if (/^no./i.test(name)) options.set(name.slice(2), 'false')
    else options.set(name, 'true')
  }
  return options
}

/** The options of a queue in a file. Instances of a queue (`Receipt/bar`) are ignored. */
export function optionsOfQueue(file: string, queue: string): ReadonlyMap<string, string> {
  const options = new Map<string, string>()
  for (const line of file.split('\n')) {
    const [, name, rest = ''] = /^\s*(?:dest|default)\s+(\S+)(.*)$/i.exec(line) ?? []
    if (name?.toLowerCase() === queue.toLowerCase())
      for (const [option, value] of parseOptions(rest)) options.set(option, value)
  }
  return options
}

/** IPP options that are numbers (RFC 8011, 5.2); other numbers are sent as text, as options of a PPD are. */
const INTEGERS: ReadonlySet<string> = new Set(['job-priority'])
const ENUMS: ReadonlySet<string> = new Set(['finishings', 'print-quality'])

/** Maximum bytes of a name and of a text in IPP (RFC 8011, 5.1). */
const MAX_NAME_BYTES = 255
const MAX_TEXT_BYTES = 1023

function toAttribute(name: string, value: string): IppAttribute | null {
  if (Buffer.byteLength(name) > MAX_NAME_BYTES || Buffer.byteLength(value) > MAX_TEXT_BYTES) return null
  const isInteger = INTEGERS.has(name)
  if (isInteger || ENUMS.has(name)) {
    const numbers = value.split(',').map(Number)
    if (!numbers.every((number) => Number.isInteger(number) && Math.abs(number) < 2 ** 31)) return null
    return [name, isInteger ? 'integer' : 'enum', numbers]
  }
  if (value === 'true' || value === 'false') return [name, 'boolean', [value === 'true']]
  return [name, 'nameWithoutLanguage', [value]]
}

/**
 * Reads a queue's options, such as how it cuts, as attributes of a job (lpoptions(1)). CUPS's own commands send them with
 * each job; the server does not know them. Never rejects: a missing file has none.
 */
export async function readQueueOptions(
  environment: NodeJS.ProcessEnv,
  queue: string
): Promise<readonly IppAttribute[]> {
  const files = await readClientFiles(environment, 'lpoptions')
  const options = new Map(files.flatMap((file) => [...optionsOfQueue(file, queue)]))
  return [...options].map(([name, value]) => toAttribute(name, value)).filter((option) => option !== null)
}
