/** Reads the flags of `serve.ts`. */
import { parseArgs } from 'node:util'
import { saysExpired, tokenSyntax } from './authentication.ts'
import { DEFAULT_SEED } from './seed/index.ts'
import type { TrainingOptions } from './index.ts'

/** What to serve, and where. */
export interface ServeOptions extends Omit<TrainingOptions, 'publicUrl'> {
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
