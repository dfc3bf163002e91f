/** Handlers of `bridge.till` and `bridge.connection`. */
import type { ConnectionApi, TillApi } from '../../contract/bridge.ts'
import { err, mapResult, ok, type Result } from '../../contract/failure.ts'
import type { Account } from '../../contract/loyalty.ts'
import type { TillSettings } from '../../contract/settings.ts'
import type { CheckoutDraft, TillState } from '../../contract/till.ts'
import { parseBaseUrl, parseToken } from '../loyalty/credentials.ts'
import { saveCandidate, type ConnectionStore } from '../session/connection.ts'
import type { AccountClient, Session } from '../session/session.ts'
import type { AppState } from './app-state.ts'

/**
 * Keeps the draft of the checkout for a page that is reloaded after a crash: in memory only, because it names
 * customers.
 */
export class CheckoutDrafts {
  readonly #servedBy: () => string
  #saved: { readonly servedBy: string; readonly draft: CheckoutDraft } | null = null

  /** @param servedBy identifies the service that the till is connected to now */
  constructor(servedBy: () => string) {
    this.#servedBy = servedBy
  }

  save(draft: CheckoutDraft): void {
    this.#saved = { servedBy: this.#servedBy(), draft }
  }

  /** Deletes the draft if it names this customer. */
  forgetCustomer(id: string): void {
    if (this.#saved?.draft.customer?.id === id) this.#saved = null
  }

  /** Returns the last draft, and deletes it if the till is connected to another service by now. */
  current(): CheckoutDraft | null {
    if (this.#saved?.servedBy !== this.#servedBy()) this.#saved = null
    return this.#saved?.draft ?? null
  }
}

interface TillHandlersDependencies {
  readonly appState: AppState
  readonly settings: { update(change: Partial<TillSettings>): void }
  readonly session: { startTraining(): Promise<void>; leaveTraining(): Promise<void> }
  readonly drafts: CheckoutDrafts
  readonly onRendererReady: () => void
}

/** The state, its settings, and the draft of the checkout. */
export class TillHandlers implements TillApi {
  readonly #dependencies: TillHandlersDependencies

  constructor(dependencies: TillHandlersDependencies) {
    this.#dependencies = dependencies
  }

  state(): Promise<Result<TillState>> {
    return Promise.resolve(ok(this.#dependencies.appState.state()))
  }

  rendererReady(): Promise<Result<null>> {
    this.#dependencies.onRendererReady()
    return Promise.resolve(ok(null))
  }

  async startTraining(): Promise<Result<TillState>> {
    await this.#dependencies.session.startTraining()
    return this.state()
  }

  async leaveTraining(): Promise<Result<TillState>> {
    await this.#dependencies.session.leaveTraining()
    return this.state()
  }

  set(change: Partial<TillSettings>): Promise<Result<TillState>> {
    const { settings, appState } = this.#dependencies
    settings.update(change)
    appState.changed()
    return this.state()
  }

  dismissNotice({ index }: { index: number }): Promise<Result<TillState>> {
    const isDismissed = this.#dependencies.appState.notices.dismiss(index)
    return isDismissed
      ? this.state()
      : Promise.resolve(err({ kind: 'invalid-input', field: 'setting', fault: 'malformed' }))
  }

  saveDraft(draft: CheckoutDraft): Promise<Result<null>> {
    this.#dependencies.drafts.save(draft)
    return Promise.resolve(ok(null))
  }

  draft(): Promise<Result<CheckoutDraft | null>> {
    return Promise.resolve(ok(this.#dependencies.drafts.current()))
  }
}

interface ConnectionHandlersDependencies<Service extends AccountClient, Sealed> {
  readonly appState: AppState
  readonly session: Session<Service>
  readonly store: ConnectionStore<Sealed>
  /** replaces remote image URLs; see `loyalty.ts` */
  readonly toRendererAccount: (account: Account) => Account
}

/** Connects this till to a business, and forgets it. */
export class ConnectionHandlers<Service extends AccountClient, Sealed> implements ConnectionApi {
  readonly #dependencies: ConnectionHandlersDependencies<Service, Sealed>

  constructor(dependencies: ConnectionHandlersDependencies<Service, Sealed>) {
    this.#dependencies = dependencies
  }

  async check({ baseUrl, token }: { baseUrl: string; token: string }): Promise<Result<Account>> {
    const { session, toRendererAccount } = this.#dependencies
    const parsedUrl = parseBaseUrl(baseUrl)
    if (!parsedUrl.ok) return parsedUrl
    const parsedToken = parseToken(token)
    if (!parsedToken.ok) return parsedToken
    const account = await session.check({ baseUrl: parsedUrl.value, token: parsedToken.value })
    return mapResult(account, toRendererAccount)
  }

  async save({ acceptUnencrypted }: { acceptUnencrypted: boolean }): Promise<Result<TillState>> {
    const { session, store } = this.#dependencies
    const saved = await saveCandidate(session, store, acceptUnencrypted)
    return saved.ok ? this.#changedState() : saved
  }

  forget(): Promise<Result<TillState>> {
    const { session, store } = this.#dependencies
    store.forget()
    session.use(null)
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
