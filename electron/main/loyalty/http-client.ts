/** Sends the operations of the Loyalty Points Service with ky, and maps every outcome to a result that never throws. */
import ky, { isHTTPError, isTimeoutError } from 'ky'
import * as v from 'valibot'
import {
  err,
  ok,
  OPERATION_REFUSALS,
  type Failure,
  type Result,
  type UnknownOutcomeCause
} from '../../contract/failure.ts'
import { errorBodySchema, refusalWordsSchema } from '../../contract/loyalty.ts'
import type { Logger } from '../log/log.ts'
import type { Languages } from '../settings/index.ts'
import { runInWorker } from '../worker-thread.ts'
import { NetworkFault, retryAfterSeconds, bufferedFetch, type Fetch } from './buffered-fetch.ts'
import { parseBaseUrl, parseToken } from './credentials.ts'
import { keepLargeNumbers } from './large-numbers.ts'

export interface Operation {
  /** A POST is a write: it is sent once, and without a response its outcome is unknown. */
  readonly method: 'GET' | 'POST'
  /** relative to the base URL, without a leading slash, percent-encoded */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
  /** of an operation beside the interface document: the service recognises a repeated request by this key */
  readonly idempotencyKey?: string
  /** a header of the answer that is asked for (`Prefer`, RFC 7240), and read as a field of its body; null: by `ServiceClock` */
  readonly answerHeader?: { readonly name: string; readonly field: string | null }
}

/** The word for an error of the extension, which a till acts on. */
const refusalCodeSchema = v.object({
  code: v.picklist(OPERATION_REFUSALS),
  remaining: v.fallback(v.optional(v.number()), undefined)
})

/** The words for errors of the extension that are about what was scanned or typed. */
const inputFaultSchema = v.object({
  code: v.picklist(['customer-code-unknown', 'customer-code-used', 'customer-code-expired', 'digits-unknown'])
})

/** The header by which the project's own service says that it stored nothing, to a write that asks for it with `Prefer`. */
const NOT_STORED = 'not-stored'

const MAX_MESSAGE_LENGTH = 300

const unknownOutcome = (cause: UnknownOutcomeCause): Failure => ({ kind: 'unknown-outcome', cause })

/** Returns the failure for an unusable response. After a write it is unknown whether the service executed it. */
export const unusable = (operation: Operation, path: string): Failure =>
  operation.method === 'POST' ? unknownOutcome('bad-response') : { kind: 'bad-response', path }

/** Returns the service's error message as one line of limited length; empty for HTML. */
const messageFrom = (body: unknown): string => {
  const parsed = v.safeParse(refusalWordsSchema, body)
  if (!parsed.success) return ''
  const line = (parsed.output.message || parsed.output.error)
    .slice(0, 4 * MAX_MESSAGE_LENGTH)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return /<\/?[a-z!][^>]*>/i.test(line) ? '' : Array.from(line).slice(0, MAX_MESSAGE_LENGTH).join('')
}

/** Returns the failure for an error status. `body` is the parsed body, if any. */
const failureFromStatus = (
  operation: Operation,
  status: number,
  body: unknown,
  headers: Headers
): Failure => {
  if (operation.idempotencyKey !== undefined && status < 500) {
    const refusal = v.safeParse(refusalCodeSchema, body)
    if (refusal.success) {
      const { code: reason, remaining } = refusal.output
      return { kind: 'operation-refused', reason, ...(remaining !== undefined && { remaining }) }
    }
    // A service without the extension has no such path.
    if (status === 404 || status === 405) return { kind: 'not-offered' }
    // A gateway that gave up says nothing of the service.
    if (status === 408) return unknownOutcome('timeout')
  }
  const input = v.safeParse(inputFaultSchema, operation.method === 'POST' ? body : null)
  if (input.success) return { kind: 'invalid-input', field: 'code', fault: input.output.code }
  if (status === 401) return { kind: 'unauthorised' }
  if (status === 403) return { kind: 'forbidden' }
  if (status === 404) return { kind: 'not-found' }
  if (status === 408 && operation.method === 'GET') return { kind: 'timeout' }
  if (status === 429)
    return { kind: 'busy', retryAfterSeconds: retryAfterSeconds(headers.get('retry-after')) }
  if (status < 500) return { kind: 'rejected', status, message: messageFrom(body) }
  if (operation.method === 'GET') return { kind: 'service-down', status }
  return headers.get(NOT_STORED) === 'storage-full'
    ? { kind: 'service-full' }
    : unknownOutcome('service-down')
}

