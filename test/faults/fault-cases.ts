/** All faults of the matrix with their expected results, written by hand and not derived from the code under test. */
import { deflateSync, gzipSync } from 'node:zlib'
import type { Failure, UnknownOutcomeCause } from '../../electron/contract/failure.ts'
import type { SlipState } from '../../electron/contract/slips.ts'
import { expired, otherHost, selfSigned, trusted, type Certificate } from '../support/certificates/index.ts'
import type { Fault, FullResponse, GatewayResponse } from '../support/faulty-network.ts'
import { LOOPBACK } from '../support/loopback.ts'
import { FULL } from '../support/size.ts'

/** A value, or one failure of the closed union. */
export type Outcome = 'value' | Failure

export interface Expected {
  readonly read: Outcome
  /** of a read that is not repeated, where it differs */
  readonly singleRead?: Outcome
  readonly register: Outcome
  readonly issue: Outcome
  /** number of requests of one read that reach the network */
  readonly attempts: number
  /** whether the service executes a write, regardless of the response */
  readonly carriedOut: boolean
  /** the state in the journal of a slip that is issued under the fault */
  readonly slip: SlipState
}

const unknown = (cause: UnknownOutcomeCause): Failure => ({ kind: 'unknown-outcome', cause })
const both = (write: Outcome) => ({ register: write, issue: write })

/** Success; a read may need a second attempt. */
const fine = (attempts = 1): Expected => ({
  read: 'value',
  ...both('value'),
  attempts,
  carriedOut: true,
  slip: 'printed'
})

/** No connection is established, so the network sees no attempt. */
const notSent = (failure: Failure): Expected => ({
  read: failure,
  ...both(failure),
  attempts: 0,
  carriedOut: false,
  slip: 'refused'
})

/** The connection breaks at a time that is unknown to the till. */
const lost = (carriedOut: boolean, attempts = 3): Expected => ({
  read: { kind: 'offline' },
  ...both(unknown('connection-lost')),
  attempts,
  carriedOut,
  slip: 'unknown'
})

/** No complete response within the timeout. */
const timedOut = (carriedOut: boolean): Expected => ({
  read: { kind: 'timeout' },
  ...both(unknown('timeout')),
  attempts: 1,
  carriedOut,
  slip: 'unknown'
})

/** An unusable response; `path` is the path in the failure of a read. */
const unusable = (path: string, carriedOut: boolean): Expected => ({
  read: { kind: 'bad-response', path },
  ...both(unknown('bad-response')),
  attempts: 1,
  carriedOut,
  slip: 'unknown'
})

/** A 5xx status. */
const down = (status: number, carriedOut: boolean, attempts = 3): Expected => ({
  read: { kind: 'service-down', status },
  ...both(unknown('service-down')),
  attempts,
  carriedOut,
  slip: 'unknown'
})

/** The same refusal for every request. */
const refused = (failure: Failure, attempts: number): Expected => ({
  read: failure,
  ...both(failure),
  attempts,
  carriedOut: false,
  slip: 'refused'
})

/** Only the first request fails: a read is retried and succeeds, a write is not retried. */
const once = ({ read, register, issue, carriedOut, slip }: Expected): Expected => ({
  read: 'value',
  singleRead: read,
  register,
  issue,
  attempts: 2,
  carriedOut,
  slip
})

/** One fault of the matrix. */
export interface FaultCase {
  readonly name: string
  /** the fault of the network or the machine */
  readonly fault: Fault | 'unplugged' | 'no-names'
  /** number of requests that fail; default: all */
  readonly times?: number
  /** the TLS certificate until the fault ends; a valid one is used afterwards */
  readonly certificate?: Certificate
  /** whether the connection has been used for a request before */
  readonly used?: boolean
  /** whether the client's time limit is to end as soon as the request waits for its response */
  readonly timesOut?: true
  /** ms by which the till's clock jumps after the request is sent */
  readonly clockJump?: number
  readonly expected: Expected
}

/** Returns the host for a fault that requires a host name: `localhost` resolves to LOOPBACK. */
export const hostFor = ({ fault }: FaultCase): string | undefined =>
  fault === 'no-names' ? LOOPBACK : undefined

const DAY = 86_400_000
const YEAR = 365 * DAY
const PAGE = '<!doctype html><html><body><h1>Sign in to Wi-Fi</h1></body></html>'
const offline = { kind: 'offline' } as const
const tls = { kind: 'tls' } as const
const busy = (retryAfterSeconds: number | null) => ({ kind: 'busy', retryAfterSeconds }) as const

const respondingWith = (answer: GatewayResponse): Fault => ({ answer })
const changed = (change: (answer: FullResponse) => GatewayResponse): Fault => ({ change })
const body = (make: (sent: Buffer) => string | Buffer): Fault =>
  changed((answer) => ({ status: answer.status, body: make(answer.body) }))

