/** A print server: HTTP to its port or local socket, encrypted where it asks for it (RFC 8010, 4; client.conf(5)). */
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { connect, isIP, isIPv6, type Socket } from 'node:net'
import { connect as secure, TLSSocket } from 'node:tls'
import { errorCode } from '../../fs/atomic-write.ts'
import type { ClientConfiguration } from './client-configuration.ts'
import { localCredentials } from './local-credentials.ts'
import { isTrusted } from './server-trust.ts'

export type IppAddress =
  | { readonly kind: 'socket'; readonly path: string }
  | { readonly kind: 'network'; readonly host: string; readonly port: number }

/** The request could not be sent, or the server did not carry it out. */
export class IppError extends Error {
  override readonly name = 'IppError'
  /**
   * `silent`: the server received the request and sent no readable response: it may have carried it out. `insecure`: no
   * connection could be encrypted, or its certificate is not trusted; nothing was sent. `unreachable`: a server behind this one.
   */
  readonly reason:
    | 'down'
    | 'unreachable'
    | 'silent'
    | 'insecure'
    | 'forbidden'
    | 'not-found'
    | 'not-accepting'
    | 'unsupported-document'
    | 'quota'
    | 'too-many-jobs'
    | 'busy'
    | 'other'
  /** why the server refused the request, in its own words; one line of at most 200 characters */
  readonly said: string | undefined
  constructor(reason: IppError['reason'], message: string, cause?: unknown, said?: string) {
    super(message, { cause })
    this.reason = reason
    this.said = said
      ?.replaceAll(/[\p{Cc}\s]+/gu, ' ')
      .trim()
      .slice(0, 200)
  }

  /** The server is not running, or not any more. */
  get isServerGone(): boolean {
    return this.reason === 'down' || this.reason === 'silent'
  }
}

/** An HTTP response, and how its request was sent. */
interface Exchange {
  readonly status: number
  readonly body: Buffer
  /** `WWW-Authenticate` */
  readonly challenge: string
  /** whether the server is on this machine */
  readonly isLocal: boolean
  readonly isEncrypted: boolean
  readonly authorization: string | null
}

const NO_RESPONSE = 'The print system does not respond'

/** A socket without permission means a user without rights. */
const failure = (error: unknown, otherwise: 'down' | 'silent'): IppError =>
  error instanceof IppError
    ? error
    : new IppError(
        ['EACCES', 'EPERM'].includes(errorCode(error)) ? 'forbidden' : otherwise,
        NO_RESPONSE,
        error
      )

/** The attributes of a server with thousands of queues. */
const MAX_RESPONSE_BYTES = 8_000_000

async function readBody(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    if (!Buffer.isBuffer(chunk)) continue
    chunks.push(chunk)
    size += chunk.length
    if (size > MAX_RESPONSE_BYTES) throw new Error('The response is too long')
  }
  return Buffer.concat(chunks)
}

const isLoopback = ({ remoteAddress = '' }: Socket): boolean => /^(::ffff:)?127\.|^::1$/u.test(remoteAddress)

export interface IppServerOptions {
  readonly configuration: ClientConfiguration
  /** `CUPS_STATEDIR` is used */
  readonly environment: NodeJS.ProcessEnv
}

/** Remembers what the server asked for: encryption, and who the user is. Every method rejects with `IppError`. */
export class IppServer {
  readonly #address: IppAddress
  readonly #options: IppServerOptions
  #isEncrypted: boolean
  #authorization: string | null = null

  constructor(address: IppAddress, options: IppServerOptions) {
    this.#address = address
    this.#options = options
    const { encryption } = options.configuration
    this.#isEncrypted =
      address.kind === 'network' &&
      (encryption === 'required' || encryption === 'always' || address.port === 443)
  }

  /** The name that requests are sent under. */
  get user(): string {
    return this.#options.configuration.user
  }

