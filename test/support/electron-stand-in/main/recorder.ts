/** One recorded call to the operating system or the user. */
interface RecordedCall {
  /** for example `shell.openExternal` */
  readonly api: string
  readonly [detail: string]: unknown
}

/** What tests see and script, `electron.__standIn`: the calls to the operating system and the user, and their answers. */
class Recorder {
  readonly calls: RecordedCall[] = []
  readonly #answers = new Map<string, unknown[]>()

  record(api: string, details: Record<string, unknown> = {}): void {
    this.calls.push({ api, ...details })
  }

  /** Queues the answer to the next call of an API, for example `answer('dialog.showMessageBox', { response: 1 })`. */
  answer(api: string, value: unknown): void {
    this.#answers.set(api, [...(this.#answers.get(api) ?? []), value])
  }

  /** Returns the next queued answer, or `otherwise`. */
  take<Value>(api: string, otherwise: Value): Value {
    const [next, ...rest] = this.#answers.get(api) ?? []
    if (next === undefined) return otherwise
    this.#answers.set(api, rest)
    return next as Value
  }
}

export const recorder = new Recorder()
