/** One IPP request over HTTP (RFC 8010, 4) to the CUPS server, on its port or its local socket. */
import { request, type RequestOptions } from 'node:http'
import { userInfo } from 'node:os'
import { decodeAnswer, encodeRequest, MalformedIpp, type IppAnswer, type IppRequest } from './ipp-message.ts'
import type { CupsServer } from './server.ts'

/** Operations the till uses: RFC 8011 (5.4.15), and the CUPS Implementation of IPP for those from 0x4000 on. */
export const OPERATION = {
  printJob: 0x0002,
  getJobAttributes: 0x0009,
  getPrinterAttributes: 0x000b,
  cupsGetDefault: 0x4001,
  cupsGetPrinters: 0x4002
} as const

/** The request could not be asked, or the server did not do what it asks. */
export class IppRefused extends Error {
  override readonly name = 'IppRefused'
  /** `silent`: the server has the request, and no answer came that can be read: it may have done what was asked */
  readonly reason:
    'down' | 'silent' | 'forbidden' | 'not-found' | 'not-accepting' | 'unsupported-document' | 'other'
  constructor(reason: IppRefused['reason'], message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }

  /** The server is not there, or not any more. */
  get isGone(): boolean {
    return this.reason === 'down' || this.reason === 'silent'
  }
}

/** Statuses below this are good (RFC 8011, appendix B). */
const FIRST_BAD_STATUS = 0x0100
const REASON_OF_STATUS: ReadonlyMap<number, IppRefused['reason']> = new Map([
  [0x0401, 'forbidden'],
  [0x0402, 'forbidden'],
  [0x0403, 'forbidden'],
  [0x0406, 'not-found'],
  [0x0407, 'not-found'],
  [0x040a, 'unsupported-document'],
  [0x0506, 'not-accepting']
])

/** A socket that may not be opened means a user without rights. */
const transportReason = (error: Error, isConnected: boolean): IppRefused['reason'] => {
  if ('code' in error && (error.code === 'EACCES' || error.code === 'EPERM')) return 'forbidden'
  return isConnected ? 'silent' : 'down'
}

const addressOf = (server: CupsServer): RequestOptions =>
  server.kind === 'socket' ? { socketPath: server.path } : { host: server.host, port: server.port }

/** Rejects with `IppRefused` when there is no answer. */
function post(
  server: CupsServer,
  path: string,
  parts: readonly Uint8Array[],
  timeout: number
): Promise<{ status: number; body: Buffer }> {
  return new Promise((resolve, reject) => {
    let isConnected = false
    const refuse = (error: Error): void => {
      reject(new IppRefused(transportReason(error, isConnected), 'The print system does not answer', error))
    }
    const asked = request(
      {
        ...addressOf(server),
        path,
        method: 'POST',
        // one request, one connection: an idle one would keep the till from closing
        agent: false,
        headers: {
          // CUPS refuses host names that it was not told of
          host: 'localhost',
          'content-type': 'application/ipp',
          'content-length': parts.reduce((sum, part) => sum + part.length, 0)
        },
        signal: AbortSignal.timeout(timeout)
      },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks) }))
        answer.on('error', refuse)
      }
    )
    asked.on('socket', (socket) => {
      socket.once('connect', () => {
        isConnected = true
      })
    })
    asked.on('error', refuse)
    for (const part of parts) asked.write(part)
    asked.end()
  })
}

/**
 * Asks as this machine's user, with a `document` behind the request where it takes one; rejects with `IppRefused`.
 * `timeout` in milliseconds.
 */
export async function askIpp(
  server: CupsServer,
  path: string,
  { attributes, ...rest }: IppRequest,
  timeout: number,
  document?: Uint8Array
): Promise<IppAnswer> {
  const user = ['requesting-user-name', 'nameWithoutLanguage', [userInfo().username]] as const
  // the target comes before the user, the user before what is asked for (RFC 8011, 4.1.5)
  const [target, ...others] = attributes
  const ordered = target?.[1] === 'uri' ? [target, user, ...others] : [user, ...attributes]
  const message = encodeRequest({ ...rest, attributes: ordered })
  const parts = document === undefined ? [message] : [message, document]
  const { status, body } = await post(server, path, parts, timeout)
  if (status === 401 || status === 403) throw new IppRefused('forbidden', `HTTP ${status}`)
  if (status === 404) throw new IppRefused('not-found', 'HTTP 404')
  if (status !== 200) throw new IppRefused(status < 500 ? 'other' : 'silent', `HTTP ${status}`)
  const answer = decodedOrRefused(body)
  if (answer.status < FIRST_BAD_STATUS) return answer
  const words = `IPP status 0x${answer.status.toString(16).padStart(4, '0')}`
  throw new IppRefused(REASON_OF_STATUS.get(answer.status) ?? 'other', words)
}

function decodedOrRefused(body: Buffer): IppAnswer {
  try {
    return decodeAnswer(body)
  } catch (error) {
    if (error instanceof MalformedIpp) throw new IppRefused('silent', error.message, error)
    throw error
  }
}
