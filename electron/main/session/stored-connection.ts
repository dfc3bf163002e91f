/** The connection to a business: stored with its encrypted token, and restored when the till starts. */
import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { err, type Failure, ok, type Result } from '../../contract/failure.ts'
import type { Notice } from '../../contract/till.ts'
import { parseBaseUrl } from '../loyalty/credentials.ts'
import type { ProvisionedConnection, Settings, TokenStore } from '../settings/index.ts'
import { PAIRING_CODE_UNKNOWN, type PairingClient } from './pairing-client.ts'
import type { Credentials } from '../loyalty/credentials.ts'
import type { Session } from './session.ts'

/** The file that should contain the token is missing, unreadable or empty. */
const NO_TOKEN: Failure = { kind: 'invalid-input', field: 'token', fault: 'missing' }

/** Failures of a till that was set up before its network. */
const UNREACHABLE: ReadonlySet<Failure['kind']> = new Set(['offline', 'timeout', 'service-down', 'busy'])

/** The pause until a pairing code is sent again to a service that cannot be reached. */
const PAIRING_RETRY_MS = 15_000

export interface StoredConnectionDependencies {
  readonly session: Session
  readonly settings: Pick<Settings, 'values' | 'update'>
  readonly tokens: Pick<TokenStore, 'seal' | 'open'>
  readonly pairing: Pick<PairingClient, 'pair'>
  /** called with what to show while the till waits for the service */
  readonly onWaiting: (notice: Notice) => void
  /** replaces the pause before a pairing code is sent again, in tests */
  readonly pairingRetryMs?: number
}

/** A pairing code that is being traded. */
interface Pairing {
  readonly baseUrl: string
  readonly code: string
  /** aborted when another connection is used: an answer does not count then */
  readonly replaced: AbortController
  /** resolves with the notice to show, or null */
  readonly outcome: Promise<Notice | null>
}

/** Whether a base URL is an address or below it, with and without the last slash. */
const isWithin = (baseUrl: string, address: string): boolean =>
  `${baseUrl}/`.replace(/\/+$/u, '/').startsWith(address)

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Stores the connection of the session in the settings. */
export class StoredConnection {
  readonly #dependencies: StoredConnectionDependencies
  #pairing: Pairing | null = null

  constructor(dependencies: StoredConnectionDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Stores the credentials that were checked last. Fails with `not-connected` if there are none, and with `no-encryption`
   * if the system provides none, unless accepted.
   */
  async saveCandidate(acceptUnencrypted: boolean): Promise<Result<null>> {
    const { session, settings, tokens } = this.#dependencies
    const candidate = session.candidates.current
    if (!candidate) return err({ kind: 'not-connected' })
    const { credentials, business } = candidate
    const sealing = await tokens.seal(credentials.token, acceptUnencrypted)
    // Others may have been checked meanwhile, or the connection may have been removed.
    if (session.candidates.current !== candidate) return err({ kind: 'aborted' })
    if (sealing.kind === 'no-encryption') return err({ kind: 'no-encryption' })
    this.#endPairing()
    const { tokenFile } = settings.values
    settings.update({
      mode: 'business',
      baseUrl: credentials.baseUrl,
      token: sealing.sealed,
      business,
      tokenFile: tokenFile && { ...tokenFile, inUse: false },
      // The service may have changed since it refused.
      nameRequiredBy: null
    })
    session.use(credentials)
    return ok(null)
  }

  forget(): void {
    const { session, settings } = this.#dependencies
    this.#endPairing()
    settings.update({
      // Training does not end with a connection that it does not use.
      mode: session.mode === 'training' ? 'training' : 'onboarding',
      baseUrl: null,
      token: null,
      business: null,
      tokenFile: null,
      nameRequiredBy: null
    })
    session.use(null)
  }

  /**
   * Restores the connection in the session: the stored one, or the one of the environment or the policy, see `provision`.
   * The session knows its mode when this returns; the promise may wait for the password of the system's keyring.
   * @param provisioning null if there is none
   * @returns a notice to show, or null
   */
  async restore(provisioning: ProvisionedConnection | null): Promise<Notice | null> {
    const { session, settings, tokens } = this.#dependencies
    if (provisioning && this.#isProvisioned(provisioning)) return this.#provision(provisioning)
    const { baseUrl, token: sealed, tokenFile } = settings.values
    if (baseUrl === null) return null
    // Without encryption in the system the token is only in the environment, or in the file of the policy.
    const decrypted = sealed === null ? Promise.resolve(provisioning?.token ?? null) : tokens.open(sealed)
    const isUnreadable = await session.useWhenDecrypted(
      decrypted.then((token) => (token ? { baseUrl, token } : null)),
      // It may be of another business than the stored profile: the till may have ended before it read that one.
      sealed === null || tokenFile?.inUse === true
    )
    return isUnreadable ? { kind: 'token-unreadable' } : null
  }

  /**
   * Connects a till that is not set up yet, one that is connected to another service than the policy locks, and one whose
   * token was replaced in the policy's file. Call when the policy or that file changed while the till is open.
   * @returns a notice to show, or null
   */
  async provision(provisioning: ProvisionedConnection | null): Promise<Notice | null> {
    return provisioning !== null && this.#isProvisioned(provisioning) ? this.#provision(provisioning) : null
  }

  #isProvisioned(provisioning: ProvisionedConnection): boolean {
    const { isLocked = false, token, pairingCode } = provisioning
    const { mode, baseUrl: stored, business, token: sealed, tokenFile } = this.#dependencies.settings.values
    if (mode === 'onboarding') return true
    // A till that ended while it waited for its pairing.
    if (pairingCode !== undefined && sealed === null && business === null) return true
    // A policy that cannot connect leaves the connection.
    const parsed = parseBaseUrl(provisioning.baseUrl)
    if (!parsed.ok || token === '' || stored === null) return false
    if (!isWithin(stored, parsed.value)) return isLocked
    const isNew = provisioning.isTokenInFile === true && tokenFile?.hash !== hashOf(token)
    // A token that was typed at the till stays: until the file changes where the address is locked, for good elsewhere, since it
    // may be of another business at the address.
    return isNew && (isLocked || tokenFile?.inUse === true)
  }

  /**
   * Connects without confirmation. A token is used without a request to the service, since a till may be installed before its
   * network, and at once: encrypting it may wait for the password of the system's keyring.
   */
  async #provision(provisioning: ProvisionedConnection): Promise<Notice | null> {
    const { session, settings } = this.#dependencies
    const { token, pairingCode, isTokenInFile = false } = provisioning
    const parsed = parseBaseUrl(provisioning.baseUrl)
    if (!parsed.ok) return { kind: 'provisioning-failed', failure: parsed.failure }
    if (token === '') {
      return pairingCode === undefined
        ? { kind: 'provisioning-failed', failure: NO_TOKEN }
        : this.#startPairing(parsed.value, pairingCode)
    }
    this.#endPairing()
    const { baseUrl: stored, mode, business } = settings.values
    const isSame = stored !== null && isWithin(stored, parsed.value)
    const credentials = { baseUrl: isSame ? stored : parsed.value, token }
    settings.update({
      // A new token changes neither the service nor the mode.
      ...(isSame ? { mode, business } : { mode: 'business', business: null }),
      baseUrl: credentials.baseUrl,
      token: null,
      tokenFile: isTokenInFile ? { hash: hashOf(token), inUse: true } : null
    })
    session.use(credentials, true)
    const notice = await this.#keepToken(credentials)
    return isTokenInFile ? null : notice
  }

