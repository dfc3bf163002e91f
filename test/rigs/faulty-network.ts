/**
 * The wire between a till and its service, in the test's hand: a small HTTP proxy on loopback that passes
 * everything until it is told to fail, and counts what went through.
 */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What happens to a request. */
export type Fault =
  /** goes through */
  | 'pass'
  /** reaches the service, and the answer is lost: the connection breaks */
  | 'lose-answer'
  /** never reaches the service: the connection breaks */
  | 'lose-request'
  /** never reaches the service and nobody answers */
  | 'silence'

/** One request as it was seen on the wire. */
export interface SeenRequest {
  readonly method: string
  /** path with its query, below the base address */
  readonly path: string
  /** as far as it has come; grows until the request is whole */
  readonly body: string
}

/** A proxy whose failing is decided by the test. */
export interface FaultyNetwork {
  /** base address, with the service's `/api` */
  readonly url: string
  readonly seen: readonly SeenRequest[]
  /** Decides over requests of one method from now on; `undefined` means all. */
  fail(fault: Fault, method?: string): void
  /** Refuses connections, as with a cable pulled out. */
  unplug(): Promise<void>
  /** Accepts connections again, at the same address. */
  plugIn(): Promise<void>
  close(): Promise<void>
}

/** Opens the wire to the service at `target`, which includes `/api`. */
export async function openFaultyNetwork(target: string): Promise<FaultyNetwork> {
  const service = new URL(target)
  const seen: SeenRequest[] = []
  const faults = new Map<string, Fault>()

  const forward = (incoming: IncomingMessage, outgoing: ServerResponse, keepAnswer: boolean): void => {
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
        if (!keepAnswer) {
          answer.resume()
          answer.once('end', () => incoming.socket.destroy())
          return
        }
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      }
    )
    onward.once('error', () => incoming.socket.destroy())
    incoming.pipe(onward)
  }

  const server = createServer((incoming, outgoing) => {
    const method = incoming.method ?? ''
    const request = { method, path: (incoming.url ?? '').replace(service.pathname, ''), body: '' }
    seen.push(request)
    incoming.on('data', (chunk: Buffer) => {
      request.body += chunk.toString('utf8')
    })
    switch (faults.get(method) ?? faults.get('') ?? 'pass') {
      case 'pass':
        forward(incoming, outgoing, true)
        return
      case 'lose-answer':
        forward(incoming, outgoing, false)
        return
      case 'lose-request':
        incoming.socket.destroy()
        return
      case 'silence':
        return
    }
  })
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      if (!server.listening) {
        resolve()
        return
      }
      server.close(() => resolve())
      server.closeAllConnections()
    })
  await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${service.pathname}`,
    seen,
    fail(fault, method = '') {
      if (method === '') faults.clear()
      faults.set(method, fault)
    },
    unplug: stop,
    plugIn: () => listen(port),
    close: stop
  }
}
