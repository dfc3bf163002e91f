/** Trades a pairing code for the token of this till: `POST {origin}/pair` of the project's own service (its README.md). */
import * as v from 'valibot'
import { err, type Failure, ok, type Result } from '../../contract/failure.ts'
import { parseBaseUrl } from './credentials.ts'
import type { LoyaltyClientOptions } from './http-client.ts'

/** Eight letters that are hard to misread (RFC 8628, 6.1), with a hyphen or without. */
const PAIRING_CODE = /^[BCDFGHJKLMNPQRSTVWXZ]{4}[- ]?[BCDFGHJKLMNPQRSTVWXZ]{4}$/i

/** Returns whether a text that was typed for a token looks like a pairing code. */
export const isPairingCode = (text: string): boolean => PAIRING_CODE.test(text.trim())

/** The failure of a code that the service does not know, or does not know any more. */
export const PAIRING_CODE_UNKNOWN: Failure = {
  kind: 'invalid-input',
  field: 'token',
  fault: 'pairing-code-unknown'
}

const pairedSchema = v.object({ token: v.pipe(v.string(), v.nonEmpty()), baseUrl: v.string() })

export class PairingClient {
  readonly #options: Omit<LoyaltyClientOptions, 'baseUrl' | 'token'>

  constructor(options: Omit<LoyaltyClientOptions, 'baseUrl' | 'token'>) {
    this.#options = options
  }

  /**
   * Trades a code at the service of an address, with the API's path or without. Returns the token and the base URL on that
   * origin, whatever origin the service names. Fails with `not-found` where there is no such code or no pairing, with
   * `PAIRING_CODE_UNKNOWN` when the answer was lost, which uses the code up, and as a request does.
   */
  async pair(
    address: string,
    code: string
  ): Promise<Result<{ readonly baseUrl: string; readonly token: string }>> {
    const typed = parseBaseUrl(address)
    if (!typed.ok) return typed
    const { createHttpClient } = await import('./http-client.ts')
    const { origin } = new URL(typed.value)
    const send = createHttpClient({ ...this.#options, baseUrl: `${origin}/`, token: null })
    const paired = await send({ method: 'POST', path: 'pair', body: { code: code.trim() } }, pairedSchema)
    if (!paired.ok) return paired.failure.kind === 'unknown-outcome' ? err(PAIRING_CODE_UNKNOWN) : paired
    const { token, baseUrl } = paired.value
    const path = URL.canParse(baseUrl) ? new URL(baseUrl).pathname : '/'
    return ok({ token, baseUrl: origin + path })
  }
}
