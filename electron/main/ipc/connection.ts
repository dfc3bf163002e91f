/** Handlers of `bridge.connection`. */
import type { Handlers } from '../../contract/bridge.ts'
import { pairingCodeIn } from '../../contract/pairing-code.ts'
import { err, type Failure, mapResult, ok, type Result } from '../../contract/failure.ts'
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

/** Returns the handlers of `bridge.connection`: connects this till to a business, and forgets it. */
export function createConnectionHandlers(
  dependencies: ConnectionHandlersDependencies
): Handlers<'connection'> {
  const { appState, session, pairing, connection, catalogue, logos, images } = dependencies

  /** Trades a pairing code. What looks like a code may be the token of a service that has no pairing. */
  const pair = async (
    baseUrl: string,
    code: string,
    typed: Result<Credentials>
  ): Promise<Result<Credentials>> => {
    const paired = await pairing.pair(baseUrl, code)
    if (paired.ok || paired.failure.kind !== 'not-found') return paired
    return typed.ok ? typed : err(PAIRING_CODE_UNKNOWN)
  }
  const changedState = () => {
    appState.changed()
    return ok(appState.state())
  }

  return {
    async check({ baseUrl, token }) {
      const code = pairingCodeIn(token)
      const typed = typedCredentials(baseUrl, token)
      const account = await session.candidates.check(
        code === null ? Promise.resolve(typed) : pair(baseUrl, code, typed)
      )
      const isUnknown = code !== null && !account.ok && REFUSALS.has(account.failure.kind)
      return isUnknown
        ? err(PAIRING_CODE_UNKNOWN)
        : mapResult(account, (value) => toRendererAccount(value, images))
    },
    async save({ acceptUnencrypted }) {
      const saved = await connection.saveCandidate(acceptUnencrypted)
      return saved.ok ? changedState() : saved
    },
    forget() {
      connection.forget()
      void catalogue.clear()
      void logos.clear()
      return changedState()
    },
    refresh: async () => mapResult(await session.refresh(), () => appState.state()),
    async retryConnection() {
      await session.retryConnection()
      return ok(appState.state())
    }
  }
}
