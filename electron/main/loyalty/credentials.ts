/** Parses the base URL and the token of a service as a manager enters them. */
import { err, ok, type InputFault, type Result } from '../../contract/failure.ts'

/** Base URL and token of a service. */
export interface Credentials {
  readonly baseUrl: string
  readonly token: string
}

const MAX_BASE_URL_LENGTH = 2000

/** Removes what pasting may add: surrounding white space, and invisible characters (Unicode's format characters). */
const pasted = (text: string): string => text.replaceAll(/\p{Cf}/gu, '').trim()

const refuse = (fault: InputFault) => err({ kind: 'invalid-input', field: 'base-url', fault })

/**
 * Returns whether a host is loopback, where a token may be sent unencrypted. The URL parser has already normalized all
 * notations of 127.0.0.0/8 and ::1.
 */
const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)

/**
 * Adds `https://` if the scheme is missing. Returns null for input that the URL parser would repair: a scheme without
 * exactly two slashes ("https:/host"), or leading slashes.
 */
const withScheme = (typed: string): string | null => {
  if (/^[a-z][a-z\d+.-]*:\/\/[^/\\]/i.test(typed)) return typed
  return /^(?:[/\\]|[a-z][a-z\d+.-]*:(?!\d))/i.test(typed) ? null : `https://${typed}`
}

/**
 * Parses a base URL. Returns it normalized and with a trailing slash, so that paths can be appended. The path
 * is kept: it already includes the service's prefix. A URL without a scheme gets `https://`.
 *
 * Fails with `invalid-input` for `base-url`: `missing`; `too-long`; `not-https` for an unencrypted URL of
 * another machine; `not-an-address` for all else, including URLs with a user name, a query or a fragment.
 */
export const parseBaseUrl = (text: string): Result<string> => {
  const typed = pasted(text)
  if (typed === '') return refuse('missing')
  if (typed.length > MAX_BASE_URL_LENGTH) return refuse('too-long')
  const address = withScheme(typed)
  if (address === null || /[?#\s]/.test(address) || !URL.canParse(address)) return refuse('not-an-address')
  const url = new URL(address)
  if (url.hostname === '' || url.username !== '' || url.password !== '') return refuse('not-an-address')
  const encrypted = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
  if (!encrypted) return refuse('not-https')
  url.pathname = url.pathname.replace(/\/*$/, '/')
  return ok(url.href)
}

/**
 * Parses a bearer token. Fails with
 * `invalid-input` for `token`: `missing`, or `malformed` if it contains characters that are invalid in a bearer
 * token, such as a space, a line break or a non-ASCII letter.
 */
export const parseToken = (text: string): Result<string> => {
  const token = pasted(text)
  if (token === '') return err({ kind: 'invalid-input', field: 'token', fault: 'missing' })
  if (!/^[\x21-\x7e]+$/.test(token)) return err({ kind: 'invalid-input', field: 'token', fault: 'malformed' })
  return ok(token)
}
