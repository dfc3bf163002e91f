/** From statuses and faults to the closed union of failures (contract/failure.ts). */
import { isHTTPError, isTimeoutError } from 'ky'
import * as v from 'valibot'
import type { Failure, UnknownOutcomeCause } from '../../contract/failure.ts'
import { refusalWordsSchema } from '../../contract/loyalty.ts'
import { NetworkFault } from './network-fault.ts'
import type { Operation } from './operation.ts'
import { retryAfterSeconds } from './retry-after.ts'

const LONGEST_MESSAGE = 300

const unknownOutcome = (cause: UnknownOutcomeCause): Failure => ({ kind: 'unknown-outcome', cause })

/** An answer that cannot be used. For a write, nobody knows then whether it was carried out. */
export const unusable = (operation: Operation, path: string): Failure =>
  operation.method === 'POST' ? unknownOutcome('bad-response') : { kind: 'bad-response', path }

/** The service's own words, fit to show: one line, bounded, and never a web page. */
const wordsOf = (body: unknown): string => {
  const words = v.safeParse(refusalWordsSchema, body)
  if (!words.success) return ''
  const line = (words.output.message || words.output.error).replace(/[\s\p{Cc}]+/gu, ' ').trim()
  return /<\/?[a-z!][^>]*>/i.test(line) ? '' : Array.from(line).slice(0, LONGEST_MESSAGE).join('')
}

/**
 * What a refusing status means. `body` is the parsed body, or anything else when there was none; `retryAfter` the
 * header of that name.
 */
export const failureOfStatus = (
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
  if (status < 500) return { kind: 'rejected', status, message: wordsOf(body) }
  return operation.method === 'POST' ? unknownOutcome('service-down') : { kind: 'service-down', status }
}

const failureOfFault = (operation: Operation, { fault }: NetworkFault): Failure => {
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
      return failureOfAbort(operation)
  }
}

/** Who aborts drops the answer. It stays true all the same: a write that was given up may have arrived. */
export const failureOfAbort = (operation: Operation): Failure =>
  operation.method === 'POST' ? unknownOutcome('till-stopped') : { kind: 'offline' }

const faultIn = (error: unknown): NetworkFault | null => {
  for (let link = error; link instanceof Error; link = link.cause)
    if (link instanceof NetworkFault) return link
  return null
}

/** JSON as the till reads it: `undefined`, which JSON cannot say, for anything else. */
export const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What an error of ky, after its last attempt, means to the till. */
export const failureOf = (operation: Operation, error: unknown): Failure => {
  if (isHTTPError(error)) {
    // ky gives text where the content type is not JSON's; services send their errors under any type.
    const body = typeof error.data === 'string' ? jsonOf(error.data) : error.data
    return failureOfStatus(operation, error.response.status, body, error.response.headers.get('retry-after'))
  }
  const fault = faultIn(error)
  if (fault !== null) return failureOfFault(operation, fault)
  if (isTimeoutError(error))
    return operation.method === 'POST' ? unknownOutcome('timeout') : { kind: 'timeout' }
  // Nothing is known of such an error, so of a write nothing may be claimed either.
  return operation.method === 'POST' ? unknownOutcome('connection-lost') : { kind: 'internal' }
}