  /** Trades a pairing code; one that is being traded already is not sent twice, since the service takes it once. */
  #startPairing(baseUrl: string, code: string): Promise<Notice | null> {
    if (this.#pairing?.baseUrl === baseUrl && this.#pairing.code === code) return this.#pairing.outcome
    this.#endPairing()
    const replaced = new AbortController()
    const outcome = this.#pair(baseUrl, code, replaced.signal)
    this.#pairing = { baseUrl, code, replaced, outcome }
    return outcome
  }

  #endPairing(): void {
    this.#pairing?.replaced.abort()
    this.#pairing = null
  }

  /** Trades a pairing code, once the service can be reached. Requests wait for the token. */
  async #pair(baseUrl: string, code: string, replaced: AbortSignal): Promise<Notice | null> {
    const { session, settings, pairing, onWaiting, pairingRetryMs = PAIRING_RETRY_MS } = this.#dependencies
    settings.update({ mode: 'business', baseUrl, token: null, business: null })
    const outcome: { credentials: Credentials | null; failure: Failure | null } = {
      credentials: null,
      failure: null
    }
    const isReplaced = (): boolean => replaced.aborted
    const trade = async (): Promise<Credentials | null> => {
      for (;;) {
        const paired = await pairing.pair(baseUrl, code)
        if (isReplaced()) return null
        if (paired.ok) {
          outcome.credentials = paired.value
          settings.update({ baseUrl: paired.value.baseUrl })
          return paired.value
        }
        const failure = paired.failure.kind === 'not-found' ? PAIRING_CODE_UNKNOWN : paired.failure
        outcome.failure = failure
        if (!UNREACHABLE.has(failure.kind)) return null
        onWaiting({ kind: 'provisioning-failed', failure })
        await wait(pairingRetryMs, undefined, { ref: false })
        if (isReplaced()) return null
      }
    }
    const isRefused = await session.useWhenDecrypted(trade())
    const { credentials, failure } = outcome
    if (credentials !== null && session.credentials === credentials) return this.#keepToken(credentials)
    if (!isRefused || failure === null) return null
    this.forget()
    return { kind: 'provisioning-failed', failure }
  }

  async #keepToken(credentials: Credentials): Promise<Notice | null> {
    const { session, settings, tokens } = this.#dependencies
    const sealing = await tokens.seal(credentials.token, false)
    // The connection may have been replaced meanwhile.
    if (session.credentials?.token !== credentials.token) return null
    if (sealing.kind === 'no-encryption') return { kind: 'token-not-kept' }
    settings.update({ token: sealing.sealed })
    return null
  }
}
