/** A TCP proxy on loopback that forwards every byte and records both directions. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** The bytes of one connection. */
interface RecordedConnection {
  /** from the client to the server */
  readonly sent: Buffer
  /** from the server to the client */
  readonly received: Buffer
}

/** One request's head as it was sent. */
interface RecordedRequestHead {
  readonly method: string
  /** path and query, undecoded */
  readonly target: string
  /** as they were sent, one a line */
  readonly headers: readonly string[]
}

export interface RecordingProxy {
  /** the target's URL through the proxy */
  readonly url: string
  readonly connections: () => readonly RecordedConnection[]
  /** heads of all requests so far */
  readonly heads: () => readonly RecordedRequestHead[]
  close(): Promise<void>
}

const HEAD = /^([A-Z]+) (\S+) HTTP\/1\.1\r\n([\s\S]*?)\r\n\r\n/gm

/** Starts a proxy to the server at `target`, an http URL. */
export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
  const { hostname, port, pathname } = new URL(target)
  const kept: { sent: Buffer[]; received: Buffer[] }[] = []
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const chunks = { sent: [] as Buffer[], received: [] as Buffer[] }
    kept.push(chunks)
    const upstream = connect(Number(port), hostname)
    for (const [one, other, into] of [
      [client, upstream, chunks.sent],
      [upstream, client, chunks.received]
    ] as const) {
      open.add(one)
      one.on('data', (chunk: Buffer) => into.push(chunk))
      one.pipe(other)
      one.once('close', () => {
        open.delete(one)
        other.destroy()
      })
      // An error on one side closes the other.
      one.on('error', () => other.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port: own } = server.address() as AddressInfo
  const connections = (): RecordedConnection[] =>
    kept.map(({ sent, received }) => ({ sent: Buffer.concat(sent), received: Buffer.concat(received) }))
  return {
    url: `http://127.0.0.1:${String(own)}${pathname}`,
    connections,
    heads: () =>
      connections().flatMap(({ sent }) =>
        Array.from(sent.toString('latin1').matchAll(HEAD), ([, method = '', path = '', headers = '']) => ({
          method,
          target: path,
          headers: headers.split('\r\n')
        }))
      ),
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