const failureFromNetworkFault = (operation: Operation, { fault }: NetworkFault): Failure => {
  switch (fault) {
    case 'not-sent':
      return { kind: 'offline' }
    case 'tls':
      return { kind: 'tls' }
    case 'tls-broken':
      return operation.method === 'POST' ? unknownOutcome('connection-lost') : { kind: 'tls' }
    case 'lost':
      return operation.method === 'POST' ? unknownOutcome('connection-lost') : { kind: 'offline' }
    case 'redirect':
      return unusable(operation, '(redirect)')
    case 'too-large':
      return unusable(operation, '(too large)')
    case 'invalid-response':
      return unusable(operation, '')
    case 'aborted':
      return failureFromAbort(operation)
  }
}

/** Returns the failure of an aborted request. An aborted write may have reached the service. */
const failureFromAbort = (operation: Operation): Failure =>
  operation.method === 'POST' ? unknownOutcome('till-stopped') : { kind: 'offline' }

const faultIn = (error: unknown): NetworkFault | null => {
  for (let link = error; link instanceof Error; link = link.cause)
    if (link instanceof NetworkFault) return link
  return null
}

/** Longer texts are searched in a worker thread: hostile ones take up to 0.3 s a megabyte, JSON.parse a tenth of it. */
const MAX_LENGTH_ON_MAIN = 64 * 1024

/** Parses JSON with its large numbers kept; undefined for anything else. */
async function parseJson(text: string): Promise<unknown> {
  const kept =
    text.length <= MAX_LENGTH_ON_MAIN
      ? keepLargeNumbers(text)
      : await runInWorker(new URL('./large-numbers-worker.ts', import.meta.url), text, v.string())
  try {
    return JSON.parse(kept)
  } catch {
    return undefined
  }
}

/** Returns the failure for an error that ky throws after the last attempt. */
const failureFromError = async (operation: Operation, error: unknown): Promise<Failure> => {
  if (isHTTPError(error)) {
    // ky parses JSON only with a JSON content type; services send errors with other types, too.
    const body = typeof error.data === 'string' ? await parseJson(error.data) : error.data
    return failureFromStatus(operation, error.response.status, body, error.response.headers)
  }
  const fault = faultIn(error)
  if (fault !== null) return failureFromNetworkFault(operation, fault)
  if (isTimeoutError(error))
    return operation.method === 'POST' ? unknownOutcome('timeout') : { kind: 'timeout' }
  // An unknown error says nothing about the outcome of a write.
  return operation.method === 'POST' ? unknownOutcome('connection-lost') : { kind: 'internal' }
}

/** Timeout of each attempt, for headers and body. */
const TIMEOUT_MS = 10_000
/** Default retries of a read. A write has none. */
const READ_RETRIES = 2
const RETRIED_STATUSES = [408, 429, 500, 502, 503, 504]
/** Maximum `Retry-After` before a retry. A longer one fails at once with the failure `busy`. */
const MAX_RETRY_AFTER_SECONDS = 10

/** Observes the requests of a client. */
export interface RequestObserver {
  /** Called for every request. The returned function receives its result, unless it was aborted. */
  handleRequest(): (answer: Result<unknown>) => void
}

export interface LoyaltyClientOptions {
  /** checked with `parseBaseUrl` */
  readonly baseUrl: string
  /** null: none is sent */
  readonly token: string | null
  /** sent as `x-lang` */
  readonly languages: Pick<Languages, 'screen'>
  /**
   * Node's fetch, Electron's `net.fetch`, or the fetch of an app in this process. It must send a POST once: see
   * "Writes are sent once" in README.md for what Chromium does on a connection it has used before.
   */
  readonly fetch: Fetch
  readonly observer?: RequestObserver | undefined
  /** receives what was left out of a response */
  readonly log?: Pick<Logger, 'warn'>
  /** default: 10,000 */
  readonly timeoutMs?: number
  /** attempts of a read after the first; default: 2 */
  readonly readRetries?: number
  /** Returns the delay in ms before retry `attempt`, from 1. Default: 300 and 600 ms with jitter. */
  readonly retryDelay?: (attempt: number) => number
}

type ResponseSchema = v.GenericSchema | v.GenericSchemaAsync

