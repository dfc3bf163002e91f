/** Handlers of `bridge.connection`. */
import type { ConnectionApi } from '../../contract/bridge.ts'
import { err, mapResult, ok, type Result } from '../../contract/failure.ts'
import type { Account } from '../../contract/loyalty.ts'
import type { TillState } from '../../contract/till.ts'
import type { Images, LogoCache } from '../images/images.ts'
import { isPairingCode, parseBaseUrl, parseToken } from '../loyalty/credentials.ts'
import type { RewardCatalogue } from '../rewards/reward-catalogue.ts'
import { PAIRING_CODE_UNKNOWN, type PairingClient, type StoredConnection } from '../session/connection.ts'
import type { Credentials, Session } from '../session/session.ts'
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

/** Connects this till to a business, and forgets it. */
export class ConnectionHandlers implements ConnectionApi {
  readonly #dependencies: ConnectionHandlersDependencies

  constructor(dependencies: ConnectionHandlersDependencies) {
    this.#dependencies = dependencies
  }

  async check({ baseUrl, token }: { baseUrl: string; token: string }): Promise<Result<Account>> {
    const { session, images } = this.#dependencies
    const parsedUrl = parseBaseUrl(baseUrl)
    if (!parsedUrl.ok) return parsedUrl
    const parsedToken = parseToken(token)
    if (!parsedToken.ok) return parsedToken
    const typed = { baseUrl: parsedUrl.value, token: parsedToken.value }
    const account = isPairingCode(token) ? await this.#pair(typed) : await session.check(typed)
    return mapResult(account, (value) => toRendererAccount(value, images))
  }

  /** Trades a pairing code for a token. What looks like a code may be the token of a service that has no pairing. */
  async #pair(typed: Credentials): Promise<Result<Account>> {
    const { session, pairing } = this.#dependencies
    const paired = await pairing.pair(typed.baseUrl, typed.token)
    if (paired.ok) return session.check(paired.value)
    if (paired.failure.kind !== 'not-found') return paired
    const account = await session.check(typed)
    return account.ok ? account : err(PAIRING_CODE_UNKNOWN)
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
