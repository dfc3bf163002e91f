/** Logs what goes wrong in work that is tried again and again: only when it changes. */

/** Remembers the last error of repeated work. */
export class RepeatedError {
  #last: string | null = null

  /** Calls `write` unless the last attempt failed with the same error. */
  failed(error: unknown, write: (error: unknown) => void): void {
    const text = String(error)
    if (text === this.#last) return
    this.#last = text
    write(error)
  }

  /** An error after this one is a new one. */
  succeeded(): void {
    this.#last = null
  }
}
