/** Browsers in which a member has signed in before: their attempts to sign in are not counted with those of strangers. */
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { StoredBusiness } from '../domain/businesses.ts'
import type { StaffMember } from '../domain/staff.ts'
import { managePath } from './manage-layout.ts'

/** Browsers keep a cookie for 400 days at most (RFC 6265bis, 5.5). */
const COOKIE_SECONDS = 400 * 24 * 60 * 60

type Known = Pick<StaffMember, 'id' | 'passwordHash'>

const cookieName = ({ id }: Known): string => `known-${id}`

/** Only the service knows the hash, so that only it can make the proof, which a new password makes void. */
const proofOf = ({ id, passwordHash }: Known, browser: string): Buffer =>
  createHmac('sha256', passwordHash ?? '')
    .update(`${id} ${browser}`)
    .digest()

/** Remembers that a member has signed in with this browser. The cookie opens nothing. */
export const rememberBrowser = (c: Context, business: StoredBusiness, member: Known): void => {
  const browser = knownBrowser(c, member) ?? randomBytes(16).toString('base64url')
  setCookie(c, cookieName(member), `${browser}.${proofOf(member, browser).toString('base64url')}`, {
    httpOnly: true,
    secure: true,
    sameSite: 'Lax',
    path: managePath(business),
    maxAge: COOKIE_SECONDS
  })
}

/** Returns a name for the browser if a member has signed in with it since choosing the password; null for another. */
export const knownBrowser = (c: Context, member: Known | null): string | null => {
  // Without a password the proof would have no secret.
  if (member === null) return null
  if (member.passwordHash === null) return null
  const [browser = '', sent = ''] = (getCookie(c, cookieName(member)) ?? '').split('.')
  const proof = Buffer.from(sent, 'base64url')
  const expected = proofOf(member, browser)
  return proof.length === expected.length && timingSafeEqual(proof, expected) ? browser : null
}
