/** One operation of the interface: what goes on the wire, and which refusals have a meaning of their own. */
import ky, { isHTTPError, isTimeoutError } from 'ky'
import * as v from 'valibot'
import { err, ok, type Failure, type Result, type UnknownOutcomeCause } from '../../contract/failure.ts'
import { errorBodySchema, refusalWordsSchema } from '../../contract/loyalty.ts'
import { NetworkFault, retryAfterSeconds, bufferedFetch, type Fetch } from './buffered-fetch.ts'
import { parseBaseUrl, parseToken } from './credentials.ts'

export interface Operation {
  /** POST writes: it is sent once, and a lost answer to it leaves the outcome unknown. */
  readonly method: 'GET' | 'POST'
  /** relative to the base address, without a leading slash; its values percent-encoded */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
  /** what a status means for this operation alone */
  readonly refusals?: Readonly<Record<number, Failure>>
}

/* from failures.ts: From statuses and faults to the closed union of failures (contract/failure.ts). */

const LONGEST_MESSAGE = 300

const unknownOutcome = (cause: UnknownOutcomeCause): Failure => ({ kind: 'unknown-outcome', cause })

/** An answer that cannot be used. For a write, nobody knows then whether it was carried out. */
export const unusable = (operation: Operation, path: string): Failure =>
  operation.method === 'POST' ? unknownOutcome('bad-response') : { kind: 'bad-response', path }

/** The service's own words, fit to show: one line, bounded, and never a web page. */
const messageFrom = (body: unknown): string => {
  const words = v.safeParse(refusalWordsSchema, body)
  if (!words.success) return ''
  const line = (words.output.message || words.output.error).replace(/[\s\p{Cc}]+/gu, ' ').trim()
  return /<\/?[a-z!][^>]*>/i.test(line) ? '' : Array.from(line).slice(0, LONGEST_MESSAGE).join('')
}

/**
 * What a refusing status means. `body` is the parsed body, or anything else when there was none; `retryAfter` the
 * header of that name.
 */
const failureFromStatus = (
  operation: Operation,
  status: number,
  body: unknown,
  retryAfter: string | null
): Failure => {
  const own = operation.refusals?.[status]
  if (own !== undefined) return own
  if (status === 401) return { kind: 'unauthorised' }
  if (status === 403) return { kind: 'forbidden' }
  if (status === 404) return { kind: 'not-found' }
  if (status === 408 && operation.method === 'GET') return { kind: 'timeout' }
  if (status === 429) return { kind: 'busy', retryAfterSeconds: retryAfterSeconds(retryAfter) }
  if (status < 500) return { kind: 'rejected', status, message: messageFrom(body) }
  return operation.method === 'POST' ? unknownOutcome('service-down') : { kind: 'service-down', status }
}

const failureFromNetworkFault = (operation: Operation, { fault }: NetworkFault): Failure => {
  switch (fault) {
    case 'not-sent':
      return { kind: 'offline' }
    case 'tls':
      return { kind: 'tls' }
    case 'lost':
      return operation.method === 'POST' ? unknownOutcome('connection-lost') : { kind: 'offline' }
    case 'redirect':
      return unusable(operation, '(redirect)')
    case 'too-large':
      return unusable(operation, '(too large)')
    case 'no-answer':
      return unusable(operation, '')
    case 'aborted':
      return failureFromAbort(operation)
  }
}

/** Who aborts drops the answer. It stays true all the same: a write that was given up may have arrived. */
const failureFromAbort = (operation: Operation): Failure =>
  operation.method === 'POST' ? unknownOutcome('till-stopped') : { kind: 'offline' }

const faultIn = (error: unknown): NetworkFault | null => {
  for (let link = error; link instanceof Error; link = link.cause)
    if (link instanceof NetworkFault) return link
  return null
}

/** JSON as the till reads it: `undefined`, which JSON cannot say, for anything else. */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What an error of ky, after its last attempt, means to the till. */
export const failureFromError = (operation: Operation, error: unknown): Failure => {
  if (isHTTPError(error)) {
    // ky gives text where the content type is not JSON's; services send their errors under any type.
    const body = typeof error.data === 'string' ? parseJson(error.data) : error.data
    return failureFromStatus(
      operation,
      error.response.status,
      body,
      error.response.headers.get('retry-after')
    )
  }
  const fault = faultIn(error)
  if (fault !== null) return failureFromNetworkFault(operation, fault)
  if (isTimeoutError(error))
    return operation.method === 'POST' ? unknownOutcome('timeout') : { kind: 'timeout' }
  // Nothing is known of such an error, so of a write nothing may be claimed either.
  return operation.method === 'POST' ? unknownOutcome('connection-lost') : { kind: 'internal' }
}

/* from requests.ts: How a request is sent and its answer read: ky with the till's limits, and nothing that throws. */

/** A whole answer, headers and body, ms: each attempt has this long. */
const TIMEOUT = 10_000
/** Attempts of a read after the first. A write has none. */
const READ_RETRIES = 2
const RETRIED_STATUSES = [408, 429, 500, 502, 503, 504]
/** Longest wait a service may ask for between two attempts, s. Beyond it the cashier hears at once. */
const LONGEST_WAIT = 10
/** The document's default for `x-lang` (part 4). */
const DEFAULT_LANGUAGE = 'en'

export interface LoyaltyClientOptions {
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
export type SendRequest = <Schema extends v.GenericSchema>(
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

const clientFor = (options: LoyaltyClientOptions, baseUrl: string, token: string) =>
  ky.create({
    baseUrl,
    fetch: bufferedFetch(options.fetch),
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
  const body = parseJson(text)
  if (body === undefined) return err(unusable(operation, ''))
  const error = v.safeParse(errorBodySchema, body)
  if (error.success) return err(failureFromStatus(operation, error.output.statusCode, body, null))
  const parsed = v.safeParse(schema, body)
  if (parsed.success) return ok(parsed.output)
  return err(unusable(operation, v.getDotPath(parsed.issues[0]) ?? ''))
}

/**
 * Makes the sender for one service and one token. An address or a token that cannot be sent makes every call fail
 * with its `invalid-input`.
 */
export const createHttpClient = (options: LoyaltyClientOptions): SendRequest => {
  const baseUrl = parseBaseUrl(options.baseUrl)
  const token = parseToken(options.token)
  if (!baseUrl.ok) return () => Promise.resolve(baseUrl)
  if (!token.ok) return () => Promise.resolve(token)
  const client = clientFor(options, baseUrl.value, token.value)

  const send: SendRequest = async (operation, schema, signal) => {
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
      return err(isAborted(signal) ? failureFromAbort(operation) : failureFromError(operation, error))
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
