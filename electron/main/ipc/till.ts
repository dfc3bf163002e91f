/** Handlers of `bridge.till`. */
import type { Handlers } from '../../contract/bridge.ts'
import { ok } from '../../contract/failure.ts'
import type { TillSettings } from '../../contract/settings.ts'
import type { CheckoutDraft } from '../../contract/till.ts'
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

/** Returns the handlers of `bridge.till`: the state, its settings, and the draft of the checkout. */
export function createTillHandlers(dependencies: TillHandlersDependencies): Handlers<'till'> {
  const { appState, settings, session, drafts, slipServices, deferredStartup } = dependencies
  const state = () => ok(appState.state())
  return {
    state,
    rendererReady() {
      deferredStartup.onRendererReady()
      return ok(null)
    },
    startTraining: () => session.startTraining().then(state),
    leaveTraining: () => session.leaveTraining().then(state),
    set(change) {
      settings.update(change)
      appState.changed()
      return state()
    },
    dismissNotice({ kind }) {
      appState.notices.remove(kind)
      return state()
    },
    saveDraft(draft) {
      drafts.save(draft)
      slipServices.expectSlip()
      return ok(null)
    },
    draft: () => ok(drafts.current())
  }
}
