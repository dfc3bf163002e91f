/** The address of the service, as a manager types or pastes it. */
import { err, ok, type InputFault, type Result } from '../../contract/failure.ts'

const LONGEST = 2000

const refuse = (fault: InputFault) => err({ kind: 'invalid-input', field: 'base-url', fault })

/** Loopback never leaves the machine, so a token may travel to it unencrypted. The URL parser has already brought
 *  every spelling of 127.0.0.0/8 and of ::1 into the forms tested here. */
const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)

/** With a scheme as it is, without one as `https://`. Null for what the URL parser would only guess at: a scheme with
 *  other than two slashes ("https:/host"), or slashes in front. */
const withScheme = (typed: string): string | null => {
  if (/^[a-z][a-z\d+.-]*:\/\/[^/\\]/i.test(typed)) return typed
  return /^(?:[/\\]|[a-z][a-z\d+.-]*:(?!\d))/i.test(typed) ? null : `https://${typed}`
}

/**
 * Reads a base address and gives it back in one form, ending with a slash, so that paths can be appended. The path
 * is kept as given: it already includes the service's prefix (interface document, part 2). An address without a
 * scheme gets `https://`.
 *
 * Fails with `invalid-input` for `base-url`: `missing`; `not-https` for anything unencrypted that leaves this
 * machine; `not-an-address` for the rest, including user names, a query and a fragment.
 */
export const parseBaseUrl = (text: string): Result<string> => {
  const typed = text.trim()
  if (typed === '') return refuse('missing')
  if (typed.length > LONGEST) return refuse('too-long')
  const address = withScheme(typed)
  if (address === null || /[?#\s]/.test(address) || !URL.canParse(address)) return refuse('not-an-address')
  const url = new URL(address)
  if (url.hostname === '' || url.username !== '' || url.password !== '') return refuse('not-an-address')
  const encrypted = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
  if (!encrypted) return refuse('not-https')
  url.pathname = url.pathname.replace(/\/*$/, '/')
  return ok(url.href)
}

/* from token.ts: The bearer token, as a manager pastes it. */

/**
 * Gives the token without the white space that pasting adds. Fails with `invalid-input` for `token`: `missing`, or
 * `malformed` when it holds what a header cannot carry (RFC 9110, 5.5): a space inside, a line break, a letter
 * outside ASCII.
 */
export const parseToken = (text: string): Result<string> => {
  const token = text.trim()
  if (token === '') return err({ kind: 'invalid-input', field: 'token', fault: 'missing' })
  if (!/^[\x21-\x7e]+$/.test(token)) return err({ kind: 'invalid-input', field: 'token', fault: 'malformed' })
  return ok(token)
}
