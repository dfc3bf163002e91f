/**
 * A proxy between a till and its service for tests: forwards all requests, unless the test chooses a fault for
 * them, and records them.
 */
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse
} from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as after } from 'node:timers/promises'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls'
import { createGzip } from 'node:zlib'
import type { Certificate } from './certificates/index.ts'
import { LOOPBACK, ownAddress } from './loopback.ts'

/** A complete HTTP response. */
export interface FullResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** A response of the proxy itself, as of a gateway; status 200 and JSON by default. */
export interface GatewayResponse {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

/** A fault of a request; `pass` is none. */
export type Fault =
  /** forwarded without a fault */
  | 'pass'
  /** reaches the service; the connection is reset before the response */
  | 'lose-answer'
  /** does not reach the service: the connection is reset */
  | 'lose-request'
  /** does not reach the service and gets no response */
  | 'silence'
  /** the connection is accepted, and reset at its first byte: no request is read */
  | 'reset-connection'
  /** reaches the service; the response ends in its headers */
  | 'half-headers'
  /** reaches the service; the response ends in its body with a reset of the connection */
  | 'half-body'
  /** reaches the service; the response ends in its body with a normal end of the connection */
  | 'half-body-closed'
  /** reaches the service; half of the response is sent and the connection stays open */
  | 'silence-in-body'
  /** reaches the service; the response is sent after a delay in ms */
  | { readonly delay: number }
  /** reaches the service; called for each request: the response is sent when the promise resolves */
  | { readonly until: () => Promise<unknown> }
  /** reaches the service; the response is sent in ten pieces, with this interval in ms */
  | { readonly drip: number }
  /** does not reach the service: the proxy responds */
  | { readonly answer: GatewayResponse }
  /** reaches the service; the proxy changes the response */
  | { readonly change: (answer: FullResponse) => GatewayResponse }
  /** reaches the service; the response is replaced by JSON of this size in bytes, compressed or not */
  | { readonly pour: number; readonly compressed?: boolean }
  /** does not reach the service: the proxy sends these bytes and ends the connection */
  | { readonly bytes: string | Buffer }

const DRIPS = 10
const HALF_HEADERS = 'HTTP/1.1 200 OK\r\ncontent-type: application/js'

/** Headers of the connection to the service, which do not apply to the proxy's response. */
const OF_THE_CARRIAGE = new Set(['content-length', 'transfer-encoding', 'connection', 'keep-alive'])

/** Forwards a request to the service at the base URL `service`. Resolves with the complete response. */
const askService = (service: URL, incoming: IncomingMessage): Promise<FullResponse> =>
  new Promise((resolve, reject) => {
    const onward = request(
      {
        host: service.hostname,
        port: service.port,
        method: incoming.method,
        path: incoming.url,
        // Including `host`, from which the service derives the URLs in its responses.
        headers: incoming.headers
      },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.once('error', reject)
        answer.once('end', () => {
          const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
            value === undefined || OF_THE_CARRIAGE.has(name) ? [] : [[name, String(value)] as const]
          )
          resolve({
            status: answer.statusCode ?? 502,
            headers: Object.fromEntries(headers),
            body: Buffer.concat(chunks)
          })
        })
      }
    )
    onward.once('error', reject)
    incoming.pipe(onward)
  })

const give = (outgoing: ServerResponse, { status = 200, headers = {}, body = '' }: GatewayResponse): void => {
  const type = { 'content-type': 'application/json' }
  outgoing.writeHead(status, { ...type, ...headers, 'content-length': Buffer.byteLength(body) })
  outgoing.end(body)
}

/** Sends the headers and the first half of a response. Resolves when they are written. */
const giveHalf = (outgoing: ServerResponse, { status, headers, body }: FullResponse): Promise<void> =>
  new Promise((resolve) => {
    outgoing.writeHead(status, { ...headers, 'content-length': body.byteLength })
    outgoing.write(body.subarray(0, Math.ceil(body.byteLength / 2)), () => {
      resolve()
    })
  })

const drip = async (
  outgoing: ServerResponse,
  { status, headers, body }: FullResponse,
  pause: number
): Promise<void> => {
  outgoing.writeHead(status, { ...headers, 'content-length': body.byteLength })
  const size = Math.ceil(body.byteLength / DRIPS)
  for (let start = 0; start < body.byteLength && !outgoing.destroyed; start += size) {
    outgoing.write(body.subarray(start, start + size))
    await after(pause, undefined, { ref: false })
  }
  outgoing.end()
}

