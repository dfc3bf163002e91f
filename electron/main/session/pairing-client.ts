/** Pairing codes, which a service trades for tokens. */
import * as v from 'valibot'
import { err, type Failure, ok, type Result } from '../../contract/failure.ts'
import { parseBaseUrl } from '../loyalty/credentials.ts'
import type { LoyaltyClientOptions } from '../loyalty/http-client.ts'
import type { Credentials } from '../loyalty/credentials.ts'

/** The failure of a code that the service does not know, or does not know any more. */
export const PAIRING_CODE_UNKNOWN: Failure = {
  kind: 'invalid-input',
  field: 'token',
  fault: 'pairing-code-unknown'
}

const PAIRING_CODE_ELSEWHERE: Failure = {
  kind: 'invalid-input',
  field: 'token',
  fault: 'pairing-code-elsewhere'
}

const pairedSchema = v.object({ token: v.pipe(v.string(), v.nonEmpty()), baseUrl: v.string() })

/** Sends pairing codes to the project's own service, beside its API (electron/service/README.md). */
export class PairingClient {
  readonly #options: Omit<LoyaltyClientOptions, 'baseUrl' | 'token'>

  constructor(options: Omit<LoyaltyClientOptions, 'baseUrl' | 'token'>) {
    this.#options = options
  }

  /**
   * Trades a code for the token of this till at the service of an address, with the API's path or without. Returns the token
   * and the base URL on that origin, whatever origin the service names. Fails with `not-found` where there is no such code or
   * no pairing, with `PAIRING_CODE_UNKNOWN` when the answer was lost, which uses the code up, and as a request does.
   */
  async pair(address: string, code: string): Promise<Result<Credentials>> {
    const parsed = parseBaseUrl(address)
    if (!parsed.ok) return parsed
    const { origin } = new URL(parsed.value)
    const paired = await this.#send(origin, 'pair', { code: code.trim() }, pairedSchema)
    if (!paired.ok) return paired
    const { token, baseUrl } = paired.value
    const path = URL.canParse(baseUrl) ? new URL(baseUrl).pathname : '/'
    return ok({ token, baseUrl: origin + path })
  }

  /**
   * Uses a code of a business up, without a token: the till keeps its own. Fails as `pair`, and for a code of another business, which is not used up.
   * @param businessId of the account that the till is connected to
   */
  async confirm(baseUrl: string, code: string, businessId: string): Promise<Result<null>> {
    const { origin } = new URL(baseUrl)
    const confirmed = await this.#send(origin, 'pair/confirm', { code, business: businessId }, v.object({}))
    if (confirmed.ok) return ok(null)
    const { failure } = confirmed
    return err(failure.kind === 'rejected' && failure.status === 409 ? PAIRING_CODE_ELSEWHERE : failure)
  }

  async #send<Schema extends v.GenericSchema>(
    origin: string,
    path: string,
    body: Readonly<Record<string, string>>,
    schema: Schema
  ): Promise<Result<v.InferOutput<Schema>>> {
    const { createHttpClient } = await import('../loyalty/http-client.ts')
    const send = createHttpClient({ ...this.#options, baseUrl: `${origin}/`, token: null })
    const answer = await send({ method: 'POST', path, body }, schema)
    return !answer.ok && answer.failure.kind === 'unknown-outcome' ? err(PAIRING_CODE_UNKNOWN) : answer
  }
}
