/** One recorded call to the operating system or the user. */
export interface RecordedCall {
  /** for example `shell.openExternal` */
  readonly api: string
  readonly [detail: string]: unknown
}

type Script = (...args: unknown[]) => unknown

/**
 * The API of tests, `electron.__standIn`: recorded calls to the operating system, scripted answers of the user, and the
 * printers and displays of the simulated machine.
 */
export class Recorder {
  readonly calls: RecordedCall[] = []
  readonly #answers = new Map<string, unknown[]>()

  record(api: string, details: Record<string, unknown> = {}): void {
    this.calls.push({ api, ...details })
  }

  /** Queues the answer to the next call of an API, for example `answer('dialog.showMessageBox', { response: 1 })`. */
  answer(api: string, value: unknown): void {
    this.#answers.set(api, [...(this.#answers.get(api) ?? []), value])
  }

  /** @returns the next queued answer, called with the arguments when it is a function; else what `otherwise` gives */
  take(api: string, args: readonly unknown[], otherwise: () => unknown): unknown {
    const [next, ...rest] = this.#answers.get(api) ?? []
    if (next === undefined) return otherwise()
    this.#answers.set(api, rest)
    return typeof next === 'function' ? (next as Script)(...args) : next
  }
}

export const recorder = new Recorder()
