/** Chromium's network errors that tests and tills meet, with their numbers (net/base/net_error_list.h). */
const NUMBERS: Readonly<Record<string, number>> = {
  ERR_FAILED: -2,
  ERR_ABORTED: -3,
  ERR_INVALID_ARGUMENT: -4,
  ERR_FILE_NOT_FOUND: -6,
  ERR_TIMED_OUT: -7,
  ERR_UNEXPECTED: -9,
  ERR_ACCESS_DENIED: -10,
  ERR_BLOCKED_BY_CLIENT: -20,
  ERR_NETWORK_CHANGED: -21,
  ERR_BLOCKED_BY_RESPONSE: -27,
  ERR_CONNECTION_CLOSED: -100,
  ERR_CONNECTION_RESET: -101,
  ERR_CONNECTION_REFUSED: -102,
  ERR_CONNECTION_ABORTED: -103,
  ERR_CONNECTION_FAILED: -104,
  ERR_NAME_NOT_RESOLVED: -105,
  ERR_INTERNET_DISCONNECTED: -106,
  ERR_SSL_PROTOCOL_ERROR: -107,
  ERR_ADDRESS_UNREACHABLE: -109,
  ERR_CONNECTION_TIMED_OUT: -118,
  ERR_SSL_VERSION_OR_CIPHER_MISMATCH: -113,
  ERR_CERT_COMMON_NAME_INVALID: -200,
  ERR_CERT_DATE_INVALID: -201,
  ERR_CERT_AUTHORITY_INVALID: -202,
  ERR_CERT_REVOKED: -206,
  ERR_CERT_INVALID: -207,
  ERR_INVALID_URL: -300,
  ERR_DISALLOWED_URL_SCHEME: -301,
  ERR_UNKNOWN_URL_SCHEME: -302,
  ERR_TOO_MANY_REDIRECTS: -310,
  ERR_UNSAFE_PORT: -312,
  ERR_INVALID_RESPONSE: -320,
  ERR_INVALID_HTTP_RESPONSE: -370,
  ERR_EMPTY_RESPONSE: -324,
  ERR_CONTENT_DECODING_FAILED: -330,
  ERR_INCOMPLETE_CHUNKED_ENCODING: -355,
  ERR_CONTENT_LENGTH_MISMATCH: -354
}

/** The number of a network error by its name, with or without `net::`; -2 (ERR_FAILED) for one that is not listed. */
export function netErrorNumber(name: string): number {
  return NUMBERS[name.replace(/^net::/, '')] ?? -2
}

/** The reason by which Chromium's protocol calls a network error that an interceptor may raise. */
export function failureReason(name: string): FailureReason {
  const reasons: Readonly<Record<string, FailureReason>> = {
    ERR_ABORTED: 'Aborted',
    ERR_ACCESS_DENIED: 'AccessDenied',
    ERR_ADDRESS_UNREACHABLE: 'AddressUnreachable',
    ERR_BLOCKED_BY_CLIENT: 'BlockedByClient',
    ERR_CONNECTION_REFUSED: 'ConnectionRefused',
    ERR_CONNECTION_RESET: 'ConnectionReset',
    ERR_INTERNET_DISCONNECTED: 'InternetDisconnected',
    ERR_NAME_NOT_RESOLVED: 'NameNotResolved',
    ERR_TIMED_OUT: 'TimedOut'
  }
  return reasons[name.replace(/^net::/, '')] ?? 'Failed'
}

type FailureReason =
  | 'Failed'
  | 'Aborted'
  | 'TimedOut'
  | 'AccessDenied'
  | 'ConnectionRefused'
  | 'ConnectionReset'
  | 'InternetDisconnected'
  | 'NameNotResolved'
  | 'AddressUnreachable'
  | 'BlockedByClient'
