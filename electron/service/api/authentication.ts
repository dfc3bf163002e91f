/** Which business a request is made for: the bearer token of a till (interface document, part 5). */
import type { BusinessKey } from '../domain/businesses.ts'
import { hashToken } from '../domain/identifiers.ts'
import type { Database } from '../store/database.ts'
import { TillStore } from '../store/tills.ts'
import type { ServiceMessageKey } from './messages.ts'
import { HttpError } from './responses.ts'

/** Syntax of a bearer token (RFC 6750, section 2.1). */
export const TOKEN_SYNTAX = /^[A-Za-z0-9\-._~+/]+=*$/

/** The till that makes a request. */
export interface ApiCaller {
  readonly business: BusinessKey
  /** id */
  readonly till: string
  /** days that a new code of the business can be collected */
  readonly codeValidityDays: number
  /** how long a till may undo a redemption or a credit */
  readonly reversalMinutes: number
  /** for a customer's first purchase; 0: none */
  readonly welcomePoints: number
  /** of the business */
  readonly timeZone: string
  /** points that a till may credit on a day; null: any number */
  readonly creditLimit: number | null
  /** above which a manager approves each credit at the till; null: none does */
  readonly creditApprovalLimit: number | null
  /** that of the business, ISO 3166-1 alpha-2, or another text */
  readonly country: string
}

/** An accepted header is not looked up again for this time: so long a revoked token is accepted at most. */
const CACHE_TIME_MS = 1000
/** Cached headers. Above it all are looked up again. */
const MAX_CACHED_HEADERS = 10_000
/** How exactly the last use of a token is kept: more often would be a write with each request. */
const LAST_USE_RESOLUTION_MS = 60_000

export interface AuthenticatorDependencies {
  readonly database: Database
  readonly now: () => Date
  /** whether a token is refused as expired, which a client cannot tell from one that the real service refuses */
  readonly isExpired: (token: string) => boolean
  /** called when a last use cannot be written; the request is answered all the same */
  readonly onInternalError: (error: unknown) => void
}

const unauthorized = (key: ServiceMessageKey, challenge: string): HttpError =>
  new HttpError(401, key, {}, { 'WWW-Authenticate': challenge })

export class Authenticator {
  readonly #tills: TillStore
  readonly #dependencies: AuthenticatorDependencies
  readonly #accepted = new Map<string, { readonly caller: ApiCaller; readonly at: number }>()

  constructor(dependencies: AuthenticatorDependencies) {
    this.#dependencies = dependencies
    this.#tills = new TillStore(dependencies.database)
  }

  /**
   * Returns the caller for an Authorization header. Rejects with a 401 as in RFC 6750, since the interface document
   * does not specify one.
   */
  async authenticate(header: string | undefined): Promise<ApiCaller> {
    const accepted = this.#accepted.get(header ?? '')
    if (accepted !== undefined && performance.now() - accepted.at < CACHE_TIME_MS) return accepted.caller
    if (header === undefined || header.trim() === '') throw unauthorized('credentials-missing', 'Bearer')
    const token = /^bearer +(\S+)$/i.exec(header.trim())?.[1]
    if (token === undefined) throw unauthorized('credentials-not-bearer', 'Bearer')
    const caller = await this.#callerOf(token)
    if (this.#accepted.size >= MAX_CACHED_HEADERS) this.#accepted.clear()
    this.#accepted.set(header, { caller, at: performance.now() })
    return caller
  }

  async #callerOf(token: string): Promise<ApiCaller> {
    const { now, isExpired, onInternalError } = this.#dependencies
    if (isExpired(token)) {
      throw unauthorized('token-expired', 'Bearer error="invalid_token", error_description="token expired"')
    }
    const till = await this.#tills.find(hashToken(token))
    if (till === null) throw unauthorized('token-unknown', 'Bearer error="invalid_token"')
    if (till.revokedAt !== null) {
      throw unauthorized('token-revoked', 'Bearer error="invalid_token", error_description="token revoked"')
    }
    const at = now()
    if (Date.parse(till.lastUsedAt ?? '1970-01-01') <= at.getTime() - LAST_USE_RESOLUTION_MS) {
      await this.#tills.noteUse(till.id, at.toISOString()).catch(onInternalError)
    }
    const { id, business, codeValidityDays, reversalMinutes, welcomePoints, timeZone, country } = till
    const { creditLimit, creditApprovalLimit } = till
    const rules = { codeValidityDays, reversalMinutes, welcomePoints, creditLimit, creditApprovalLimit }
    return { till: id, business, timeZone, country, ...rules }
  }
}
