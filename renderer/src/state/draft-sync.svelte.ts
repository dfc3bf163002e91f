import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Checkout } from './checkout.svelte.ts'
import type { IpcClient } from './ipc-client.svelte.ts'

/** Saves the draft of the checkout in the main process, and restores it when the page was lost. */
export class DraftSync {
  readonly #bridge: Bridge
  readonly #ipc: IpcClient
  readonly #checkout: Checkout
  /** what the main process has, as JSON; null until it was read, and nothing is saved over it before */
  #saved: string | null = null
  /** the empty checkout of the start, as JSON */
  #untouched = ''
  #isReading = false
  /** ends the saving; null while it has not begun, or has ended */
  #stopSaving: (() => void) | null = null
  #isEnded = false

  constructor(bridge: Bridge, ipc: IpcClient, checkout: Checkout) {
    this.#bridge = bridge
    this.#ipc = ipc
    this.#checkout = checkout
  }

  /** Restores the saved draft and then saves each change. Returns a function that stops. */
  start(): () => void {
    this.#untouched = this.#text()
    void this.#restore()
    return () => {
      this.#isEnded = true
      this.#stopSaving?.()
    }
  }

  /** Reads or saves what was refused while the till was locked. Call when it was unlocked. */
  retry(): void {
    if (this.#saved === null) void this.#restore()
    else this.#save()
  }

  async #restore(): Promise<void> {
    if (this.#isReading) return
    this.#isReading = true
    const answer = await this.#ipc.invoke(() => this.#bridge.till.draft())
    this.#isReading = false
    if (!answer.ok || this.#isEnded) return
    // What was typed meanwhile is newer.
    const isRestored = answer.value !== null && this.#text() === this.#untouched
    if (isRestored) this.#checkout.restore(answer.value)
    // The main process has this draft already, or it is empty.
    this.#saved = isRestored ? this.#text() : this.#untouched
    this.#stopSaving = $effect.root(() => {
      $effect(() => {
        this.#save()
      })
    })
  }

  #text(): string {
    return JSON.stringify(this.#checkout.draft)
  }

  #save(): void {
    const { draft } = this.#checkout
    const text = JSON.stringify(draft)
    if (this.#isEnded || text === this.#saved) return
    this.#saved = text
    void this.#ipc
      .invoke(() => this.#bridge.till.saveDraft(draft))
      .then((answer) => {
        if (!answer.ok && this.#saved === text) this.#saved = ''
      })
  }
}
