import type {
  CustomerDisplayBridge,
  CustomerDisplayView
} from '../../../electron/contract/customer-display.ts'
import type * as english from '../../../generated/messages/customer-display/en.js'
import { loadMessages } from '../../../generated/messages/customer-display/load.js'

export type CustomerDisplayMessages = typeof english

/** A view with the words to show it in. */
interface LoadedView {
  readonly view: CustomerDisplayView
  readonly words: CustomerDisplayMessages
}

/** What the customer display shows, kept in step with main. */
export class DisplayState {
  readonly #bridge: CustomerDisplayBridge
  #now = $state.raw<LoadedView | null>(null)
  #heard = 0

  constructor(bridge: CustomerDisplayBridge) {
    this.#bridge = bridge
  }

  /** null until main has answered and the words are there. */
  get now(): LoadedView | null {
    return this.#now
  }

  /** Asks for the view and follows it. Gives what ends the following. */
  start(): () => void {
    const stop = this.#bridge.onView((view) => void this.#accept(view))
    const turn = this.#heard
    void this.#bridge.view().then((view) => {
      // What was heard meanwhile is newer.
      if (this.#heard === turn) void this.#accept(view)
    })
    return stop
  }

  async #accept(view: CustomerDisplayView): Promise<void> {
    const turn = ++this.#heard
    const words = await loadMessages(view.language)
    if (turn === this.#heard) this.#now = { view, words }
  }
}

/** A name inside a sentence of another script: kept in one piece, whichever way either is read (Unicode, UAX 9). */
export const isolateName = (name: string): string => `\u2068${name}\u2069`