const broken: readonly FaultCase[] = [
  { name: 'connection refused', fault: 'unplugged', expected: notSent(offline) },
  { name: 'no such host', fault: 'no-names', expected: notSent(offline) },
  // The connection was established, so the till cannot know whether the request arrived.
  { name: 'reset with its first byte', fault: 'reset-connection', expected: lost(false, 0) },
  { name: 'reset before the service reads the request', fault: 'lose-request', expected: lost(false) },
  {
    name: 'reset on a used connection before the service reads the request',
    fault: 'lose-request',
    used: true,
    expected: lost(false)
  },
  { name: 'reset after the service executed the request', fault: 'lose-answer', expected: lost(true) },
  {
    name: 'reset on a used connection after the service executed the request',
    fault: 'lose-answer',
    used: true,
    expected: lost(true)
  },
  { name: 'half of the headers', fault: 'half-headers', expected: lost(true) },
  { name: 'half of the response, then a reset', fault: 'half-body', expected: lost(true) },
  {
    name: 'half of the response, then the end of the connection',
    fault: 'half-body-closed',
    expected: lost(true)
  },
  { name: 'reset once', fault: 'lose-request', times: 1, expected: once(lost(false)) },
  {
    name: 'reset once after the service executed the request',
    fault: 'lose-answer',
    times: 1,
    expected: once(lost(true))
  }
]

const slow: readonly FaultCase[] = [
  { name: 'no response', fault: 'silence', timesOut: true, expected: timedOut(false) },
  {
    name: 'half of the response, then silence',
    fault: 'silence-in-body',
    timesOut: true,
    expected: timedOut(true)
  },
  { name: 'a response after 30 s', fault: { delay: 30_000 }, timesOut: true, expected: timedOut(true) },
  { name: 'a response after 0.3 s', fault: { delay: 300 }, expected: fine() },
  {
    name: 'a response sent byte by byte for 30 s',
    fault: { drip: 3000 },
    timesOut: true,
    expected: timedOut(true)
  },
  { name: 'a response sent byte by byte for 0.3 s', fault: { drip: 30 }, expected: fine() }
]

/** Values of Retry-After, the parsed seconds, and the number of attempts of a read. */
const ALL_RETRY_AFTER: readonly (readonly [string | null, number | null, number])[] = [
  [null, null, 3],
  ['0', 0, 3],
  ['3600', 3600, 1],
  ['86400', 86_400, 1],
  ['99999999999999999999', null, 3],
  ['-1', null, 3],
  ['1e9', null, 3],
  ['soon', null, 3],
  ['', null, 3],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0, 3],
  ['Fri, 31 Dec 9999 23:59:59 GMT', null, 3],
  ['Sat, 31 Feb 2026 25:61:61 GMT', null, 3]
]

/** The subset covers each format. */
const RETRY_AFTER = FULL ? ALL_RETRY_AFTER : ALL_RETRY_AFTER.filter((_row, index) => index % 4 === 0)

const refusing = (status: number, header: string | null): Fault =>
  respondingWith({
    status,
    headers: header === null ? {} : { 'retry-after': header },
    body: JSON.stringify({ message: 'Not now', error: 'Error', statusCode: status })
  })

const statuses: readonly FaultCase[] = [
  ...RETRY_AFTER.flatMap(([header, seconds, attempts]) => [
    ...[500, 502, 503, 504].map((status) => ({
      name: `${status} with Retry-After ${String(header)}`,
      fault: refusing(status, header),
      expected: down(status, false, attempts)
    })),
    {
      name: `429 with Retry-After ${String(header)}`,
      fault: refusing(429, header),
      expected: refused(busy(seconds), attempts)
    }
  ]),
  {
    name: '503 once with Retry-After 1',
    fault: refusing(503, '1'),
    times: 1,
    expected: once(down(503, false))
  },
  {
    name: '504 of a gateway after the service executed the request',
    fault: changed(() => ({ status: 504, body: PAGE, headers: { 'content-type': 'text/html' } })),
    expected: down(504, true)
  },
  {
    name: '502 with an HTML page of a gateway',
    fault: respondingWith({ status: 502, body: PAGE, headers: { 'content-type': 'text/html' } }),
    expected: down(502, false)
  },
  { name: '401', fault: refusing(401, null), expected: refused({ kind: 'unauthorised' }, 1) },
  { name: '403', fault: refusing(403, null), expected: refused({ kind: 'forbidden' }, 1) },
  { name: '404', fault: refusing(404, null), expected: refused({ kind: 'not-found' }, 1) },
  {
    name: '400',
    fault: refusing(400, null),
    expected: refused({ kind: 'rejected', status: 400, message: 'Not now' }, 1)
  }
]

const DEEP = 200_000
/** Returns the same response with an additional unknown field. */
const deepened = (sent: Buffer): string =>
  sent.toString('utf8').replace('{', `{"deep":${'['.repeat(DEEP)}${']'.repeat(DEEP)},`)

const HUGE = 100 * 1024 * 1024