  /**
   * Sends `parts`, if any, else asks for a file. Sends it again as the server demands: encrypted, or with credentials. Such
   * a server has not carried out the request. `timeoutMs` is for each attempt.
   */
  async exchange(path: string, parts: readonly Uint8Array[], timeoutMs: number): Promise<Exchange> {
    for (;;) {
      const exchange = await this.#send(path, parts, AbortSignal.timeout(timeoutMs))
      if (!(await this.#complies(exchange))) return exchange
    }
  }

  /** Does for the next requests what the server demands. Resolves with false if it was done, or cannot be. */
  async #complies({ status, challenge, isLocal, isEncrypted, authorization }: Exchange): Promise<boolean> {
    if (status === 426) {
      const isForbidden = isEncrypted || this.#options.configuration.encryption === 'never'
      if (isForbidden || this.#address.kind === 'socket')
        throw new IppError('insecure', 'The print server demands encryption')
      this.#isEncrypted = true
      return true
    }
    if (status !== 401 || !isLocal) return false
    this.#authorization = await localCredentials(challenge, {
      user: this.user,
      isSocket: this.#address.kind === 'socket',
      environment: this.#options.environment
    })
    return this.#authorization !== null && this.#authorization !== authorization
  }

  async #send(path: string, parts: readonly Uint8Array[], signal: AbortSignal): Promise<Exchange> {
    const socket = await this.#connect(signal)
    const isLocal = this.#address.kind === 'socket' || isLoopback(socket)
    const authorization = isLocal ? this.#authorization : null
    try {
      const message = request({
        path,
        method: parts.length === 0 ? 'GET' : 'POST',
        // One connection per request: an idle one would keep the app from closing.
        createConnection: () => socket,
        headers: {
          host: this.#hostHeader(isLocal),
          'content-type': 'application/ipp',
          'content-length': parts.reduce((sum, part) => sum + part.length, 0),
          ...(authorization !== null && { authorization })
        },
        signal
      })
      const answered = new Promise<IncomingMessage>((resolve, reject) => {
        message.on('response', resolve).on('error', reject)
      })
      for (const part of parts) message.write(part)
      message.end()
      const response = await answered
      return {
        status: response.statusCode ?? 0,
        body: await readBody(response),
        challenge: response.headers['www-authenticate'] ?? '',
        isLocal,
        isEncrypted: socket instanceof TLSSocket,
        authorization
      }
    } catch (error) {
      throw failure(error, 'silent')
    } finally {
      socket.destroy()
    }
  }

  /** Resolves when the first byte of a request may be sent. */
  async #connect(signal: AbortSignal): Promise<Socket> {
    const address = this.#address
    const socket = connect(address)
    // Without a listener an error between two waits would end the process.
    socket.on('error', () => undefined)
    try {
      await once(socket, 'connect', { signal })
      if (!this.#isEncrypted || address.kind === 'socket') return socket
      return await this.#secure(socket, isLoopback(socket) ? 'localhost' : address.host, signal)
    } catch (error) {
      socket.destroy()
      throw failure(error, 'down')
    }
  }

  /** The certificate is checked before anything is sent. */
  async #secure(socket: Socket, host: string, signal: AbortSignal): Promise<Socket> {
    const secured = secure({
      socket,
      host,
      rejectUnauthorized: false,
      ...(isIP(host) === 0 && { servername: host })
    })
    secured.on('error', () => undefined)
    try {
      await once(secured, 'secureConnect', { signal })
    } catch (error) {
      throw signal.aborted ? error : new IppError('insecure', 'The connection cannot be encrypted', error)
    }
    if (await isTrusted(secured, host, this.#options.configuration)) return secured
    throw new IppError('insecure', 'The certificate of the print server is not trusted')
  }

  /** CUPS takes the name `localhost` on its own machine only, and there no other. */
  #hostHeader(isLocal: boolean): string {
    const address = this.#address
    if (address.kind === 'socket' || isLocal) return 'localhost'
    const host = address.host.replace(/%.*|\.$/u, '')
    return `${isIPv6(host) ? `[${host}]` : host}:${String(address.port)}`
  }
}
