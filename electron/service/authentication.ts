/**
 * Who is calling (interface document, part 5): a bearer token, which stands for one business. Refusals follow
 * RFC 6750, since the document shows none.
 */
import { Refusal } from './errors.ts'
import type { MessageKey } from './messages/index.ts'
import { hashOfToken, type BusinessNumber } from './store/businesses.ts'

/** RFC 6750, part 2.1: what a token may be written with. */
export const tokenSyntax = /^[A-Za-z0-9\-._~+/]+=*$/

/** A token with this word in it is answered as one that has expired, so that reconnecting can be tried. */
const expiredWord = 'expired'

/** Spellings of headers that are remembered: a business has one token, and its tills spell it alike. */
const MOST_ACCEPTED = 100

/** True for tokens that are answered as expired without being listed. */
export const saysExpired = (token: string): boolean => token.toLowerCase().includes(expiredWord)

const refusal = (key: MessageKey, challenge: string): Refusal =>
  new Refusal(401, key, {}, { 'WWW-Authenticate': challenge })

/**
 * Makes the check of an Authorization header: gives the number of the caller's business, or refuses with 401.
 * `businesses` is keyed by the hash of the token.
 */
export const authenticator = (
  businesses: ReadonlyMap<string, BusinessNumber>,
  expiredTokens: readonly string[]
) => {
  /** Headers that were accepted before: to hash a token again for each request takes a seventh of it. */
  const accepted = new Map<string, BusinessNumber>()
  return (header: string | undefined): BusinessNumber => {
    const known = accepted.get(header ?? '')
    if (known !== undefined) return known
    if (header === undefined || header.trim() === '') throw refusal('credentials-missing', 'Bearer')
    const token = /^bearer +(\S+)$/i.exec(header.trim())?.[1]
    if (token === undefined) throw refusal('credentials-not-bearer', 'Bearer')
    if (saysExpired(token) || expiredTokens.includes(token)) {
      throw refusal('token-expired', 'Bearer error="invalid_token", error_description="token expired"')
    }
    const business = businesses.get(hashOfToken(token))
    if (business === undefined) throw refusal('token-unknown', 'Bearer error="invalid_token"')
    if (accepted.size < MOST_ACCEPTED) accepted.set(header, business)
    return business
  }
}
