/** Handlers of `bridge.till`. */
import type { TillApi } from '../../contract/bridge.ts'
import { ok, type Result } from '../../contract/failure.ts'
import type { TillSettings } from '../../contract/settings.ts'
import type { CheckoutDraft, TillState } from '../../contract/till.ts'
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

/** Work that waits for the page. Implemented by `DeferredStartup`. */
export interface DeferredWork {
  /** The page has painted and is idle. */
  onRendererReady(): void
}

interface TillHandlersDependencies {
  readonly appState: AppState
  readonly settings: { update(change: Partial<TillSettings>): void }
  readonly session: { startTraining(): Promise<void>; leaveTraining(): Promise<void> }
  readonly drafts: CheckoutDrafts
  /** makes ready what prints: a sale has begun */
  readonly slipServices: { expectSlip(): void }
  readonly deferredStartup: DeferredWork
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
    this.#dependencies.deferredStartup.onRendererReady()
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

  dismissNotice({ kind }: { kind: string }): Promise<Result<TillState>> {
    this.#dependencies.appState.notices.remove(kind)
    return this.state()
  }

  saveDraft(draft: CheckoutDraft): Promise<Result<null>> {
    this.#dependencies.drafts.save(draft)
    this.#dependencies.slipServices.expectSlip()
    return Promise.resolve(ok(null))
  }

  draft(): Promise<Result<CheckoutDraft | null>> {
    return Promise.resolve(ok(this.#dependencies.drafts.current()))
  }
}
