/** The HTTP server of the local interface: on 127.0.0.1 only, with limits of time and size for every request. */
import { getRequestListener } from '@hono/node-server'
import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { ERRORS, type ErrorName } from './errors.ts'
import { ApiError } from './api-error.ts'
import { errorBodyOf, type InterfaceApp } from './interface-app.ts'
import type { LookUps } from './look-ups.ts'

const HOST = '127.0.0.1'

export interface ServerLimits {
  /** for the headers, in ms */
  readonly headersTimeoutMs: number
  /** for the whole request, its body included, in ms */
  readonly requestTimeoutMs: number
  readonly connections: number
}

/** A program on the same machine sends a request of 16 kB in a millisecond. */
const DEFAULT_SERVER_LIMITS: ServerLimits = {
  headersTimeoutMs: 3000,
  requestTimeoutMs: 10_000,
  connections: 64
}

const MAX_HEADER_BYTES = 8192

/** Time for pending requests when the server closes: of the service's response, which is stored in any case. */
const CLOSE_TIMEOUT_MS = 1000

/** How long a program that still sends after its response may do so. */
const LINGER_MS = 500

/** Node's codes for errors in a request that cannot be parsed. */
const ERROR_BY_CODE: Readonly<Record<string, ErrorName>> = {
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout'
}

export interface LocalServerOptions {
  readonly port: number
  readonly app: InterfaceApp
  readonly lookUps: Pick<LookUps, 'mode'>
  readonly onError: (error: ErrorName) => void
  readonly limits?: Partial<ServerLimits>
}

/** The one request of a connection. */
interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Whether a request has arrived and its response has not left yet. */
const isInWork = (exchange: Exchange | null): boolean =>
  exchange?.request.complete === true && !exchange.response.writableFinished

export class LocalServer {
  readonly #server: Server
  readonly #maxConnections: number
  /** the open connections, oldest first; null: no request yet */
  readonly #connections = new Map<Socket, Exchange | null>()

  /** Rejects with the system's error, such as `EADDRINUSE`. A port of 0 selects a free one. */
  static async listen(options: LocalServerOptions): Promise<LocalServer> {
    const server = new LocalServer(options)
    await server.#listen(options.port)
    return server
  }

  private constructor({ app, lookUps, onError, limits }: LocalServerOptions) {
    const { headersTimeoutMs, requestTimeoutMs, connections } = { ...DEFAULT_SERVER_LIMITS, ...limits }
    this.#maxConnections = connections
    // The classes of the whole process stay Node's: other parts of main use them.
    const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false })
    this.#server = createServer(
      {
        headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
        requestTimeout: requestTimeoutMs,
        // How often Node looks for requests that take too long.
        connectionsCheckingInterval: Math.min(headersTimeoutMs, requestTimeoutMs) / 4,
        maxHeaderSize: MAX_HEADER_BYTES
      },
      (request, response) => {
        const { socket } = request
        // One request for each connection: none meets a connection that the other side just closes. The first response says
        // so, and what follows in the connection is not processed (RFC 9112, 9.6).
        if (this.#connections.get(socket) !== null) {
          request.resume()
          return
        }
        this.#connections.set(socket, { request, response })
        response.shouldKeepAlive = false
        // Node calls it after the response.
        socket.destroySoon = () => closeInStages(request)
        void listener(request, response)
      }
    )
    this.#server.on('connection', (socket) => this.#admit(socket))
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      const name = ERROR_BY_CODE[error.code ?? ''] ?? 'bad-request'
      if (error.code !== 'ECONNRESET') onError(name)
      respondToUnreadable(socket, name, lookUps.mode)
    })
  }

  get port(): number {
    const address = this.#server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }

  /** Stops listening, and waits shortly for pending requests. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    const timer = setTimeout(() => this.#server.closeAllConnections(), CLOSE_TIMEOUT_MS)
    await closed
    clearTimeout(timer)
  }

  /**
   * Drops the oldest connection that waits for its program when there are too many: a process that opens connections and
   * sends nothing does not keep other programs out.
   */
  #admit(socket: Socket): void {
    this.#connections.set(socket, null)
    socket.once('close', () => this.#connections.delete(socket))
    if (this.#connections.size <= this.#maxConnections) return
    for (const [other, exchange] of this.#connections) {
      if (isInWork(exchange)) continue
      this.#connections.delete(other)
      other.destroy()
      return
    }
  }

  #listen(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, HOST, () => {
        this.#server.off('error', reject)
        resolve()
      })
    })
  }
}

/**
 * Closes a connection after its response, which may come before the end of the body. Unread bytes would reset the connection,
 * and the program might not see the response (RFC 9112, 9.6): what still arrives is discarded for `LINGER_MS`.
 */
function closeInStages(request: IncomingMessage): void {
  const { socket } = request
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
  socket.end()
  request.resume()
}

/** Answers a request that is not valid HTTP, or that did not arrive in time, and closes the connection. */
function respondToUnreadable(socket: Duplex, name: ErrorName, mode: 'live' | 'training'): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const { status } = ERRORS[name]
  const body = JSON.stringify(errorBodyOf(new ApiError(name), mode))
  const head = [
    `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}`,
    'Connection: close',
    'Content-Type: application/json',
    'Cache-Control: no-store',
    'Cross-Origin-Resource-Policy: same-origin',
    `Content-Length: ${String(Buffer.byteLength(body))}`
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