const unreadable: readonly FaultCase[] = [
  {
    name: 'an HTML page',
    fault: respondingWith({ body: PAGE, headers: { 'content-type': 'text/html' } }),
    expected: unusable('', false)
  },
  {
    name: 'an HTML page with the content type of JSON',
    fault: respondingWith({ body: PAGE }),
    expected: unusable('', false)
  },
  { name: 'an empty response', fault: body(() => ''), expected: unusable('', true) },
  { name: 'a 204', fault: changed(() => ({ status: 204 })), expected: unusable('', true) },
  { name: 'JSON cut short', fault: body((sent) => sent.subarray(0, -1)), expected: unusable('', true) },
  {
    name: 'the response twice',
    fault: body((sent) => Buffer.concat([sent, sent])),
    expected: unusable('', true)
  },
  { name: 'valid JSON with an unknown field nested 200,000 deep', fault: body(deepened), expected: fine() },
  { name: 'JSON of 100 MB', fault: { pour: HUGE }, expected: unusable('(too large)', true) },
  {
    name: 'JSON of 100 MB, compressed',
    fault: { pour: HUGE, compressed: true },
    expected: unusable('(too large)', true)
  },
  {
    name: 'a content encoding of gzip without compression',
    fault: changed(({ body: sent }) => ({ body: sent, headers: { 'content-encoding': 'gzip' } })),
    expected: lost(true)
  },
  {
    name: 'gzip cut short',
    fault: changed(({ body: sent }) => ({
      body: gzipSync(sent).subarray(0, -12),
      headers: { 'content-encoding': 'gzip' }
    })),
    expected: unusable('', true)
  },
  {
    name: 'a deflated response',
    fault: changed(({ body: sent }) => ({
      body: deflateSync(sent),
      headers: { 'content-encoding': 'deflate' }
    })),
    expected: fine()
  },
  {
    name: 'a byte order mark before the JSON',
    fault: body((sent) => Buffer.concat([Buffer.from('\uFEFF'), sent])),
    expected: fine()
  },
  {
    name: 'UTF-16',
    fault: body((sent) => Buffer.from(sent.toString('utf8'), 'utf16le')),
    expected: unusable('', true)
  },
  { name: 'no HTTP', fault: { bytes: 'SSH-2.0-OpenSSH_9.2\r\n' }, expected: lost(false) },
  {
    name: 'a status of 999',
    fault: { bytes: 'HTTP/1.1 999 What\r\ncontent-length: 2\r\n\r\n{}' },
    expected: unusable('', false)
  },
  { name: 'a status of 101', fault: { bytes: 'HTTP/1.1 101 Switching\r\n\r\n' }, expected: lost(false) },
  {
    name: 'two content lengths',
    fault: { bytes: 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 5\r\n\r\n{}   ' },
    expected: lost(false)
  },
  {
    name: 'headers of a megabyte',
    fault: { bytes: `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(1_000_000)}\r\ncontent-length: 2\r\n\r\n{}` },
    expected: lost(false)
  }
]

const insecure: readonly FaultCase[] = [
  {
    name: 'a self-signed certificate',
    fault: 'pass',
    certificate: selfSigned,
    expected: notSent(tls)
  },
  { name: 'an expired certificate', fault: 'pass', certificate: expired, expected: notSent(tls) },
  { name: 'a certificate of another host', fault: 'pass', certificate: otherHost, expected: notSent(tls) },
  { name: 'a valid certificate', fault: 'pass', certificate: trusted, expected: fine() }
]

/** Refuses with a Retry-After date two seconds ahead of the service's clock. */
const refusingUntil = (): Fault =>
  changed(() => ({ status: 503, headers: { 'retry-after': new Date(Date.now() + 2000).toUTCString() } }))

const clocks: readonly FaultCase[] = [
  { name: 'the clock goes back a year', fault: 'pass', clockJump: -YEAR, expected: fine() },
  { name: 'the clock goes forward a year', fault: 'pass', clockJump: YEAR, expected: fine() },
  {
    name: 'the clock goes forward a year while the service does not respond',
    fault: 'silence',
    timesOut: true,
    clockJump: YEAR,
    expected: timedOut(false)
  },
  {
    name: 'the clock goes back a year while the service does not respond',
    fault: 'silence',
    timesOut: true,
    clockJump: -YEAR,
    expected: timedOut(false)
  },
  // If the service's clock is a year ahead of the till's, the till does not wait for its date.
  {
    name: 'a Retry-After date, and a clock that is a year behind',
    fault: refusingUntil(),
    clockJump: -YEAR,
    expected: down(503, true)
  },
  {
    name: 'a Retry-After date, and a clock that is a year ahead',
    fault: refusingUntil(),
    clockJump: YEAR,
    expected: down(503, true)
  }
]

/** Returns redirects to the same URL and to `elsewhere`, a server that records its requests. */
export const redirects = (elsewhere: string): readonly FaultCase[] =>
  [301, 302, 303, 307, 308].flatMap((status) =>
    [
      ['to the same URL', ''],
      ['to another server', elsewhere],
      ['to a host without encryption', elsewhere.replace('127.0.0.1', 'localhost')]
    ].map(([where = '', location = '']) => ({
      name: `a redirect of ${status} ${where}`,
      fault: respondingWith({ status, headers: { location } }),
      expected: unusable('(redirect)', false)
    }))
  )

/** All but the redirects. */
export const FAULTS: readonly FaultCase[] = [
  ...broken,
  ...slow,
  ...statuses,
  ...unreadable,
  ...insecure,
  ...clocks
]
