/** One IPP request over HTTP (RFC 8010, 4) to the CUPS server, on its port or its local socket. */
import { request, type RequestOptions } from 'node:http'
import { userInfo } from 'node:os'
import { decodeAnswer, encodeRequest, MalformedIpp, type IppAnswer, type IppRequest } from './ipp-message.ts'
import type { CupsServer } from './server.ts'

/** Operations the till uses: RFC 8011 (5.4.15), and the CUPS Implementation of IPP for those from 0x4000 on. */
export const OPERATION = {
  getJobAttributes: 0x0009,
  getPrinterAttributes: 0x000b,
  cupsGetDefault: 0x4001,
  cupsGetPrinters: 0x4002
} as const

/** The request could not be asked, or the server did not do what it asks. */
export class IppRefused extends Error {
  override readonly name = 'IppRefused'
  readonly reason: 'down' | 'forbidden' | 'not-found' | 'other'
  constructor(reason: IppRefused['reason'], message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

/** Statuses below this are good (RFC 8011, appendix B). */
const FIRST_BAD_STATUS = 0x0100
const FORBIDDEN: readonly number[] = [0x0401, 0x0402, 0x0403]
const NOT_FOUND: readonly number[] = [0x0406, 0x0407]

/** A socket that may not be opened means a user without rights; everything else, a server that is not there. */
const transportReason = (error: Error): IppRefused['reason'] =>
  'code' in error && (error.code === 'EACCES' || error.code === 'EPERM') ? 'forbidden' : 'down'

const addressOf = (server: CupsServer): RequestOptions =>
  server.kind === 'socket' ? { socketPath: server.path } : { host: server.host, port: server.port }

function post(
  server: CupsServer,
  path: string,
  body: Buffer,
  timeout: number
): Promise<{ status: number; body: Buffer }> {
  return new Promise((resolve, reject) => {
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
          'content-length': body.length
        },
        signal: AbortSignal.timeout(timeout)
      },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks) }))
        answer.on('error', reject)
      }
    )
    asked.on('error', reject)
    asked.end(body)
  })
}

/** Asks as this machine's user; rejects with `IppRefused`. `timeout` in milliseconds. */
export async function askIpp(
  server: CupsServer,
  path: string,
  { operation, attributes }: IppRequest,
  timeout: number
): Promise<IppAnswer> {
  const user = ['requesting-user-name', 'nameWithoutLanguage', [userInfo().username]] as const
  // the target comes before the user, the user before what is asked for (RFC 8011, 4.1.5)
  const [target, ...rest] = attributes
  const ordered = target?.[1] === 'uri' ? [target, user, ...rest] : [user, ...attributes]
  const { status, body } = await post(
    server,
    path,
    encodeRequest({ operation, attributes: ordered }),
    timeout
  ).catch((error: unknown) => {
    const cause = error instanceof Error ? error : new Error(String(error))
    throw new IppRefused(transportReason(cause), 'The print system does not answer', cause)
  })
  if (status === 401 || status === 403) throw new IppRefused('forbidden', `HTTP ${status}`)
  if (status === 404) throw new IppRefused('not-found', 'HTTP 404')
  if (status !== 200) throw new IppRefused('other', `HTTP ${status}`)
  const answer = decodedOrRefused(body)
  if (answer.status < FIRST_BAD_STATUS) return answer
  const words = `IPP status 0x${answer.status.toString(16).padStart(4, '0')}`
  if (FORBIDDEN.includes(answer.status)) throw new IppRefused('forbidden', words)
  if (NOT_FOUND.includes(answer.status)) throw new IppRefused('not-found', words)
  throw new IppRefused('other', words)
}

function decodedOrRefused(body: Buffer): IppAnswer {
  try {
    return decodeAnswer(body)
  } catch (error) {
    if (error instanceof MalformedIpp) throw new IppRefused('other', error.message, error)
    throw error
  }
}
