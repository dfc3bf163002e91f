/** Questions to a CUPS server, in the till's words. All reject with `IppError`. */
import type { Exec } from '../exec.ts'
import {
  GROUP,
  IppError,
  OPERATION,
  sendIppRequest,
  type IppAttributes,
  type IppResponse,
  type IppValue
} from './ipp.ts'

/** The path of a queue on its server. */
export const pathOfQueue = (name: string): string => `/printers/${encodeURIComponent(name)}`

/** What a path is called in a request; the server goes by the path. */
export const uriOf = (path: string): string => `ipp://localhost${path}`

const requested = (names: readonly string[]) => ['requested-attributes', 'keyword', names] as const

/** What a till asks a CUPS server; `timeout` in milliseconds for each answer. */
export function createCupsClient(server: CupsServer, timeout: number) {
  return {
    /** Every queue and class of this server. */
    async queues(): Promise<readonly CupsQueue[]> {
      const request = { operation: OPERATION.cupsGetPrinters, attributes: [requested(QUEUE_ATTRIBUTES)] }
      try {
        return queuesOf(await sendIppRequest(server, '/', request, timeout))
      } catch (error) {
        // how a server without any queue answers
        if (error instanceof IppError && error.reason === 'not-found') return []
        throw error
      }
    },

    /** The name of the server's default queue, or null. */
    async defaultName(): Promise<string | null> {
      const request = { operation: OPERATION.cupsGetDefault, attributes: [requested(['printer-name'])] }
      try {
        return queuesOf(await sendIppRequest(server, '/', request, timeout))[0]?.name ?? null
      } catch (error) {
        if (error instanceof IppError && error.reason === 'not-found') return null
        throw error
      }
    },

    /** One queue. `not-found` when there is none of this name. */
    async queue(name: string): Promise<CupsQueue> {
      const path = pathOfQueue(name)
      const request = {
        operation: OPERATION.getPrinterAttributes,
        attributes: [['printer-uri', 'uri', [uriOf(path)]], requested(QUEUE_ATTRIBUTES)] as const
      }
      const [queue] = queuesOf(await sendIppRequest(server, path, request, timeout))
      if (queue === undefined) throw new IppError('other', 'An answer without a printer')
      return queue
    },

    /** One job by its number. `not-found` when the server forgot it. */
    async job(id: number): Promise<CupsJob> {
      const request = {
        operation: OPERATION.getJobAttributes,
        attributes: [['job-uri', 'uri', [uriOf(`/jobs/${id}`)]], requested(JOB_ATTRIBUTES)] as const
      }
      const job = jobOf(await sendIppRequest(server, '/jobs/', request, timeout))
      if (job === null) throw new IppError('other', 'An answer without a job')
      return job
    }
  }
}

export type CupsClient = ReturnType<typeof createCupsClient>

/* from server.ts: Where this machine's CUPS server is. */

export type CupsServer =
  | { readonly kind: 'socket'; readonly path: string }
  | { readonly kind: 'network'; readonly host: string; readonly port: number }

const IPP_PORT = 631

/** Reads what `lpstat -H` prints: a socket's path, `host:port` or `[v6]:port`. */
export function parseServer(text: string): CupsServer | null {
  const server = text.trim()
  if (server.startsWith('/')) return { kind: 'socket', path: server }
  const parts = /^(?:\[([^\]]+)\]|([^:/\s]+))(?::(\d+))?$/.exec(server)
  const host = parts?.[1] ?? parts?.[2]
  return host === undefined
    ? null
    : { kind: 'network', host, port: parts?.[3] === undefined ? IPP_PORT : Number(parts[3]) }
}

/**
 * Asks CUPS's own library, so that the till speaks to the same server as every other program: it knows CUPS_SERVER,
 * client.conf and where this system keeps the local socket. Null when CUPS is not installed.
 */
export async function findServer(
  run: Exec,
  environment: NodeJS.ProcessEnv,
  timeout: number
): Promise<CupsServer | null> {
  const { code, stdout } = await run('lpstat', ['-H'], { environment, timeout })
  return code === 0 ? parseServer(stdout) : null
}

/* from attributes.ts: What CUPS tells of queues and jobs, read from IPP attributes into the till's own words. */

/** printer-state (RFC 8011, 5.4.11). */
export const PRINTER_STATE = { idle: 3, processing: 4, stopped: 5 } as const

/** job-state (RFC 8011, 5.3.7). */
export const JOB_STATE = {
  pending: 3,
  held: 4,
  processing: 5,
  stopped: 6,
  cancelled: 7,
  aborted: 8,
  completed: 9
} as const

export interface CupsQueue {
  readonly name: string
  readonly description: string
  /** one of PRINTER_STATE, or 0 when it is not told */
  readonly state: number
  /** keywords with a severity at their end: `media-empty-error` */
  readonly reasons: readonly string[]
  readonly message: string
  readonly accepting: boolean
}

export interface CupsJob {
  /** one of JOB_STATE, or 0 when it is not told */
  readonly state: number
  readonly reasons: readonly string[]
  /** what the printer said last about this job, in English */
  readonly message: string
}

const QUEUE_ATTRIBUTES = [
  'printer-name',
  'printer-info',
  'printer-location',
  'printer-make-and-model',
  'printer-state',
  'printer-state-reasons',
  'printer-state-message',
  'printer-is-accepting-jobs'
] as const

const JOB_ATTRIBUTES = ['job-state', 'job-state-reasons', 'job-printer-state-message'] as const

const isText = (value: IppValue): value is string => typeof value === 'string'

const text = (attributes: IppAttributes, name: string): string =>
  attributes.get(name)?.find(isText)?.trim() ?? ''

const number = (attributes: IppAttributes, name: string): number =>
  attributes.get(name)?.find((value) => typeof value === 'number') ?? 0

/** Keywords; the one that means "nothing" is left out. */
const keywords = (attributes: IppAttributes, name: string): readonly string[] =>
  (attributes.get(name) ?? []).filter(isText).filter((keyword) => keyword !== 'none')

/** The queues of an answer. */
const queuesOf = ({ groups }: IppResponse): readonly CupsQueue[] =>
  groups
    .filter(({ tag }) => tag === GROUP.printer)
    .map(({ attributes }) => ({
      name: text(attributes, 'printer-name'),
      description:
        text(attributes, 'printer-info') ||
        text(attributes, 'printer-location') ||
        text(attributes, 'printer-make-and-model'),
      state: number(attributes, 'printer-state'),
      reasons: keywords(attributes, 'printer-state-reasons'),
      message: text(attributes, 'printer-state-message'),
      // a server that does not tell lets the job decide
      accepting: attributes.get('printer-is-accepting-jobs')?.[0] !== false
    }))

/** The number of the job that an answer tells of, or null. */
export const jobNumberOf = ({ groups }: IppResponse): number | null =>
  groups
    .find(({ tag }) => tag === GROUP.job)
    ?.attributes.get('job-id')
    ?.find((value) => typeof value === 'number') ?? null

/** The job of an answer, or null when it holds none. */
function jobOf({ groups }: IppResponse): CupsJob | null {
  const attributes = groups.find(({ tag }) => tag === GROUP.job)?.attributes
  if (attributes === undefined) return null
  return {
    state: number(attributes, 'job-state'),
    reasons: keywords(attributes, 'job-state-reasons'),
    message: text(attributes, 'job-printer-state-message')
  }
}
