import type {
  CustomerDisplayBridge,
  CustomerDisplayView
} from '../../../electron/contract/customer-display.ts'
import type * as english from '../../../generated/messages/customer-display/en.js'
import { loadMessages } from '../../../generated/messages/customer-display/load.js'

export type CustomerDisplayMessages = typeof english

/** A view with the messages of its language. */
interface LoadedView {
  readonly view: CustomerDisplayView
  readonly messages: CustomerDisplayMessages
}

/** The view of the customer display, kept up to date with the main process. */
export class DisplayState {
  readonly #bridge: CustomerDisplayBridge
  /** null until the first view and its messages are loaded. */
  current = $state.raw<LoadedView | null>(null)
  #revision = 0

  constructor(bridge: CustomerDisplayBridge) {
    this.#bridge = bridge
  }

  /** Reads the view and follows it. Returns a function that stops. */
  start(): () => void {
    const stop = this.#bridge.onView((view) => void this.#accept(view))
    const turn = this.#revision
    void this.#bridge.view().then((view) => {
      // A view that arrived meanwhile is newer.
      if (this.#revision === turn) void this.#accept(view)
    })
    return stop
  }

  async #accept(view: CustomerDisplayView): Promise<void> {
    const turn = ++this.#revision
    const messages = await loadMessages(view.language)
    if (turn === this.#revision) this.current = { view, messages }
  }
}
