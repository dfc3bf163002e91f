/**
 * Serves the training service over HTTP, on this machine only: `npm run service`, tests and the demo.
 * As a program: see `--help`. It ends with 0 on SIGTERM and SIGINT, 1 when it cannot serve, 2 for a wrong flag.
 */
import { RequestError, getRequestListener } from '@hono/node-server'
import { createServer, type Server } from 'node:http'
import { API_PREFIX } from './app.ts'
import { readCommandLine, usage, type ServeOptions } from './command-line.ts'
import { Refusal, errorBody } from './errors.ts'
import { answerUnreadable } from './unreadable.ts'
import { createTrainingService, type TrainingService } from './index.ts'

/** The service has no secrets worth a network: it never listens anywhere else. */
const host = '127.0.0.1'

/** Milliseconds that requests under way are given when the service closes. */
const grace = 1000

export interface ServedTraining {
  /** base address, such as `http://127.0.0.1:4010/api` */
  readonly url: string
  /** Stops listening, lets requests under way finish for a second, and closes the data. */
  close(): Promise<void>
}

const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })

const shut = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const impatience = setTimeout(() => {
      server.closeAllConnections()
    }, grace)
    server.close(() => {
      clearTimeout(impatience)
      resolve()
    })
    server.closeIdleConnections()
  })

/** A request that Node takes and the Fetch standard does not, such as one with an impossible Host; or a fault. */
const answerUnanswered = (fault: unknown): Response => {
  const refusal =
    fault instanceof RequestError ? new Refusal(400, 'request-malformed') : new Refusal(500, 'internal')
  return Response.json(errorBody(refusal, 'en'), { status: refusal.status })
}

/** Starts serving. Rejects when the port is taken or the data file cannot be used. */
export const serve = async ({ port, ...options }: ServeOptions): Promise<ServedTraining> => {
  // The links need the port, and the port is known once the server listens: the service opens in between, and
  // requests that come meanwhile wait for it.
  const opening = Promise.withResolvers<TrainingService>()
  opening.promise.catch(() => undefined)
  const listener = getRequestListener(async (request) => (await opening.promise).fetch(request), {
    hostname: host,
    // As a program: hono then answers with responses whose text goes straight to the socket. The system's own go through
    // a stream each, and halve what is served. A process that does other things keeps its globals.
    overrideGlobalObjects: import.meta.main,
    errorHandler: answerUnanswered
  })
  // Node's own refusal of a request without a Host has no body; this service needs none, and takes it.
  const server = createServer(
    { requireHostHeader: false },
    (request, response) => void listener(request, response)
  )
  server.on('clientError', answerUnreadable)
  const publicUrl = `http://${host}:${await listen(server, port)}`
  try {
    const service = createTrainingService({ ...options, publicUrl })
    opening.resolve(service)
    return {
      url: publicUrl + API_PREFIX,
      close: async () => {
        await shut(server)
        service.close()
      }
    }
  } catch (error) {
    opening.reject(error)
    server.closeAllConnections()
    await shut(server)
    throw error
  }
}

const run = async (options: ServeOptions): Promise<void> => {
  const served = await serve(options)
  const end = (): void => {
    void served.close().then(() => process.exit(0))
  }
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
  console.log(
    options.file === ':memory:' ? 'data in memory: gone when this ends' : `data kept in ${options.file}`
  )
  console.log(`listening on ${served.url}`)
}

if (import.meta.main) {
  const command = readCommandLine(process.argv.slice(2))
  if (command.kind === 'help') {
    console.log(usage)
  } else if (command.kind === 'mistake') {
    console.error(`${command.message} (--help shows the flags)`)
    process.exitCode = 2
  } else {
    await run(command.options).catch((error: unknown) => {
      console.error(`The service cannot start: ${error instanceof Error ? error.message : String(error)}`)
      process.exitCode = 1
    })
  }
}
