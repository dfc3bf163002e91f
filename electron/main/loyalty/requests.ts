/** How a request is sent and its answer read: ky with the till's limits, and nothing that throws. */
import ky, { isHTTPError } from 'ky'
import * as v from 'valibot'
import { err, ok, type Result } from '../../contract/failure.ts'
import { errorBodySchema } from '../../contract/loyalty.ts'
import { failureOf, failureOfAbort, failureOfStatus, jsonOf, unusable } from './failures.ts'
import type { Operation } from './operation.ts'
import { retryAfterSeconds } from './retry-after.ts'
import { parseBaseUrl } from './base-address.ts'
import { parseToken } from './token.ts'
import { wholeAnswers, type Fetch } from './whole-answer.ts'

/** A whole answer, headers and body, ms: each attempt has this long. */
const TIMEOUT = 10_000
/** Attempts of a read after the first. A write has none. */
const READ_RETRIES = 2
const RETRIED_STATUSES = [408, 429, 500, 502, 503, 504]
/** Longest wait a service may ask for between two attempts, s. Beyond it the cashier hears at once. */
const LONGEST_WAIT = 10
/** The document's default for `x-lang` (part 4). */
const DEFAULT_LANGUAGE = 'en'

export interface ServiceOptions {
  /** as a manager gives it; see `parseBaseUrl` */
  readonly baseUrl: string
  readonly token: string
  /** asked for each request: a BCP 47 tag, sent as `x-lang` */
  readonly language: () => string
  /** asked for each new code: the query parameter that orders a QR image, or null to send none */
  readonly qrImageParameter: () => string | null
  /**
   * Node's fetch, Electron's `net.fetch`, or the fetch of an app in this process. It must send a POST once: see
   * "Writes are sent once" in README.md for what Chromium does on a connection it has used before.
   */
  readonly fetch: Fetch
  /** called when a request is sent; what comes back hears what it came to, unless it was aborted */
  readonly watch?: (() => (answer: Result<unknown>) => void) | undefined
  /** ms for a whole answer, 10,000 unless told */
  readonly timeoutMs?: number
  /** ms before attempt `n` + 1 of a read, from n = 1; unless told 300, 600 with some chance in it */
  readonly retryDelay?: (attempt: number) => number
}

/** Sends one operation and reads its answer by a schema. Resolves always; see contract/failure.ts for what fails. */
export type Send = <Schema extends v.GenericSchema>(
  operation: Operation,
  schema: Schema,
  signal?: AbortSignal
) => Promise<Result<v.InferOutput<Schema>>>

/** Hundreds of tills must not come back in the same instant after an outage. */
const spread = (delay: number): number => delay * (0.75 + Math.random() / 2)

const asksTooLong = (error: Error): boolean =>
  isHTTPError(error) && (retryAfterSeconds(error.response.headers.get('retry-after')) ?? 0) > LONGEST_WAIT

const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted ?? false

const languageTag = (language: string): string =>
  /^[A-Za-z0-9-]{1,35}$/.test(language) ? language : DEFAULT_LANGUAGE

const clientFor = (options: ServiceOptions, baseUrl: string, token: string) =>
  ky.create({
    baseUrl,
    fetch: wholeAnswers(options.fetch),
    timeout: options.timeoutMs ?? TIMEOUT,
    headers: { accept: 'application/json', authorization: `Bearer ${token}` },
    // A redirect could carry the token to another origin. `manual` would let us look, but net.fetch rejects it.
    redirect: 'error',
    credentials: 'omit',
    cache: 'no-store',
    retry: {
      limit: READ_RETRIES,
      methods: ['get'],
      statusCodes: RETRIED_STATUSES,
      afterStatusCodes: RETRIED_STATUSES,
      maxRetryAfter: LONGEST_WAIT * 1000,
      delay: options.retryDelay ?? ((attempt) => spread(300 * 2 ** (attempt - 1))),
      shouldRetry: ({ error }) => (asksTooLong(error) ? false : undefined)
    }
  })

/** Reads a 2xx: an error body in it counts as the status it names (it is sent by services behind gateways). */
const read = <Schema extends v.GenericSchema>(
  operation: Operation,
  schema: Schema,
  text: string
): Result<v.InferOutput<Schema>> => {
  const body = jsonOf(text)
  if (body === undefined) return err(unusable(operation, ''))
  const error = v.safeParse(errorBodySchema, body)
  if (error.success) return err(failureOfStatus(operation, error.output.statusCode, body, null))
  const parsed = v.safeParse(schema, body)
  if (parsed.success) return ok(parsed.output)
  return err(unusable(operation, v.getDotPath(parsed.issues[0]) ?? ''))
}

/**
 * Makes the sender for one service and one token. An address or a token that cannot be sent makes every call fail
 * with its `invalid-input`.
 */
export const createSender = (options: ServiceOptions): Send => {
  const baseUrl = parseBaseUrl(options.baseUrl)
  const token = parseToken(options.token)
  if (!baseUrl.ok) return () => Promise.resolve(baseUrl)
  if (!token.ok) return () => Promise.resolve(token)
  const client = clientFor(options, baseUrl.value, token.value)

  const send: Send = async (operation, schema, signal) => {
    try {
      const answer = client(operation.path, {
        method: operation.method,
        headers: { 'x-lang': languageTag(options.language()) },
        ...(operation.query && { searchParams: operation.query }),
        ...(operation.body && { json: operation.body }),
        // Said twice: a write is sent once.
        ...(operation.method === 'POST' && { retry: 0 }),
        ...(signal && { signal })
      })
      return read(operation, schema, await answer.text())
    } catch (error) {
      return err(isAborted(signal) ? failureOfAbort(operation) : failureOf(operation, error))
    }
  }

  return async (operation, schema, signal) => {
    if (isAborted(signal)) return err({ kind: 'offline' })
    const heard = options.watch?.()
    const answer = await send(operation, schema, signal)
    if (!isAborted(signal)) heard?.(answer)
    return answer
  }
}
