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

/** The faults that a test can choose for a request. */

/** A whole answer of HTTP. */
export interface FullResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** A response of the network itself, as of a gateway; status 200 and JSON by default. */
export interface GatewayResponse {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

export type Fault =
  /** goes through */
  | 'pass'
  /** reaches the service, and the answer is lost: the connection breaks */
  | 'lose-answer'
  /** never reaches the service: the connection breaks */
  | 'lose-request'
  /** never reaches the service and gets no response */
  | 'silence'
  /** the connection is taken, and reset as soon as something comes: no request is read */
  | 'reset-connection'
  /** reaches the service; the answer breaks off in its headers */
  | 'half-headers'
  /** reaches the service; the answer breaks off in its body, and the connection is reset */
  | 'half-body'
  /** reaches the service; the answer breaks off in its body, and the connection ends as if all were well */
  | 'half-body-closed'
  /** reaches the service; half of the answer comes and then nothing */
  | 'silence-in-body'
  /** reaches the service; its answer comes after so many ms */
  | { readonly delay: number }
  /** reaches the service; its answer comes in ten pieces, so many ms apart */
  | { readonly drip: number }
  /** never reaches the service: the network answers */
  | { readonly answer: GatewayResponse }
  /** reaches the service; its answer is changed on the way */
  | { readonly change: (answer: FullResponse) => GatewayResponse }
  /** reaches the service; the answer is so many bytes of JSON, compressed or not */
  | { readonly pour: number; readonly compressed?: boolean }
  /** never reaches the service: these very bytes come back, and the connection ends */
  | { readonly bytes: string | Buffer }

/* from carry-out.ts: How each fault is brought about on a request that the network has in hand. */

const DRIPS = 10
const HALF_HEADERS = 'HTTP/1.1 200 OK\r\ncontent-type: application/js'

/** Headers of the service that say how its answer was carried, and would be wrong on another one. */
const OF_THE_CARRIAGE = new Set(['content-length', 'transfer-encoding', 'connection', 'keep-alive'])

/** Asks the service and gives its whole answer. `service` is its base address. */
const askService = (service: URL, incoming: IncomingMessage): Promise<FullResponse> =>
  new Promise((resolve, reject) => {
    const onward = request(
      {
        host: service.hostname,
        port: service.port,
        method: incoming.method,
        path: incoming.url,
        // The service names itself in its answers by the address it was asked at.
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

/** Sends the headers and the first half of an answer. Resolves when they are with the system. */
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

const PIECE = Buffer.alloc(64 * 1024, ' ')

function* blanks(bytes: number): Generator<Buffer> {
  yield Buffer.from('[')
  for (let sent = 2; sent < bytes; sent += PIECE.byteLength) yield PIECE
  yield Buffer.from(']')
}

/** Pours until the other side has had enough. */
const pour = async (outgoing: ServerResponse, bytes: number, compressed: boolean): Promise<void> => {
  outgoing.writeHead(200, {
    'content-type': 'application/json',
    ...(compressed && { 'content-encoding': 'gzip' })
  })
  const water = Readable.from(blanks(bytes))
  const poured = compressed ? pipeline(water, createGzip(), outgoing) : pipeline(water, outgoing)
  await poured.catch(() => undefined)
}

/** Brings `fault` about. Whatever of the answer is lost, the request was read to its end first. */
async function applyFault(
  fault: Exclude<Fault, 'reset-connection'>,
  service: URL,
  incoming: IncomingMessage,
  outgoing: ServerResponse
): Promise<void> {
  const { socket } = incoming
  if (fault === 'silence') {
    incoming.resume()
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
    if ('delay' in fault) {
      await after(fault.delay, undefined, { ref: false })
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
  }
}

/* from faulty-network.ts:
 * The wire between a till and its service, in the test's hand: a small HTTP proxy on loopback that passes
 * everything until it is told to fail, and counts what went through.
 */

/** One request as it was seen on the wire. */
export interface SeenRequest {
  readonly method: string
  /** path with its query, below the base address */
  readonly path: string
  /** names in lower case */
  readonly headers: IncomingHttpHeaders
  /** as far as it has come; grows until the request is whole */
  readonly body: string
  /** whether all of it came; false for ever where the client was killed in the middle of it */
  readonly isWhole: boolean
}

/** A proxy whose failing is decided by the test. */
export interface FaultyNetwork {
  /** base address, with the service's `/api` */
  readonly url: string
  readonly seen: readonly SeenRequest[]
  /** connections that were taken so far, whatever became of them */
  readonly connections: number
  /** bytes of answers that were handed to the system so far */
  readonly bytesSent: number
  /**
   * Decides over requests of one method from now on; `undefined` means all. With `times` only over so many of them,
   * after which they pass.
   */
  fail(fault: Fault, method?: string, times?: number): void
  /** Shows another certificate to connections from now on; only for a network that speaks TLS. */
  show(certificate: Certificate): void
  /** Refuses connections, as with a cable pulled out. */
  unplug(): Promise<void>
  /** Accepts connections again, at the same address. */
  plugIn(): Promise<void>
  close(): Promise<void>
}

interface Decided {
  readonly fault: Fault
  left: number
}

/**
 * Opens the wire to the service at `target`, which includes `/api`; it speaks TLS where it has a certificate. Without
 * one it has an address of its own, unless `host` says which.
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
  let bytesBefore = 0

  const take = (method: string): Fault => {
    const entry = decided.get(method) ?? decided.get('')
    if (entry === undefined || entry.left === 0) return 'pass'
    entry.left -= 1
    return entry.fault
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
    const fault = take(method)
    if (fault === 'reset-connection') incoming.socket.resetAndDestroy()
    // A client that leaves in between is what some tests are about.
    else applyFault(fault, service, incoming, outgoing).catch(() => incoming.socket.destroy())
  })
  // The test decides when a connection ends.
  http.keepAliveTimeout = 0

  const serve = (socket: Socket): void => {
    // With the first byte, so that the client has surely seen the connection come about.
    if (decided.get('')?.fault === 'reset-connection') socket.once('readable', () => socket.resetAndDestroy())
    else http.emit('connection', socket)
  }
  const follow = (socket: Socket): void => {
    connections += 1
    open.add(socket)
    // Clients hang up, and refuse certificates.
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
    get bytesSent() {
      return [...open].reduce((sum, { bytesWritten }) => sum + bytesWritten, bytesBefore)
    },
    fail(fault, method = '', times = Number.POSITIVE_INFINITY) {
      if (method === '') decided.clear()
      decided.set(method, { fault, left: times })
    },
    show(shown) {
      secure?.setSecureContext(shown)
    },
    unplug: stop,
    plugIn: () => listen(port),
    close: stop
  }
}
