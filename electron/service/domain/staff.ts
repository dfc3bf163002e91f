/** Staff of a shop, who sign in to its pages with a name and a password. */
import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'
import { promisify } from 'node:util'
import type { BusinessKey } from './businesses.ts'

/** An owner may do everything; staff serve customers and look codes up. */
export const STAFF_ROLES = ['owner', 'staff'] as const
export type StaffRole = (typeof STAFF_ROLES)[number]

export interface StaffMember {
  readonly id: string
  readonly business: BusinessKey
  /** empty until an owner who was invited by the program chooses it */
  readonly name: string
  readonly role: StaffRole
  /** null until a sign-in link was used */
  readonly passwordHash: string | null
  /** ISO 8601, UTC */
  readonly createdAt: string
}

/** Characters of a password; no other rule (NIST SP 800-63B, 3.1.1.2). */
export const MIN_PASSWORD_LENGTH = 10
/** More would only cost time. */
export const MAX_PASSWORD_LENGTH = 200

/** How long a sign-in link is valid. */
export const SIGN_IN_LINK_TIME_MS = 24 * 60 * 60_000
/** How long the form of a link that was used may be sent again, such as by a second press. */
export const USED_LINK_TIME_MS = 10 * 60_000
/** The cookie of a session: it names its member, also to give a form back to its writer after the session has ended. */
export const sessionCookie = (member: string, secret: string): string => `${member}.${secret}`

/** Returns the id of the member whose session a cookie is or was; empty for none. */
export const memberOfCookie = (cookie: string): string => cookie.split('.', 1)[0] ?? ''

/** A session ends after this long without use, */
export const SESSION_IDLE_MS = 12 * 60 * 60_000
/** and in any case after this. */
export const SESSION_TIME_MS = 30 * 24 * 60 * 60_000

/** 32 MB and about a third of a second (OWASP Password Storage Cheat Sheet, scrypt). */
export const PASSWORD_COST: ScryptOptions = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 }
const HASH_BYTES = 32

const derive: (password: string, salt: Buffer, length: number, options: ScryptOptions) => Promise<Buffer> =
  promisify(scrypt)

/** The same characters may be typed in several ways (NIST SP 800-63B, 3.1.1.2). */
const normalized = (password: string): string => password.normalize('NFKC')

/** The name by which a member signs in, without case and double spaces. */
export const staffNameKey = (name: string): string =>
  name.trim().replaceAll(/\s+/g, ' ').normalize('NFKC').toLowerCase()

/** Whether a password has a length that is accepted. */
export const isPasswordAccepted = (password: string): boolean => {
  const { length } = Array.from(normalized(password))
  return length >= MIN_PASSWORD_LENGTH && length <= MAX_PASSWORD_LENGTH
}

/** Returns what is stored of a password: salt and scrypt hash in base64. */
export const hashPassword = async (password: string, cost = PASSWORD_COST): Promise<string> => {
  const salt = randomBytes(16)
  const hash = await derive(normalized(password), salt, HASH_BYTES, cost)
  return `scrypt:${salt.toString('base64')}:${hash.toString('base64')}`
}

/** Whether a password is the one that was hashed at this cost. Takes the same time without a hash. */
export const isPassword = async (
  password: string,
  stored: string | null,
  cost = PASSWORD_COST
): Promise<boolean> => {
  const [, salt = '', hash = ''] = stored?.split(':') ?? []
  const expected = Buffer.from(hash, 'base64')
  const derived = await derive(normalized(password), Buffer.from(salt, 'base64'), HASH_BYTES, cost)
  return expected.length === HASH_BYTES && timingSafeEqual(derived, expected)
}
