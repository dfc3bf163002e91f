/**
 * Serves the service over HTTP on 127.0.0.1, for tests, the demo and `npm run service`. As a program (`--help` lists the
 * options) it exits with 0 on SIGTERM and SIGINT, with 1 if it cannot start, and with 2 for an invalid option.
 */
import { RequestError, getRequestListener } from '@hono/node-server'
import { createServer, type Server } from 'node:http'
import { parseArgs } from 'node:util'
import { API_PREFIX } from './app.ts'
import { DEFAULT_SEED, LoyaltyPointsService, type LoyaltyPointsServiceOptions } from './index.ts'
import { containsExpiredWord, TOKEN_SYNTAX } from './requests.ts'
import { errorBody, HttpError, respondToMalformedRequest } from './responses.ts'

/** The service has sample data and no transport encryption, so it does not listen on other interfaces. */
const HOST = '127.0.0.1'

/** Time for pending requests when the server closes. */
const CLOSE_TIMEOUT_MS = 1000

export interface ServeOptions extends Omit<LoyaltyPointsServiceOptions, 'publicUrl'> {
  /** 0 selects a free port */
  readonly port: number
}

export interface ServiceServer {
  /** base URL of the API, such as `http://127.0.0.1:4010/api` */
  readonly url: string
  /** Stops listening, waits up to a second for pending requests, and closes the data file. */
  close(): Promise<void>
}

/** Starts a server. Rejects if the port is in use or the data file cannot be opened. */
export const serve = async ({ port, ...options }: ServeOptions): Promise<ServiceServer> => {
  // The links need the port, which is known when the server listens. Requests wait until the service is open.
  const opening = Promise.withResolvers<LoyaltyPointsService>()
  opening.promise.catch(() => undefined)
  const listener = getRequestListener(async (request) => (await opening.promise).fetch(request), {
    hostname: HOST,
    // Replaces the process's global Request and Response by ones that are twice as fast here. Not in a process that
    // does other things.
    overrideGlobalObjects: import.meta.main,
    errorHandler: respondToAdapterError
  })
  // Node rejects a request without a Host header with an empty body; the service does not need the header.
  const server = createServer(
    { requireHostHeader: false },
    (request, response) => void listener(request, response)
  )
  server.on('clientError', respondToMalformedRequest)
  const publicUrl = `http://${HOST}:${await listen(server, port)}`
  try {
    const service = new LoyaltyPointsService({ ...options, publicUrl })
    opening.resolve(service)
    return {
      url: publicUrl + API_PREFIX,
      close: async () => {
        await closeServer(server)
        service.close()
      }
    }
  } catch (error) {
    opening.reject(error)
    server.closeAllConnections()
    await closeServer(server)
    throw error
  }
}

/** Resolves with the port. */
const listen = (server: Server, port: number): Promise<number> =>
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

/** The output of `--help`. */
export const USAGE = `Serves the Loyalty Points Service over HTTP on this machine (127.0.0.1).

  --port PORT       port to listen on, 0 for any free port (default 4010)
  --token TOKEN     token to accept (default demo); may be repeated: each token is a separate business
  --expired TOKEN   token to refuse with 401 "token expired"; may be repeated. Tokens that contain the
                    word "expired" are always refused
  --data FILE       data file (default: in memory, lost when the service exits)
  --customers N     customers of a new business (default ${DEFAULT_SEED.customers})
  --rewards N       rewards of a new business (default ${DEFAULT_SEED.rewards})
  --help            show this text`

export type ServiceCommand =
  | { readonly kind: 'serve'; readonly options: ServeOptions }
  | { readonly kind: 'help' }
  | { readonly kind: 'invalid'; readonly message: string }

/** Thrown for an option that cannot be used. The message is one line. */
class InvalidOptionError extends Error {}

const parseWholeNumber = (option: string, text: string, max: number): number => {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value <= max) return value
  throw new InvalidOptionError(`${option} must be a whole number from 0 to ${max}, not "${text}"`)
}

const parseToken = (option: string, text: string): string => {
  if (TOKEN_SYNTAX.test(text)) return text
  throw new InvalidOptionError(
    `${option} may contain only letters, digits and - . _ ~ + / (RFC 6750), not "${text}"`
  )
}

const parseAcceptedToken = (text: string): string => {
  if (!containsExpiredWord(text)) return parseToken('--token', text)
  throw new InvalidOptionError(`--token "${text}" would be refused as expired; remove that word`)
}

const parseOptions = (args: readonly string[]): ServiceCommand => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string' },
      token: { type: 'string', multiple: true },
      expired: { type: 'string', multiple: true },
      data: { type: 'string' },
      customers: { type: 'string' },
      rewards: { type: 'string' },
      help: { type: 'boolean' }
    },
    strict: true,
    allowPositionals: false
  })
  if (values.help === true) return { kind: 'help' }
  if (values.data === '') throw new InvalidOptionError('--data must be the path of a file')
  return {
    kind: 'serve',
    options: {
      port: parseWholeNumber('--port', values.port ?? '4010', 65_535),
      tokens: (values.token ?? ['demo']).map(parseAcceptedToken),
      expired: (values.expired ?? []).map((text) => parseToken('--expired', text)),
      file: values.data ?? ':memory:',
      seed: {
        customers: parseWholeNumber(
          '--customers',
          values.customers ?? String(DEFAULT_SEED.customers),
          1_000_000
        ),
        rewards: parseWholeNumber('--rewards', values.rewards ?? String(DEFAULT_SEED.rewards), 100_000)
      }
    }
  }
}

/** Parses the arguments after the script's name. Returns the command `invalid` for errors; never throws. */
export const parseCommandLine = (args: readonly string[]): ServiceCommand => {
  try {
    return parseOptions(args)
  } catch (error) {
    if (error instanceof InvalidOptionError) return { kind: 'invalid', message: error.message }
    // Messages of node:util have several sentences; the first one names the option.
    const message = error instanceof Error ? error.message : String(error)
    return { kind: 'invalid', message: message.split(/\n|\. /)[0] ?? message }
  }
}

const run = async (options: ServeOptions): Promise<void> => {
  const server = await serve(options)
  const exit = (): void => {
    void server.close().then(() => process.exit(0))
  }
  process.once('SIGTERM', exit)
  process.once('SIGINT', exit)
  console.log(options.file === ':memory:' ? 'data: in memory, lost on exit' : `data: ${options.file}`)
  console.log(`listening on ${server.url}`)
}

if (import.meta.main) {
  const command = parseCommandLine(process.argv.slice(2))
  if (command.kind === 'help') {
    console.log(USAGE)
  } else if (command.kind === 'invalid') {
    console.error(`${command.message} (see --help)`)
    process.exitCode = 2
  } else {
    await run(command.options).catch((error: unknown) => {
      console.error(`The service cannot start: ${error instanceof Error ? error.message : String(error)}`)
      process.exitCode = 1
    })
  }
}
