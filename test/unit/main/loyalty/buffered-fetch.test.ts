import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  classifyNetworkError,
  NetworkFault,
  retryAfterSeconds
} from '../../../../electron/main/loyalty/buffered-fetch.ts'

/** Node's shape: a TypeError whose cause carries the system's code. */
const node = (code: string, syscall?: string): Error =>
  new TypeError('fetch failed', {
    cause: Object.assign(new Error(code), { code, ...(syscall && { syscall }) })
  })

describe('of Node', () => {
  test.each([
    ['ECONNREFUSED', 'connect', 'not-sent'],
    ['ETIMEDOUT', 'connect', 'not-sent'],
    ['EHOSTUNREACH', 'connect', 'not-sent'],
    ['ENETUNREACH', 'connect', 'not-sent'],
    ['ENOTFOUND', 'getaddrinfo', 'not-sent'],
    ['EAI_AGAIN', 'getaddrinfo', 'not-sent'],
    ['UND_ERR_CONNECT_TIMEOUT', undefined, 'not-sent'],
    ['ECONNRESET', 'read', 'lost'],
    ['EPIPE', 'write', 'lost'],
    ['ETIMEDOUT', 'read', 'lost'],
    ['UND_ERR_SOCKET', undefined, 'lost'],
    ['UND_ERR_HEADERS_TIMEOUT', undefined, 'lost'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', undefined, 'tls'],
    ['SELF_SIGNED_CERT_IN_CHAIN', undefined, 'tls'],
    ['CERT_HAS_EXPIRED', undefined, 'tls'],
    ['CERT_NOT_YET_VALID', undefined, 'tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', undefined, 'tls'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', undefined, 'tls'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', undefined, 'tls'],
    ['HOSTNAME_MISMATCH', undefined, 'tls'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', undefined, 'tls-broken'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', undefined, 'tls-broken'],
    ['EPROTO', 'write', 'tls-broken'],
    ['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', undefined, 'lost']
  ])('%s at %s is %s', (code, syscall, fault) => {
    expect(classifyNetworkError(node(code, syscall)).fault).toBe(fault)
  })

  test('several addresses that all refuse', () => {
    const attempts = ['ECONNREFUSED', 'ETIMEDOUT'].map((code) =>
      Object.assign(new Error(code), { code, syscall: 'connect' })
    )
    const cause = new AggregateError(attempts, '')
    expect(classifyNetworkError(new TypeError('fetch failed', { cause })).fault).toBe('not-sent')
  })

  test('a port that fetch does not open', async () => {
    const error: unknown = await fetch('http://127.0.0.1:6000/').catch((reason: unknown) => reason)
    expect(classifyNetworkError(error).fault).toBe('not-sent')
  })

  test('a redirect that was refused', () => {
    expect(
      classifyNetworkError(new TypeError('fetch failed', { cause: new Error('unexpected redirect') })).fault
    ).toBe('redirect')
  })
})

describe('of Chromium', () => {
  test.each([
    ['ERR_NAME_NOT_RESOLVED', 'not-sent'],
    ['ERR_DNS_TIMED_OUT', 'not-sent'],
    ['ERR_CONNECTION_REFUSED', 'not-sent'],
    ['ERR_NETWORK_ACCESS_DENIED', 'not-sent'],
    ['ERR_NO_SUPPORTED_PROXIES', 'not-sent'],
    ['ERR_SOCKS_CONNECTION_HOST_UNREACHABLE', 'not-sent'],
    ['ERR_CONNECTION_TIMED_OUT', 'not-sent'],
    ['ERR_PROXY_CONNECTION_FAILED', 'not-sent'],
    ['ERR_TUNNEL_CONNECTION_FAILED', 'not-sent'],
    ['ERR_UNSAFE_PORT', 'not-sent'],
    ['ERR_CONNECTION_RESET', 'lost'],
    ['ERR_CONNECTION_CLOSED', 'lost'],
    ['ERR_EMPTY_RESPONSE', 'lost'],
    ['ERR_TIMED_OUT', 'lost'],
    ['ERR_NETWORK_CHANGED', 'lost'],
    // also of connections in use: a cable that is unplugged, a route that is gone, a response that is blocked
    ['ERR_INTERNET_DISCONNECTED', 'lost'],
    ['ERR_ADDRESS_UNREACHABLE', 'lost'],
    ['ERR_BLOCKED_BY_RESPONSE', 'lost'],
    ['ERR_CERT_DATABASE_CHANGED', 'lost'],
    ['ERR_CERT_VERIFIER_CHANGED', 'lost'],
    ['ERR_HTTP2_PROTOCOL_ERROR', 'lost'],
    ['ERR_FAILED', 'lost'],
    // the till closed the connection itself, after a sleep
    ['ERR_ABORTED', 'lost'],
    ['ERR_CERT_AUTHORITY_INVALID', 'tls'],
    ['ERR_CERT_COMMON_NAME_INVALID', 'tls'],
    ['ERR_CERT_DATE_INVALID', 'tls'],
    ['ERR_SSL_PROTOCOL_ERROR', 'tls-broken'],
    ['ERR_SSL_VERSION_OR_CIPHER_MISMATCH', 'tls-broken'],
    ['ERR_BAD_SSL_CLIENT_AUTH_CERT', 'tls-broken'],
    ['ERR_SSL_BAD_RECORD_MAC_ALERT', 'lost'],
    ['ERR_TOO_MANY_REDIRECTS', 'redirect'],
    ['ERR_UNSAFE_REDIRECT', 'redirect']
  ])('net::%s is %s', (code, fault) => {
    expect(classifyNetworkError(new Error(`net::${code}`)).fault).toBe(fault)
  })

  test.each(['Redirect was cancelled', "Attempted to redirect, but redirect policy was 'error'"])(
    '%s',
    (message) => {
      expect(classifyNetworkError(new Error(message)).fault).toBe('redirect')
    }
  )
})

describe('of neither', () => {
  test.each([['a text'], [undefined], [null], [{ code: 'ECONNREFUSED' }], [new Error('Anything')]])(
    '%s claims nothing about what was sent',
    (error) => {
      expect(classifyNetworkError(error).fault).toBe('lost')
    }
  )

  test('a fault stays what it is', () => {
    const fault = new NetworkFault('too-large')
    expect(classifyNetworkError(fault)).toBe(fault)
  })

  test('causes in a circle come to an end', () => {
    const error = new Error('round')
    error.cause = error
    expect(classifyNetworkError(error).fault).toBe('lost')
  })
})

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T10:00:00.500Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

test.each([
  [null, null],
  ['', null],
  ['soon', null],
  ['-1', null],
  ['1.5', null],
  ['2026', 2026],
  ['86400', 86_400],
  ['86401', null],
  ['99999999999999999999', null],
  ['1e3', null],
  ['0', 0],
  [' 120 ', 120],
  ['Sat, 21 Nov 2026 10:00:10 GMT', 10],
  ['Saturday, 21-Nov-26 10:00:10 GMT', 10],
  ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
  ['Fri, 31 Dec 9999 23:59:59 GMT', null],
  ['Sat, never', null]
])('%j is %s', (header, seconds) => {
  expect(retryAfterSeconds(header)).toBe(seconds)
})
