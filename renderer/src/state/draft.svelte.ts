import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Answers } from './answers.svelte.ts'
import type { Counter } from './counter.svelte.ts'

/** Has main keep what stands on the counter, and puts it back where the page was lost. */
export class Draft {
  readonly #bridge: Bridge
  readonly #answers: Answers
  readonly #counter: Counter

  constructor(bridge: Bridge, answers: Answers, counter: Counter) {
    this.#bridge = bridge
    this.#answers = answers
    this.#counter = counter
  }

  /** Puts back what main has kept, and from then on tells main of each change. Gives what ends the telling. */
  start(): () => void {
    let stop: (() => void) | null = null
    let ended = false
    void this.#answers
      .hear(() => this.#bridge.till.draft())
      .then((answer) => {
        if (ended) return
        if (answer.ok && answer.value) this.#counter.restore(answer.value)
        // What stands there now, main knows, or it is an empty counter.
        let known = JSON.stringify(this.#counter.draft)
        stop = $effect.root(() => {
          $effect(() => {
            const { draft } = this.#counter
            const text = JSON.stringify(draft)
            if (text === known) return
            known = text
            void this.#answers.hear(() => this.#bridge.till.saveDraft(draft))
          })
        })
      })
    return () => {
      ended = true
      stop?.()
    }
  }
}
