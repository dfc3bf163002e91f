/** Serves the service over HTTP: on 127.0.0.1 unless the command line says otherwise. */
import { RequestError, getRequestListener } from '@hono/node-server'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { isIPv6 } from 'node:net'
import { API_PREFIX } from './api/app.ts'
import { createOpenApiRoute } from './api/extension-openapi.ts'
import { MAX_REQUEST_SECONDS } from './api/requests.ts'
import { errorBody, HttpError, respondToMalformedRequest } from './api/responses.ts'
import { ServerEnding } from './ending.ts'
import { LoyaltyPointsService, type LoyaltyPointsServiceOptions } from './index.ts'

const LOOPBACK = '127.0.0.1'

/** Times for a slow client. */
interface ClientTimeouts {
  readonly headersMs: number
  /** for headers and body */
  readonly requestMs: number
  /** between two looks at the connections */
  readonly checkMs: number
}

/** The longest request is a form from a phone, or a file that an owner imports. */
const CLIENT_TIMEOUTS: ClientTimeouts = {
  headersMs: 10_000,
  requestMs: MAX_REQUEST_SECONDS * 1000,
  checkMs: 5000
}

/**
 * How long a connection of a proxy may be idle: longer than a proxy keeps it (Caddy two minutes, nginx one). A proxy that
 * writes a POST to a connection that this side closes answers with 502, as it must not send it again.
 */
const PROXY_IDLE_MS = 150_000

export interface ServeOptions extends Omit<LoyaltyPointsServiceOptions, 'publicUrl' | 'routes'> {
  /** 0 selects a free port */
  readonly port: number
  /** whether the process does nothing else; false unless given */
  readonly ownsProcess?: boolean
}

export interface ServiceServer {
  /** such as `http://127.0.0.1:4010` */
  readonly origin: string
  /** base URL of the API, such as `http://127.0.0.1:4010/api` */
  readonly url: string
  /** Stops listening, waits up to ten seconds for pending requests, and closes the service. */
  close(): Promise<void>
}

/** What the server knows of a request beside the request. */
class RequestOrigin {
  readonly #incoming: IncomingMessage
  readonly #proxies: readonly string[]

  constructor(incoming: IncomingMessage, proxies: readonly string[]) {
    this.#incoming = incoming
    this.#proxies = proxies
  }

