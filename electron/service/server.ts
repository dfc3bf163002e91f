/** Serves the service over HTTP on 127.0.0.1, for tests, the demo and the command line. */
import { RequestError, getRequestListener } from '@hono/node-server'
import { createServer, type Server } from 'node:http'
import { API_PREFIX } from './api/app.ts'
import { errorBody, HttpError, respondToMalformedRequest } from './api/responses.ts'
import { LoyaltyPointsService, type LoyaltyPointsServiceOptions } from './index.ts'

/** The service has no transport encryption, so it does not listen on other interfaces. */
const HOST = '127.0.0.1'

/** Time for pending requests when the server closes. */
const CLOSE_TIMEOUT_MS = 1000

export interface ServeOptions extends Omit<LoyaltyPointsServiceOptions, 'publicUrl'> {
  /** 0 selects a free port */
  readonly port: number
  /** whether the process does nothing else; false unless given */
  readonly ownsProcess?: boolean
}

export interface ServiceServer {
  /** base URL of the API, such as `http://127.0.0.1:4010/api` */
  readonly url: string
  /** Stops listening, waits up to a second for pending requests, and closes the service. */
  close(): Promise<void>
}

/** What is served, such as a `LoyaltyPointsService`. */
interface ServedService {
  fetch(request: Request): Response | Promise<Response>
  close(): Promise<void>
}

interface ListenOptions {
  /** 0 selects a free port */
  readonly port: number
  /** opens the service, whose links begin with the server's origin */
  readonly openService: (origin: string) => Promise<ServedService>
  /** whether the process does nothing else; false unless given */
  readonly ownsProcess?: boolean
}

/** Serves sample data. Rejects if the port is in use or the data file cannot be opened. */
export const serve = ({ port, ownsProcess = false, ...options }: ServeOptions): Promise<ServiceServer> =>
  listen({
    port,
    ownsProcess,
    openService: (publicUrl) => LoyaltyPointsService.open({ ...options, publicUrl })
  })

/** Starts a server. Rejects if the port is in use or the service cannot be opened. */
export const listen = async ({
  port,
  openService,
  ownsProcess = false
}: ListenOptions): Promise<ServiceServer> => {
  // The links need the port, which is known when the server listens. Requests wait until the service is open.
  const opening = Promise.withResolvers<ServedService>()
  opening.promise.catch(() => undefined)
  const listener = getRequestListener(async (request) => (await opening.promise).fetch(request), {
    hostname: HOST,
    // Replaces the process's global Request and Response by ones that are twice as fast here. Not in a process that
    // does other things.
    overrideGlobalObjects: ownsProcess,
    errorHandler: respondToAdapterError
  })
  // Node rejects a request without a Host header with an empty body; the service does not need the header.
  const server = createServer(
    { requireHostHeader: false },
    (request, response) => void listener(request, response)
  )
  server.on('clientError', respondToMalformedRequest)
  const origin = `http://${HOST}:${await portOf(server, port)}`
  try {
    const service = await openService(origin)
    opening.resolve(service)
    return {
      url: origin + API_PREFIX,
      close: async () => {
        await closeServer(server)
        await service.close()
      }
    }
  } catch (error) {
    opening.reject(error)
    server.closeAllConnections()
    await closeServer(server)
    throw error
  }
}

/** Starts listening. Resolves with the port. */
const portOf = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, HOST, () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const timeout = setTimeout(() => {
      server.closeAllConnections()
    }, CLOSE_TIMEOUT_MS)
    server.close(() => {
      clearTimeout(timeout)
      resolve()
    })
    server.closeIdleConnections()
  })

/** Handles a request that Node accepts and the Request class does not, such as one with an invalid Host header. */
const respondToAdapterError = (error: unknown): Response => {
  const httpError =
    error instanceof RequestError ? new HttpError(400, 'request-malformed') : new HttpError(500, 'internal')
  return Response.json(errorBody(httpError, 'en'), { status: httpError.status })
}
