/**
 * A service over TLS behind a middlebox that breaks the stream after the service has read a request, in each way that a
 * middlebox, a gateway or a restarted service can.
 */
import {
  constants,
  createSecureServer as createHttp2Server,
  type Http2ServerRequest,
  type Http2ServerResponse
} from 'node:http2'
import { createServer as createSecureServer } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { trusted, type Certificate } from './certificates/index.ts'
import { LOOPBACK } from './loopback.ts'

/** Both ends of a stream through the middlebox. */
interface Stream {
  readonly client: Socket
  readonly service: Socket
}

/** Breaks a stream. `response` is the response of the service to the request that it just read. */
export type Break = (stream: Stream, response: ServerResponse) => void

const CONTENT = '{"id":"broken"}'

/** A TLS record of type `type`, version 1.2. */
const record = (type: number, content: Buffer): Buffer => {
  const header = Buffer.from([type, 3, 3, 0, 0])
  header.writeUInt16BE(content.length, 3)
  return Buffer.concat([header, content])
}

const APPLICATION_DATA = 23
const ALERT = 21
const FATAL = 2
const INTERNAL_ERROR = 80

/** Every way to break a stream after the request was read. */
export const BREAKS = {
  'a reset': ({ client }) => client.resetAndDestroy(),
  'an end without close_notify': ({ client }) => client.end(),
  'close_notify without a response': (_stream, response) => response.socket?.end(),
  'text instead of a TLS record': ({ client }) => client.write('HTTP/1.1 502 Bad Gateway\r\n\r\n'),
  'a corrupt TLS record': ({ client }) => client.write(record(APPLICATION_DATA, Buffer.alloc(48, 7))),
  'an oversized TLS record': ({ client }) =>
    client.write(Buffer.concat([Buffer.from([APPLICATION_DATA, 3, 3, 255, 255]), Buffer.alloc(1024)])),
  'an alert in plain text': ({ client }) => client.write(record(ALERT, Buffer.from([FATAL, INTERNAL_ERROR]))),
  // The service receives a corrupt record, and answers with the alert bad_record_mac.
  'a fatal alert of the service': ({ service }) =>
    service.write(record(APPLICATION_DATA, Buffer.alloc(48, 7))),
  'half a status line, and a reset': ({ client }, response) => {
    response.socket?.write('HTTP/1.1 2', () => client.resetAndDestroy())
  },
  'half the headers, and an end': (_stream, response) => {
    response.socket?.end('HTTP/1.1 200 OK\r\ncontent-type: applic')
  },
  'no HTTP': (_stream, response) => response.socket?.end('SSH-2.0-OpenSSH_9.2\r\n'),
  'a body that ends early': (_stream, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 })
    response.write(CONTENT, () => response.socket?.end())
  },
  'a body that is reset': ({ client }, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 })
    response.write(CONTENT, () => client.resetAndDestroy())
  },
  'a chunk of a wrong length': (_stream, response) => {
    response.socket?.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n')
  },
  'two lengths': (_stream, response) => {
    response.socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}')
  },
  'a body that is not gzip': (_stream, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
    response.end(CONTENT)
  },
  'a status 407': (_stream, response) => {
    response.writeHead(407, { 'proxy-authenticate': 'Basic realm="proxy"' })
    response.end()
  }
} as const satisfies Readonly<Record<string, Break>>

/** A running server of this file. */
export interface BreakingServer {
  /** base URL, with `/api` */
  readonly url: string
  readonly port: number
  /** number of requests with this method that the service has read completely */
  count(method: string): number
  close(): Promise<void>
}

const listen = (server: Server, port = 0): Promise<number> =>
  new Promise((resolve) =>
    server.listen(port, LOOPBACK, () => resolve((server.address() as AddressInfo).port))
  )

/** Closes a server and destroys the sockets in `open`. */
const close = (server: Server, open: ReadonlySet<Socket>): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    for (const socket of open) socket.destroy()
  })

const collect = (server: Server): ReadonlySet<Socket> => {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => open.delete(socket))
  })
  return open
}

/** Starts a service over HTTP/1.1 whose streams break in one way after each request. */
export async function startBreakingServer(
  breakStream: Break,
  certificate: Certificate = trusted
): Promise<BreakingServer> {
  const counts = new Map<string, number>()
  const streams = new Map<number, Stream>()
  const service = createSecureServer(certificate, (request: IncomingMessage, response) => {
    void text(request).then(() => {
      const method = request.method ?? ''
      counts.set(method, (counts.get(method) ?? 0) + 1)
      const stream = streams.get(request.socket.remotePort ?? 0)
      if (stream) breakStream(stream, response)
    })
  })
  service.on('tlsClientError', () => undefined)
  const open = collect(service)
  const servicePort = await listen(service)
  const middlebox = createServer((client) => {
    const onward = connect(servicePort, LOOPBACK, () => {
      streams.set(onward.localPort ?? 0, { client, service: onward })
      client.pipe(onward).pipe(client)
    })
    onward.on('error', () => client.destroy())
    client.once('close', () => onward.destroy())
  })
  const openClients = collect(middlebox)
  const port = await listen(middlebox)
  return {
    url: `https://${LOOPBACK}:${port}/api`,
    port,
    count: (method) => counts.get(method) ?? 0,
    close: async () => {
      await close(middlebox, openClients)
      await close(service, open)
    }
  }
}

/** Ends an HTTP/2 stream after its request was read. */
type Http2Break = (response: Http2ServerResponse) => void

const reset =
  (code: number): Http2Break =>
  ({ stream }) =>
    stream.close(code)

/** Every way of HTTP/2 to end a request without a response. */
export const HTTP2_BREAKS = {
  'RST_STREAM with INTERNAL_ERROR': reset(constants.NGHTTP2_INTERNAL_ERROR),
  'RST_STREAM with REFUSED_STREAM': reset(constants.NGHTTP2_REFUSED_STREAM),
  'RST_STREAM with HTTP_1_1_REQUIRED': reset(constants.NGHTTP2_HTTP_1_1_REQUIRED),
  'RST_STREAM with NO_ERROR': reset(constants.NGHTTP2_NO_ERROR),
  'GOAWAY that leaves the request out': ({ stream }) => {
    stream.session?.goaway(constants.NGHTTP2_NO_ERROR, 0)
    stream.session?.destroy()
  },
  'GOAWAY with INTERNAL_ERROR': ({ stream }) =>
    stream.session?.destroy(undefined, constants.NGHTTP2_INTERNAL_ERROR),
  'a reset of the connection': ({ stream }) => stream.session?.socket.destroy()
} as const satisfies Readonly<Record<string, Http2Break>>

/** Starts a service that speaks HTTP/2 to clients that offer it, and HTTP/1.1 to others. */
export async function startHttp2Server(breakStream: Http2Break): Promise<BreakingServer> {
  const counts = new Map<string, number>()
  const server = createHttp2Server(
    { ...trusted, allowHTTP1: true },
    (request: Http2ServerRequest, response: Http2ServerResponse) => {
      void text(request).then(() => {
        counts.set(request.method, (counts.get(request.method) ?? 0) + 1)
        if (request.httpVersionMajor === 2) breakStream(response)
        else request.socket.destroy()
      })
    }
  )
  server.on('sessionError', () => undefined)
  const open = collect(server)
  const port = await listen(server)
  return {
    url: `https://${LOOPBACK}:${port}/api`,
    port,
    count: (method) => counts.get(method) ?? 0,
    close: () => close(server, open)
  }
}