/** Sends an operation and parses the response with a schema. Never rejects. Failures: contract/failure.ts. */
export type SendRequest = <Schema extends ResponseSchema>(
  operation: Operation,
  schema: Schema,
  signal?: AbortSignal
) => Promise<Result<v.InferOutput<Schema>>>

/** Adds jitter: after an outage the tills must not retry at the same moment. */
const withJitter = (delay: number): number => delay * (0.75 + Math.random() / 2)

const isRetryTooLate = (error: Error): boolean =>
  isHTTPError(error) &&
  (retryAfterSeconds(error.response.headers.get('retry-after')) ?? 0) > MAX_RETRY_AFTER_SECONDS

const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted ?? false

const clientFor = (options: LoyaltyClientOptions, baseUrl: string, token: string | null) =>
  ky.create({
    baseUrl,
    fetch: bufferedFetch(options.fetch),
    timeout: options.timeoutMs ?? TIMEOUT_MS,
    headers: {
      accept: 'application/json',
      ...(token === null ? {} : { authorization: `Bearer ${token}` })
    },
    // A redirect could send the token to another origin. net.fetch does not support `manual`.
    redirect: 'error',
    credentials: 'omit',
    cache: 'no-store',
    retry: {
      limit: options.readRetries ?? READ_RETRIES,
      methods: ['get'],
      statusCodes: RETRIED_STATUSES,
      afterStatusCodes: RETRIED_STATUSES,
      maxRetryAfter: MAX_RETRY_AFTER_SECONDS * 1000,
      delay: options.retryDelay ?? ((attempt) => withJitter(300 * 2 ** (attempt - 1))),
      shouldRetry: ({ error }) => (isRetryTooLate(error) ? false : undefined)
    }
  })

/** Parses a 2xx response. An error body counts as the status that it contains: gateways send such responses. */
const read = async <Schema extends ResponseSchema>(
  operation: Operation,
  schema: Schema,
  response: Response
): Promise<Result<v.InferOutput<Schema>>> => {
  const body = await parseJson(await response.text())
  if (body === undefined) return err(unusable(operation, ''))
  const error = v.safeParse(errorBodySchema, body)
  if (error.success) return err(failureFromStatus(operation, error.output.statusCode, body, new Headers()))
  const { answerHeader } = operation
  const fields: unknown = answerHeader?.field
    ? Object.assign({}, body, { [answerHeader.field]: response.headers.get(answerHeader.name) })
    : body
  const parsed = await v.safeParseAsync(schema, fields)
  if (parsed.success) return ok(parsed.output)
  return err(unusable(operation, v.getDotPath(parsed.issues[0]) ?? ''))
}

/** Creates the client for a service and a token. With an invalid base URL or token every request fails with `invalid-input`. */
export const createHttpClient = (options: LoyaltyClientOptions): SendRequest => {
  const baseUrl = parseBaseUrl(options.baseUrl)
  const token = options.token === null ? ok(null) : parseToken(options.token)
  if (!baseUrl.ok) return () => Promise.resolve(baseUrl)
  if (!token.ok) return () => Promise.resolve(token)
  const client = clientFor(options, baseUrl.value, token.value)

  const send: SendRequest = async (operation, schema, signal) => {
    const prefer = operation.answerHeader?.name ?? (operation.method === 'POST' ? NOT_STORED : undefined)
    try {
      const response = await client(operation.path, {
        method: operation.method,
        headers: {
          'x-lang': options.languages.screen,
          ...(operation.idempotencyKey !== undefined && { 'idempotency-key': operation.idempotencyKey }),
          ...(prefer !== undefined && { prefer })
        },
        ...(operation.query && { searchParams: operation.query }),
        ...(operation.body && { json: operation.body }),
        // In addition to `retry.methods`: a write is sent once.
        ...(operation.method === 'POST' && { retry: 0 }),
        ...(signal && { signal })
      })
      return await read(operation, schema, response)
    } catch (error) {
      return err(isAborted(signal) ? failureFromAbort(operation) : await failureFromError(operation, error))
    }
  }

  return async (operation, schema, signal) => {
    if (isAborted(signal)) return err({ kind: 'offline' })
    const report = options.observer?.handleRequest()
    const answer = await send(operation, schema, signal)
    if (!isAborted(signal)) report?.(answer)
    return answer
  }
}
