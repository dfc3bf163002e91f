import type { PageTarget } from './page-target.ts'

/** The documents that a page has shown, without the empty one with which each window starts. */
export class PageHistory {
  readonly #page: PageTarget
  #index = 0
  #entries: number[] = []

  constructor(page: PageTarget) {
    this.#page = page
  }

  /** Chromium's id of the document before (-1) or after (1) the present one; undefined when there is none. */
  entry(offset: -1 | 1): number | undefined {
    return this.#entries[this.#index + offset]
  }

  /** Reads the history anew, after a navigation. */
  async read(): Promise<void> {
    const history = await this.#page.send('Page.getNavigationHistory').catch(() => undefined)
    if (!history) return
    const [first] = history.entries
    // A hidden page starts with about:blank, a visible one with a marked data address.
    const starts = /^(about:blank$|data:text\/html,<!--stand-in)/.test(first?.url ?? '')
    const skip = starts && history.entries.length > 1 ? 1 : 0
    this.#index = history.currentIndex - skip
    this.#entries = history.entries.slice(skip).map((entry) => entry.id)
  }
}
