/** Handlers of `bridge.till`. */
import type { Api } from '../../contract/bridge.ts'
import { ok, type Result } from '../../contract/failure.ts'
import type { TillSettings } from '../../contract/settings.ts'
import type { CheckoutDraft, TillState } from '../../contract/till.ts'
import type { DataOwner } from '../session/data-owners.ts'
import type { Session } from '../session/session.ts'
import type { AppState } from './app-state.ts'

/**
 * Keeps the draft of the checkout for a page that is reloaded after a crash: in memory only, because it names
 * customers, and for each owner of the session.
 */
export class CheckoutDrafts {
  readonly #session: Pick<Session, 'owner'>
  readonly #drafts = new WeakMap<DataOwner, CheckoutDraft>()

  constructor(session: Pick<Session, 'owner'>) {
    this.#session = session
  }

  save(draft: CheckoutDraft): void {
    this.#drafts.set(this.#session.owner, draft)
  }

  /** Deletes the draft if it names this customer. */
  forgetCustomer(id: string): void {
    if (this.current()?.customer?.id === id) this.#drafts.delete(this.#session.owner)
  }

  /** Returns the last draft of the owner, or null. */
  current(): CheckoutDraft | null {
    return this.#drafts.get(this.#session.owner) ?? null
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
export class TillHandlers implements Api<'till'> {
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
