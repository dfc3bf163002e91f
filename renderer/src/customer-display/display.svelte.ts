import type {
  CustomerDisplayBridge,
  CustomerDisplayView
} from '../../../electron/contract/customer-display.ts'
import { loadWords, type DisplayWords } from './words.ts'

/** A view with the words to show it in. */
export interface Spoken {
  readonly view: CustomerDisplayView
  readonly words: DisplayWords
}

/** What the customer display shows, kept in step with main. */
export class Display {
  readonly #bridge: CustomerDisplayBridge
  #now = $state.raw<Spoken | null>(null)
  #heard = 0

  constructor(bridge: CustomerDisplayBridge) {
    this.#bridge = bridge
  }

  /** null until main has answered and the words are there. */
  get now(): Spoken | null {
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
    const words = await loadWords(view.language)
    if (turn === this.#heard) this.#now = { view, words }
  }
}
