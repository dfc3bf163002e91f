/** Reads queues and jobs from a CUPS server over IPP. */
import type { Exec } from '../../exec.ts'
import {
  fetchFile,
  GROUP,
  OPERATION,
  sendIppRequest,
  type IppAttributes,
  type IppResponse,
  type IppValue
} from './ipp.ts'
import { type IppAddress, IppError, type IppServer } from './ipp-server.ts'
import { customMarginsOf, hasCustomSizes, type Media, MEDIA_ATTRIBUTES, parseMedia } from './media.ts'

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

export interface CupsQueueState {
  /** one of PRINTER_STATE, or 0 when the server does not report it */
  readonly state: number
  /** keywords with a severity as suffix: `media-empty-error` */
  readonly reasons: readonly string[]
  readonly message: string
  readonly accepting: boolean
}

export interface CupsQueue extends CupsQueueState {
  readonly name: string
  readonly description: string
  /** name of the driver; `RAW_MODEL` without one */
  readonly model: string
  /** where it sends its jobs; CUPS removes user and password */
  readonly deviceUri: string
  /** names of the queues of a class, one of which prints each job; empty for a queue */
  readonly members: readonly string[]
  /** empty for a class, and for a queue without a driver */
  readonly media: readonly Media[]
}

export interface CupsJob {
  /** one of JOB_STATE, or 0 when the server does not report it */
  readonly state: number
  readonly reasons: readonly string[]
  /** the printer's last message about this job, in English */
  readonly message: string
  /** whether a backend was started for it, which may have sent a part, however briefly it ran */
  readonly hasBegun: boolean
}

const STATE_ATTRIBUTES = [
  'printer-state',
  'printer-state-reasons',
  'printer-state-message',
  'printer-is-accepting-jobs'
] as const

const QUEUE_ATTRIBUTES = [
  ...STATE_ATTRIBUTES,
  ...MEDIA_ATTRIBUTES,
  'printer-name',
  'printer-info',
  'printer-location',
  'printer-make-and-model',
  'device-uri',
  'member-names'
] as const

const JOB_ATTRIBUTES = [
  'job-state',
  'job-state-reasons',
  'job-printer-state-message',
  'time-at-processing'
] as const

const isText = (value: IppValue): value is string => typeof value === 'string'

const textOf = (attributes: IppAttributes, name: string): string =>
  attributes.get(name)?.find(isText)?.trim() ?? ''

const numberOf = (attributes: IppAttributes, name: string): number =>
  attributes.get(name)?.find((value) => typeof value === 'number') ?? 0

/** Keywords without `none`. */
const keywordsOf = (attributes: IppAttributes, name: string): readonly string[] =>
  (attributes.get(name) ?? []).filter(isText).filter((keyword) => keyword !== 'none')

const printersIn = ({ groups }: IppResponse): readonly IppAttributes[] =>
  groups.filter(({ tag }) => tag === GROUP.printer).map(({ attributes }) => attributes)

const stateOf = (attributes: IppAttributes): CupsQueueState => ({
  state: numberOf(attributes, 'printer-state'),
  reasons: keywordsOf(attributes, 'printer-state-reasons'),
  message: textOf(attributes, 'printer-state-message'),
  // Where the server does not report it, submitting the job shows it.
  accepting: attributes.get('printer-is-accepting-jobs')?.[0] !== false
})

function jobOf({ groups }: IppResponse): CupsJob | null {
  const attributes = groups.find(({ tag }) => tag === GROUP.job)?.attributes
  if (attributes === undefined) return null
  return {
    state: numberOf(attributes, 'job-state'),
    reasons: keywordsOf(attributes, 'job-state-reasons'),
    message: textOf(attributes, 'job-printer-state-message'),
    // Without a number until the job is processed (RFC 8011, 5.3.14.2).
    hasBegun: numberOf(attributes, 'time-at-processing') > 0
  }
}

const IPP_PORT = 631

/** Parses the output of `lpstat -H`: a socket's path, `host:port` or `[v6]:port`. */
export function parseServer(text: string): IppAddress | null {
  const server = text.trim()
  if (server.startsWith('/')) return { kind: 'socket', path: server }
  const parts = /^(?:\[([^\]]+)\]|([^:/\s]+))(?::(\d+))?$/.exec(server)
  const host = parts?.[1] ?? parts?.[2]
  return host === undefined
    ? null
    : { kind: 'network', host, port: parts?.[3] === undefined ? IPP_PORT : Number(parts[3]) }
}

