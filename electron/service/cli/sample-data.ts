/** The service on sample data as a program: what runs without a command. */
import { parseArgs } from 'node:util'
import { TOKEN_SYNTAX } from '../api/authentication.ts'
import { containsExpiredWord, DEFAULT_SEED } from '../index.ts'
import type { Log } from '../monitoring/log.ts'
import { serve, type ServeOptions } from '../server.ts'
import { closeOnSignal } from './process.ts'

/** The output of `--help`. */
export const USAGE = `Serves the Loyalty Points Service with sample data over HTTP on this machine (127.0.0.1).

  --port PORT       port to listen on, 0 for any free port (default 4010)
  --token TOKEN     token to accept (default demo); may be repeated: each token is a separate business
  --expired TOKEN   token to refuse with 401 "token expired"; may be repeated. Tokens that contain the
                    word "expired" are always refused
  --data FILE       data file (default: in memory, lost when the service exits)
  --customers N     customers of a new business (default ${DEFAULT_SEED.customers})
  --rewards N       rewards of a new business (default ${DEFAULT_SEED.rewards})
  --help            show this text

A shop's own service: npm run service -- help`

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

/**
 * Runs the program and returns its exit code, undefined while it serves: 2 for an invalid option. Rejects if the service
 * cannot start.
 */
export const runSampleData = async (args: readonly string[], log: Log): Promise<number | undefined> => {
  const command = parseCommandLine(args)
  if (command.kind === 'help') {
    console.log(USAGE)
    return 0
  }
  if (command.kind === 'invalid') {
    log.error(`${command.message} (see --help)`)
    return 2
  }
  const server = await serve({
    ...command.options,
    ownsProcess: true,
    onInternalError: (error) => log.failure('A request', error)
  })
  closeOnSignal(server)
  const { file } = command.options
  console.log(file === ':memory:' ? 'data: in memory, lost on exit' : `data: ${file}`)
  console.log(`listening on ${server.url}`)
  return undefined
}
