/** Reads the flags of `serve.ts`. */
import { getRequestListener, RequestError } from '@hono/node-server'
import { createServer, type Server } from 'node:http'
import { parseArgs } from 'node:util'
import { API_PREFIX } from './app.ts'
import { createTrainingService, type LoyaltyPointsServiceOptions, type TrainingService } from './index.ts'
import { saysExpired, tokenSyntax } from './requests.ts'
import { answerUnreadable, errorBody, Refusal } from './responses.ts'
import { DEFAULT_SEED } from './seed/seed.ts'

/** What to serve, and where. */
interface ServeOptions extends Omit<LoyaltyPointsServiceOptions, 'publicUrl'> {
  /** 0 picks a free one */
  readonly port: number
}

/** What `--help` prints. */
export const usage = `Serves the training service over HTTP on this machine (127.0.0.1).

  --port PORT       port to listen on, 0 for any free one (default 4010)
  --token TOKEN     a token to accept, and the business it stands for (default demo); may be repeated:
                    each token is a business of its own
  --expired TOKEN   a token to answer with 401 "token expired"; may be repeated. Tokens with the word
                    "expired" in them are always answered so
  --data FILE       where to keep the data (default: in memory, gone when the service ends)
  --customers N     customers of a new business (default ${DEFAULT_SEED.customers})
  --rewards N       rewards of a new business (default ${DEFAULT_SEED.rewards})
  --help            shows this text`

/** What the flags ask for: to serve, to show the help, or nothing that can be done. */
export type Command =
  | { readonly kind: 'serve'; readonly options: ServeOptions }
  | { readonly kind: 'help' }
  | { readonly kind: 'mistake'; readonly message: string }

/** A flag that cannot be used; the message is one line. */
class Mistake extends Error {}

const wholeNumber = (flag: string, text: string, most: number): number => {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(value <= most)) throw new Mistake(`${flag} takes a whole number from 0 to ${most}, not "${text}"`)
  return value
}

const token = (flag: string, text: string): string => {
  if (tokenSyntax.test(text)) return text
  throw new Mistake(`${flag} takes letters, digits and - . _ ~ + / only (RFC 6750), not "${text}"`)
}

const acceptedToken = (text: string): string => {
  if (!saysExpired(text)) return token('--token', text)
  throw new Mistake(`--token "${text}" would be answered as expired; leave that word out`)
}

const options = {
  port: { type: 'string' },
  token: { type: 'string', multiple: true },
  expired: { type: 'string', multiple: true },
  data: { type: 'string' },
  customers: { type: 'string' },
  rewards: { type: 'string' },
  help: { type: 'boolean' }
} as const

const read = (args: readonly string[]): Command => {
  const { values } = parseArgs({ args: [...args], options, strict: true, allowPositionals: false })
  if (values.help === true) return { kind: 'help' }
  if (values.data === '') throw new Mistake('--data takes the path of a file')
  return {
    kind: 'serve',
    options: {
      port: wholeNumber('--port', values.port ?? '4010', 65_535),
      tokens: (values.token ?? ['demo']).map(acceptedToken),
      expired: (values.expired ?? []).map((text) => token('--expired', text)),
      file: values.data ?? ':memory:',
      seed: {
        customers: wholeNumber('--customers', values.customers ?? String(DEFAULT_SEED.customers), 1_000_000),
        rewards: wholeNumber('--rewards', values.rewards ?? String(DEFAULT_SEED.rewards), 100_000)
      }
    }
  }
}

/** Reads the arguments after the script's name. Never throws: a mistake is a command too. */
export const readCommandLine = (args: readonly string[]): Command => {
  try {
    return read(args)
  } catch (error) {
    if (error instanceof Mistake) return { kind: 'mistake', message: error.message }
    // node:util explains at length; its first sentence names the flag.
    const message = error instanceof Error ? error.message : String(error)
    return { kind: 'mistake', message: message.split(/\n|\. /)[0] ?? message }
  }
}

/* from serve.ts:
 * Serves the training service over HTTP, on this machine only: `npm run service`, tests and the demo.
 * As a program: see `--help`. It ends with 0 on SIGTERM and SIGINT, 1 when it cannot serve, 2 for a wrong flag.
 */

/** The service has no secrets worth a network: it never listens anywhere else. */
const host = '127.0.0.1'

/** Milliseconds that requests under way are given when the service closes. */
const grace = 1000

export interface ServiceServer {
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
export const serve = async ({ port, ...options }: ServeOptions): Promise<ServiceServer> => {
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