/**
 * Finds the server by CUPS's own command, so that every program uses the same one: it reads CUPS_SERVER and
 * client.conf, and knows where the system has its local socket. Null when CUPS is not installed.
 */
export async function findServer(
  exec: Exec,
  environment: NodeJS.ProcessEnv,
  timeout: number
): Promise<IppAddress | null> {
  const { code, stdout } = await exec('lpstat', ['-H'], { environment, timeout })
  return code === 0 ? parseServer(stdout) : null
}

/** The path of a queue on its server. */
export const queuePath = (name: string): string => `/printers/${encodeURIComponent(name)}`

/** The URI of a path in a request; the server uses only the path. */
export const toUri = (path: string): string => `ipp://localhost${path}`

const requested = (names: readonly string[]) => ['requested-attributes', 'keyword', names] as const

/** Every method rejects with `IppError`. */
export class CupsClient {
  readonly server: IppServer
  readonly #timeoutMs: number

  /** @param timeoutMs for each response */
  constructor(server: IppServer, timeoutMs: number) {
    this.server = server
    this.#timeoutMs = timeoutMs
  }

  /** Every queue and class of the server. */
  async queues(): Promise<readonly CupsQueue[]> {
    const request = { operation: OPERATION.cupsGetPrinters, attributes: [requested(QUEUE_ATTRIBUTES)] }
    try {
      const response = await sendIppRequest(this.server, '/', request, this.#timeoutMs)
      return await Promise.all(printersIn(response).map((printer) => this.#queueOf(printer)))
    } catch (error) {
      // the response of a server without queues
      if (error instanceof IppError && error.reason === 'not-found') return []
      throw error
    }
  }

  /** The name of the server's default queue, or null. */
  async defaultQueueName(): Promise<string | null> {
    const request = { operation: OPERATION.cupsGetDefault, attributes: [requested(['printer-name'])] }
    try {
      const [printer] = printersIn(await sendIppRequest(this.server, '/', request, this.#timeoutMs))
      return printer === undefined ? null : textOf(printer, 'printer-name')
    } catch (error) {
      if (error instanceof IppError && error.reason === 'not-found') return null
      throw error
    }
  }

  /** One queue; `not-found` when there is none with this name. */
  async queue(name: string): Promise<CupsQueue> {
    return this.#queueOf(await this.#printer(name, QUEUE_ATTRIBUTES))
  }

  /** The state of one queue; `not-found` when there is none with this name. */
  async queueState(name: string): Promise<CupsQueueState> {
    return stateOf(await this.#printer(name, STATE_ATTRIBUTES))
  }

  /** One job by its number; `not-found` when the server has forgotten it. */
  async job(id: number): Promise<CupsJob> {
    const request = {
      operation: OPERATION.getJobAttributes,
      attributes: [['job-uri', 'uri', [toUri(`/jobs/${id}`)]], requested(JOB_ATTRIBUTES)] as const
    }
    const job = jobOf(await sendIppRequest(this.server, '/jobs/', request, this.#timeoutMs))
    if (job === null) throw new IppError('other', 'The response contains no job')
    return job
  }

  async #printer(name: string, attributes: readonly string[]): Promise<IppAttributes> {
    const path = queuePath(name)
    const request = {
      operation: OPERATION.getPrinterAttributes,
      attributes: [['printer-uri', 'uri', [toUri(path)]], requested(attributes)] as const
    }
    const [printer] = printersIn(await sendIppRequest(this.server, path, request, this.#timeoutMs))
    if (printer === undefined) throw new IppError('other', 'The response contains no printer')
    return printer
  }

  async #queueOf(attributes: IppAttributes): Promise<CupsQueue> {
    const name = textOf(attributes, 'printer-name')
    const model = textOf(attributes, 'printer-make-and-model')
    const ppd = hasCustomSizes(attributes)
      ? await fetchFile(this.server, `${queuePath(name)}.ppd`, this.#timeoutMs)
      : null
    return {
      ...stateOf(attributes),
      name,
      description: textOf(attributes, 'printer-info') || textOf(attributes, 'printer-location') || model,
      model,
      deviceUri: textOf(attributes, 'device-uri'),
      members: keywordsOf(attributes, 'member-names'),
      media: parseMedia(attributes, ppd === null ? null : customMarginsOf(ppd))
    }
  }
}