const withoutExtensions = ({ status, headers, body }: FullResponse): GatewayResponse => ({
  status,
  headers,
  body: body.toString('utf8').replace(/"extensions":\[[^\]]*\]/, '"extensions":[]')
})

const PIECE = Buffer.alloc(64 * 1024, ' ')

function* blanks(bytes: number): Generator<Buffer> {
  yield Buffer.from('[')
  for (let sent = 2; sent < bytes; sent += PIECE.byteLength) yield PIECE
  yield Buffer.from(']')
}

/** Sends blanks as JSON until the size is reached or the client disconnects. */
const pour = async (outgoing: ServerResponse, bytes: number, compressed: boolean): Promise<void> => {
  outgoing.writeHead(200, {
    'content-type': 'application/json',
    ...(compressed && { 'content-encoding': 'gzip' })
  })
  const water = Readable.from(blanks(bytes))
  const poured = compressed ? pipeline(water, createGzip(), outgoing) : pipeline(water, outgoing)
  await poured.catch(() => undefined)
}

/** Applies a fault to a request, which is read completely first. Calls `onStalled` if it waits for its response then. */
async function applyFault(
  fault: Exclude<Fault, 'reset-connection'>,
  service: URL,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  onStalled: () => void
): Promise<void> {
  const { socket } = incoming
  if (fault === 'silence') {
    incoming.once('end', onStalled).resume()
    return
  }
  if (fault === 'lose-request' || (typeof fault === 'object' && ('answer' in fault || 'bytes' in fault))) {
    await text(incoming)
    if (fault === 'lose-request') socket.resetAndDestroy()
    else if ('answer' in fault) give(outgoing, fault.answer)
    else socket.end(fault.bytes)
    return
  }
  const answer = await askService(service, incoming)
  if (typeof fault === 'object') {
    if ('delay' in fault || 'drip' in fault) onStalled()
    if ('delay' in fault) {
      await after(fault.delay, undefined, { ref: false })
      give(outgoing, answer)
    } else if ('until' in fault) {
      await fault.until()
      give(outgoing, answer)
    } else if ('drip' in fault) await drip(outgoing, answer, fault.drip)
    else if ('change' in fault) give(outgoing, fault.change(answer))
    else await pour(outgoing, fault.pour, fault.compressed ?? false)
    return
  }
  switch (fault) {
    case 'pass':
      give(outgoing, answer)
      return
    case 'lose-answer':
      socket.resetAndDestroy()
      return
    case 'half-headers':
      socket.write(HALF_HEADERS, () => socket.resetAndDestroy())
      return
    case 'half-body':
      await giveHalf(outgoing, answer)
      socket.resetAndDestroy()
      return
    case 'half-body-closed':
      await giveHalf(outgoing, answer)
      socket.end()
      return
    case 'silence-in-body':
      await giveHalf(outgoing, answer)
      onStalled()
  }
}

/** Holds the responses of a service until it is opened. */
export interface Gate {
  readonly fault: Fault
  open(): void
}

/** Creates a gate that lets the first `free` responses pass. */
export function createGate(free = 0): Gate {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  let passed = 0
  return {
    fault: { until: () => (++passed > free ? promise : Promise.resolve()) },
    open: () => resolve(undefined)
  }
}

/** One recorded request. */
export interface SeenRequest {
  readonly method: string
  /** path with its query, relative to the base URL */
  readonly path: string
  /** names in lower case */
  readonly headers: IncomingHttpHeaders
  /** the part received so far */
  readonly body: string
  /** whether it was received completely; remains false if the client was killed before */
  readonly isWhole: boolean
}

/** A proxy with faults that the test chooses. */
export interface FaultyNetwork {
  /** base URL, with the service's `/api` */
  readonly url: string
  readonly seen: readonly SeenRequest[]
  /** number of connections accepted so far */
  readonly connections: number
  /** bytes of responses written so far */
  readonly bytesSent: number
  /**
   * number of requests that have been read completely, executed as far as their fault lets the service execute them, and wait
   * for the rest of their response: of `silence`, `silence-in-body`, `delay` and `drip`
   */
  readonly stalled: number
  /**
   * Sets the fault of the following requests with this method (`POST`), or with this method and path (`GET /rewards`);
   * `undefined` means all. With `times` only that many fail, the rest pass.
   */
  fail(fault: Fault, requests?: string, times?: number): void
  /** Leaves out the extensions that the service names, as a vendor's service does: it has the nine operations only. */
  hideExtensions(): void
  /** Empties `seen`. */
  forget(): void
  /** Sets the certificate of the following connections. Only for a proxy with TLS. */
  show(certificate: Certificate): void
  /** Closes all connections and refuses new ones. */
  unplug(): Promise<void>
  /** Accepts connections again, at the same port. */
  plugIn(): Promise<void>
  close(): Promise<void>
}

