/** Handlers of `bridge.connection`. */
import type { Api } from '../../contract/bridge.ts'
import { pairingCodeIn } from '../../contract/pairing-code.ts'
import { err, type Failure, mapResult, ok, type Result } from '../../contract/failure.ts'
import type { Account } from '../../contract/loyalty.ts'
import type { TillState } from '../../contract/till.ts'
import type { Images, LogoCache } from '../images/images.ts'
import { parseBaseUrl, parseToken } from '../loyalty/credentials.ts'
import type { RewardCatalogue } from '../rewards/reward-catalogue.ts'
import { PAIRING_CODE_UNKNOWN, type PairingClient } from '../session/pairing-client.ts'
import type { StoredConnection } from '../session/stored-connection.ts'
import type { Credentials } from '../loyalty/credentials.ts'
import type { Session } from '../session/session.ts'
import { toRendererAccount, type AppState } from './app-state.ts'

interface ConnectionHandlersDependencies {
  readonly appState: AppState
  readonly session: Session
  readonly pairing: PairingClient
  readonly connection: StoredConnection
  readonly catalogue: Pick<RewardCatalogue, 'clear'>
  readonly logos: Pick<LogoCache, 'clear'>
  readonly images: Pick<Images, 'path'>
}

/** What a service answers that does not know a token. */
const REFUSALS: ReadonlySet<Failure['kind']> = new Set(['unauthorised', 'not-found', 'bad-response'])

function typedCredentials(address: string, text: string): Result<Credentials> {
  const baseUrl = parseBaseUrl(address)
  if (!baseUrl.ok) return baseUrl
  return mapResult(parseToken(text), (token) => ({ baseUrl: baseUrl.value, token }))
}

/** Connects this till to a business, and forgets it. */
export class ConnectionHandlers implements Api<'connection'> {
  readonly #dependencies: ConnectionHandlersDependencies

  constructor(dependencies: ConnectionHandlersDependencies) {
    this.#dependencies = dependencies
  }

  async check({ baseUrl, token }: { baseUrl: string; token: string }): Promise<Result<Account>> {
    const { session, images } = this.#dependencies
    const code = pairingCodeIn(token)
    const typed = typedCredentials(baseUrl, token)
    const account = await session.candidates.check(
      code === null ? Promise.resolve(typed) : this.#pair(baseUrl, code, typed)
    )
    const isUnknown = code !== null && !account.ok && REFUSALS.has(account.failure.kind)
    return isUnknown
      ? err(PAIRING_CODE_UNKNOWN)
      : mapResult(account, (value) => toRendererAccount(value, images))
  }

  /** Trades a pairing code. What looks like a code may be the token of a service that has no pairing. */
  async #pair(baseUrl: string, code: string, typed: Result<Credentials>): Promise<Result<Credentials>> {
    const paired = await this.#dependencies.pairing.pair(baseUrl, code)
    if (paired.ok || paired.failure.kind !== 'not-found') return paired
    return typed.ok ? typed : err(PAIRING_CODE_UNKNOWN)
  }

  async save({ acceptUnencrypted }: { acceptUnencrypted: boolean }): Promise<Result<TillState>> {
    const saved = await this.#dependencies.connection.saveCandidate(acceptUnencrypted)
    return saved.ok ? this.#changedState() : saved
  }

  forget(): Promise<Result<TillState>> {
    const { connection, catalogue, logos } = this.#dependencies
    connection.forget()
    void catalogue.clear()
    void logos.clear()
    return Promise.resolve(this.#changedState())
  }

  async refresh(): Promise<Result<TillState>> {
    const { session, appState } = this.#dependencies
    return mapResult(await session.refresh(), () => appState.state())
  }

  async retryConnection(): Promise<Result<TillState>> {
    const { session, appState } = this.#dependencies
    await session.retryConnection()
    return ok(appState.state())
  }

  #changedState(): Result<TillState> {
    const { appState } = this.#dependencies
    appState.changed()
    return ok(appState.state())
  }
}
