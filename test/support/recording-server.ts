/**
 * An HTTP server on loopback that records requests and sends the responses that a test sets: complete, slow, partial or
 * none. It is independent of the Loyalty Points Service.
 */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

/** One request as it came over the wire. */
export interface Recorded {
  readonly method: string
  /** path and query, undecoded */
  readonly target: string
  /** names in lower case */
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** The server's reaction to a request. */
export type Reply =
  /** a whole answer; an object is sent as JSON */
  | {
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string | Buffer | object
    }
  /** reads the request and cuts the connection without a word */
  | 'reset'
  /** sends headers and half a body, then cuts the connection */
  | 'reset-in-body'
  /** reads the request and never answers */
  | 'silence'
  /** sends headers and half a body, and never the rest */
  | 'silence-in-body'
  /** sends a body without an end */
  | 'endless-body'

export interface RecordingServer {
  /** with `/api` and without a slash at its end, as the service's address has it */
  readonly baseUrl: string
  readonly requests: readonly Recorded[]
  /** Sets the next responses in order; the last one repeats. Clears the recorded requests. */
  answer(...replies: readonly [Reply, ...Reply[]]): void
  /** Sets a function that returns the response to each request. Clears the recorded requests. */
  answerBy(respond: (request: Recorded) => Reply): void
  close(): Promise<void>
}

const HALF = '{"id": "half a bo'

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) if (chunk instanceof Buffer) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

const pourForever = (response: ServerResponse): void => {
  const water = Buffer.alloc(64 * 1024, ' ')
  const pour = (): void => {
    while (!response.destroyed && response.write(water));
  }
  response.on('drain', pour)
  pour()
}

const give = (reply: Reply, response: ServerResponse): void => {
  if (reply === 'silence') return
  if (reply === 'reset') {
    response.socket?.resetAndDestroy()
    return
  }
  if (typeof reply === 'string') {
    response.writeHead(200, { 'content-type': 'application/json' })
    if (reply === 'endless-body') pourForever(response)
    else response.write(HALF, () => reply === 'reset-in-body' && response.socket?.resetAndDestroy())
    return
  }
  const { status = 200, headers = {}, body = '' } = reply
  const raw = typeof body === 'string' || body instanceof Buffer
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(raw ? body : JSON.stringify(body))
}

const listen = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address: AddressInfo | string | null = server.address()
      if (address === null || typeof address === 'string') reject(new Error('The server has no port'))
      else resolve(address.port)
    })
  })

/** Starts a server on a free port of loopback; with a key and a certificate it speaks TLS. */
export const startRecordingServer = async (
  tls?: Readonly<{ key: string; cert: string }>
): Promise<RecordingServer> => {
  let requests: Recorded[] = []
  let respond: (request: Recorded) => Reply = () => ({})

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request
    const recorded = { method, target: url, headers, body: await bodyOf(request) }
    const reply = respond(recorded)
    requests.push(recorded)
    give(reply, response)
  }
  const listener: RequestListener = (request, response) => {
    // A request that breaks off while it is read was never whole, and is not recorded.
    handle(request, response).catch(() => response.destroy())
  }
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
  const port = await listen(server)

  return {
    baseUrl: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${String(port)}/api`,
    get requests() {
      return requests
    },
    answer(...next) {
      requests = []
      respond = () => next[Math.min(requests.length, next.length - 1)] ?? {}
    },
    answerBy(next) {
      requests = []
      respond = next
    },
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => {
          if (error === undefined) resolve()
          else reject(error)
        })
        server.closeAllConnections()
      })
  }
}

/** A loopback address without a listener. */
export const deadBaseUrl = async (): Promise<string> => {
  const server = await startRecordingServer()
  await server.close()
  return server.baseUrl
}
