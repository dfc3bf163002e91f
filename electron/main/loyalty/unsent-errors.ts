/**
 * The rule for a write that failed: only these errors of Chromium mean that no byte of the request can have reached the
 * service. Every other error leaves the outcome unknown.
 *
 * Each error of this table has one source in Chromium (`net/base/net_error_list.h` and its uses), and that source precedes
 * the first byte of a request on its connection. This holds because each write has a new connection that speaks HTTP/1.1
 * (`platform/fetch.ts`, `platform/command-line.ts`): on any other, Chromium repeats a request by itself, and the error of
 * the last attempt says nothing about the first.
 */
type UnsentFault = 'not-sent' | 'tls'

const NOT_SENT = [
  // The name has no address: no connection was tried.
  'NAME_NOT_RESOLVED',
  'NAME_RESOLUTION_FAILED',
  // connect() failed. An established connection reports these only when TCP gave up after minutes; the till does not
  // wait so long. ERR_TIMED_OUT, ERR_ADDRESS_UNREACHABLE and ERR_INTERNET_DISCONNECTED occur on both.
  'CONNECTION_REFUSED',
  'CONNECTION_FAILED',
  'CONNECTION_TIMED_OUT',
  // The proxy was not reached, or refused the tunnel: TLS to the service did not begin.
  'PROXY_CONNECTION_FAILED',
  'TUNNEL_CONNECTION_FAILED',
  // The URL's port is one that Chromium does not open.
  'UNSAFE_PORT'
]

/**
 * The certificate errors, -200 to -217: the handshake verifies the certificate before anything is sent. Not
 * ERR_CERT_DATABASE_CHANGED and ERR_CERT_VERIFIER_CHANGED, which end connections in use, and no ERR_SSL_ error: the same
 * ones report a refused handshake and a stream that broke after the request.
 */
const CERTIFICATE = [
  'COMMON_NAME_INVALID',
  'DATE_INVALID',
  'AUTHORITY_INVALID',
  'CONTAINS_ERRORS',
  'NO_REVOCATION_MECHANISM',
  'UNABLE_TO_CHECK_REVOCATION',
  'REVOKED',
  'INVALID',
  'WEAK_SIGNATURE_ALGORITHM',
  'NON_UNIQUE_NAME',
  'WEAK_KEY',
  'NAME_CONSTRAINT_VIOLATION',
  'VALIDITY_TOO_LONG',
  'SYMANTEC_LEGACY',
  'KNOWN_INTERCEPTION_BLOCKED'
].map((name) => `CERT_${name}`)

/** The fault of each error that proves that nothing was sent, by its name, for example `ERR_CONNECTION_REFUSED`. */
export const CHROMIUM_UNSENT: ReadonlyMap<string, UnsentFault> = new Map([
  ...NOT_SENT.map((name) => [`ERR_${name}`, 'not-sent'] as const),
  ...[...CERTIFICATE, 'CERTIFICATE_TRANSPARENCY_REQUIRED'].map((name) => [`ERR_${name}`, 'tls'] as const)
])
