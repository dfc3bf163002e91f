/** Sentences for screen readers. A reader speaks what changes in a live region that was there before its text: one for all. */
import { untrack } from 'svelte'

/** How long a sentence stays in the region: a reader has taken it by then, and finds no old one while it reads the page. */
const KEPT_MS = 3000

/** Pause after which what changes with each key is said. */
export const TYPING_PAUSE_MS = 600

/** The sentences that `LiveRegion` shows to screen readers. */
export class Announcer {
  #said = 0
  #clearing: ReturnType<typeof setTimeout> | undefined
  /** newest last */
  sentences = $state.raw<readonly { readonly id: number; readonly text: string }[]>([])

  /** Says a sentence after those that are being spoken. */
  say(text: string): void {
    this.sentences = [...this.sentences, { id: ++this.#said, text }]
    clearTimeout(this.#clearing)
    this.#clearing = setTimeout(() => {
      this.sentences = []
    }, KEPT_MS)
  }

  /**
   * Says what `sentence` returns, each time it changes, but not what it returns at first: that is there to be read. Null
   * says nothing. Called while a component is created, and ends with it.
   * @param pauseMs how long it must stay the same before it is said
   */
  follow(sentence: () => string | null, pauseMs = 0): void {
    const current = $derived(sentence())
    let before = untrack(() => current)
    $effect(() => {
      const text = current
      if (text === before) return
      before = text
      if (text === null || text === '') return
      if (pauseMs === 0) {
        untrack(() => {
          this.say(text)
        })
        return
      }
      const pause = setTimeout(() => {
        this.say(text)
      }, pauseMs)
      return () => {
        clearTimeout(pause)
      }
    })
  }
}