interface Decided {
  readonly fault: Fault
  left: number
}

/**
 * Starts a proxy of the service at `target`, a URL that includes `/api`. Uses TLS if a certificate is given;
 * otherwise it gets its own loopback address, unless `host` is given.
 */
export async function openFaultyNetwork(
  target: string,
  certificate?: Certificate,
  host = certificate ? LOOPBACK : ownAddress()
): Promise<FaultyNetwork> {
  const service = new URL(target)
  const seen: SeenRequest[] = []
  const decided = new Map<string, Decided>()
  const open = new Set<Socket>()
  let connections = 0
  let stalled = 0
  let bytesBefore = 0
  let hidesExtensions = false

  const decide = (method: string, path: string): Fault => {
    const entry = decided.get(`${method} ${path}`) ?? decided.get(method) ?? decided.get('')
    if (entry === undefined || entry.left === 0) return 'pass'
    entry.left -= 1
    return entry.fault
  }
  const take = (method: string, path: string): Fault => {
    const fault = decide(method, path)
    return fault === 'pass' && hidesExtensions && path === '/account' ? { change: withoutExtensions } : fault
  }

  const http = createServer((incoming, outgoing) => {
    const method = incoming.method ?? ''
    const path = (incoming.url ?? '').replace(service.pathname, '')
    const request = { method, path, headers: incoming.headers, body: '', isWhole: false }
    seen.push(request)
    incoming.on('data', (chunk: Buffer) => {
      request.body += chunk.toString('utf8')
    })
    incoming.on('end', () => {
      request.isWhole = true
    })
    const fault = take(method, path.replace(/\?.*$/, ''))
    if (fault === 'reset-connection') incoming.socket.resetAndDestroy()
    // Some tests disconnect the client during a request.
    else
      applyFault(fault, service, incoming, outgoing, () => (stalled += 1)).catch(() =>
        incoming.socket.destroy()
      )
  })
  // The test decides when a connection ends.
  http.keepAliveTimeout = 0

  const serve = (socket: Socket): void => {
    // At the first byte, so that the client has established the connection.
    if (decided.get('')?.fault === 'reset-connection') socket.once('readable', () => socket.resetAndDestroy())
    else http.emit('connection', socket)
  }
  const follow = (socket: Socket): void => {
    connections += 1
    open.add(socket)
    // Clients disconnect and reject certificates.
    socket.on('error', () => undefined)
    socket.once('close', () => {
      bytesBefore += socket.bytesWritten
      open.delete(socket)
    })
  }
  const secure: TlsServer | null = certificate ? createTlsServer(certificate, serve) : null
  secure?.on('tlsClientError', () => undefined)
  const server: Server = secure ?? createTcpServer({ noDelay: true }, serve)
  server.on('connection', follow)

  const listen = (port: number): Promise<void> => new Promise((resolve) => server.listen(port, host, resolve))
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      if (!server.listening) {
        resolve()
        return
      }
      server.close(() => resolve())
      for (const socket of open) socket.destroy()
    })
  await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    url: `${secure ? 'https' : 'http'}://${host}:${port}${service.pathname}`,
    seen,
    get connections() {
      return connections
    },
    get stalled() {
      return stalled
    },
    get bytesSent() {
      return [...open].reduce((sum, { bytesWritten }) => sum + bytesWritten, bytesBefore)
    },
    fail(fault, requests = '', times = Number.POSITIVE_INFINITY) {
      if (requests === '') decided.clear()
      decided.set(requests, { fault, left: times })
    },
    hideExtensions() {
      hidesExtensions = true
    },
    forget() {
      seen.length = 0
    },
    show(shown) {
      secure?.setSecureContext(shown)
    },
    unplug: stop,
    plugIn: () => listen(port),
    close: stop
  }
}
