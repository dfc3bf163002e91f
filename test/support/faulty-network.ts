/**
 * The wire between a till and its service, in the test's hand: a small HTTP proxy on loopback that passes
 * everything until it is told to fail, and counts what went through.
 */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls'
import type { Certificate } from './certificates/index.ts'
import { carryOut } from './faulty-network/carry-out.ts'
import type { Fault } from './faulty-network/fault.ts'
import { LOOPBACK, ownAddress } from './loopback.ts'

export type { Fault, OwnAnswer, WholeAnswer } from './faulty-network/fault.ts'

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
    else carryOut(fault, service, incoming, outgoing).catch(() => incoming.socket.destroy())
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