  /** The IPv4 address of who asks, or the /64 network of an IPv6 address, as the proxy says where there is one. */
  get address(): string {
    return networkOf(senderOf(this.#incoming, this.#proxies))
  }
}

/** What is served, such as a `LoyaltyPointsService`. */
interface ServedService {
  fetch(request: Request, origin: RequestOrigin): Response | Promise<Response>
  close(): Promise<void>
}

/** Where a server listens beyond this machine, and how its connections are protected. */
export interface Exposure {
  /** IP address to listen on; loopback unless given */
  readonly host?: string | undefined
  /** PEM; without it the server speaks HTTP */
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | undefined
  /** IP addresses of the proxies whose X-Forwarded-For is believed */
  readonly proxies?: readonly string[]
}

interface ListenOptions extends Exposure {
  /** 0 selects a free port */
  readonly port: number
  /** a listening socket that another process has made, in place of `host` and `port`: its descriptor */
  readonly socket?: number | undefined
  /** opens the service, whose links begin with the server's origin */
  readonly openService: (origin: string) => Promise<ServedService>
  /** `CLIENT_TIMEOUTS` unless given */
  readonly clientTimeouts?: ClientTimeouts
  /** whether the process does nothing else; false unless given */
  readonly ownsProcess?: boolean
}

/** Serves sample data. Rejects if the port is in use or the data file cannot be opened. */
export const serve = ({ port, ownsProcess = false, ...options }: ServeOptions): Promise<ServiceServer> =>
  listen({
    port,
    ownsProcess,
    openService: (publicUrl) =>
      LoyaltyPointsService.open({ ...options, publicUrl, routes: createOpenApiRoute(false) })
  })

/** Starts a server. Rejects if the port is in use or the service cannot be opened. */
export const listen = async ({
  port,
  host = LOOPBACK,
  socket,
  tls,
  proxies = [],
  openService,
  clientTimeouts = CLIENT_TIMEOUTS,
  ownsProcess = false
}: ListenOptions): Promise<ServiceServer> => {
  // The links need the port, which is known when the server listens. Requests wait until the service is open.
  const opening = Promise.withResolvers<ServedService>()
  opening.promise.catch(() => undefined)
  const respond = async (request: Request, incoming: IncomingMessage): Promise<Response> =>
    (await opening.promise).fetch(request, new RequestOrigin(incoming, proxies))
  const listener = getRequestListener(
    (request, { incoming }) => respond(request, incoming as IncomingMessage),
    {
      hostname: LOOPBACK,
      // Replaces the process's global Request and Response by ones that are twice as fast here. Not in a process that
      // does other things.
      overrideGlobalObjects: ownsProcess,
      errorHandler: respondToAdapterError
    }
  )
  // Node rejects a request without a Host header with an empty body; the service does not need the header.
  const options = {
    requireHostHeader: false,
    headersTimeout: clientTimeouts.headersMs,
    requestTimeout: clientTimeouts.requestMs,
    connectionsCheckingInterval: clientTimeouts.checkMs,
    ...(proxies.length === 0 ? {} : { keepAliveTimeout: PROXY_IDLE_MS })
  }
  const server =
    tls === undefined
      ? createServer(options, (request, response) => void listener(request, response))
      : createTlsServer({ ...options, ...tls }, (request, response) => void listener(request, response))
  server.on('clientError', respondToMalformedRequest)
  const ending = new ServerEnding(server, tls === undefined ? 'connection' : 'secureConnection')
  const scheme = tls === undefined ? 'http' : 'https'
  const place = await startListening(server, socket === undefined ? { port, host } : { fd: socket })
  const origin = `${scheme}://${place}`
  try {
    const service = await openService(origin)
    opening.resolve(service)
    return {
      origin,
      url: origin + API_PREFIX,
      close: async () => {
        await ending.end()
        await service.close()
      }
    }
  } catch (error) {
    opening.reject(error)
    server.closeAllConnections()
    await ending.end()
    throw error
  }
}

/** An IPv4 address, also one that a socket for both versions shows as IPv6. */
const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

/** The /64 network of an IPv6 address: a household has at least one (RFC 6177), and any address in it. */
const networkOf = (address: string): string => {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.replace(/%.*$/, '').toLowerCase().split(/::/)
  const before = head.split(':').filter((group) => group !== '')
  const after = (tail ?? '').split(':').filter((group) => group !== '')
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - before.length - after.length }, () => '0')
  const network = [...before, ...zeros, ...after].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''))
  return `${network.join(':')}::/64`
}

/** An address with brackets or a port, as some proxies write one. */
const WITH_PORT = /^\[([^\]]+)\](?::\d+)?$|^([^:]+):\d+$/

/** The last address of X-Forwarded-For is the one that the proxy itself saw; the others anybody can write. */
const senderOf = ({ socket, headers }: IncomingMessage, proxies: readonly string[]): string => {
  const address = plainAddress(socket.remoteAddress ?? '')
  if (!proxies.includes(address)) return address
  const forwarded = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .at(-1)
    ?.trim()
  if (forwarded === undefined || forwarded === '') return address
  const [, bracketed, plain] = WITH_PORT.exec(forwarded) ?? []
  return plainAddress(bracketed ?? plain ?? forwarded)
}

const placeText = (host: string, port: number): string => `${isIPv6(host) ? `[${host}]` : host}:${port}`

/** Starts listening. Resolves with the place, such as `127.0.0.1:4010` or `[::1]:4010`. */
const startListening = (
  server: Server,
  place: { readonly port: number; readonly host: string } | { readonly fd: number }
): Promise<string> =>
  new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => {
      reject(
        error.code === 'EADDRINUSE' && 'host' in place
          ? new Error(`Another program uses ${placeText(place.host, place.port)}. Choose another port.`, {
              cause: error
            })
          : error
      )
    }
    server.once('error', fail)
    server.listen(place, () => {
      server.off('error', fail)
      const address = server.address()
      if (typeof address === 'object' && address !== null) resolve(placeText(address.address, address.port))
      else reject(new Error('The socket has no IP address.'))
    })
  })

/** Handles a request that Node accepts and the Request class does not, such as one with an invalid Host header. */
const respondToAdapterError = (error: unknown): Response => {
  const httpError =
    error instanceof RequestError ? new HttpError(400, 'request-malformed') : new HttpError(500, 'internal')
  return Response.json(errorBody(httpError, 'en'), { status: httpError.status })
}
