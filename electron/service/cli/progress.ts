/** Progress of long work, on stderr. */
import type { WriteStream } from 'node:tty'

/** Between two reports: on a terminal, which replaces the line, and elsewhere. */
const TERMINAL_PAUSE_MS = 100
const PAUSE_MS = 1000

export class Progress {
  readonly #stream: Pick<WriteStream, 'write' | 'isTTY'>
  readonly #isShown: boolean
  #shownAt = -Infinity
  #isLineOpen = false

  /** @param isAsked whether to report where there is no terminal, too */
  constructor(stream: Pick<WriteStream, 'write' | 'isTTY'>, isAsked: boolean) {
    this.#stream = stream
    this.#isShown = isAsked || stream.isTTY
  }

  /** Says how far the work is. The last report, of `total`, is always shown; others when the last one is old. */
  report(work: string, done: number, total: number): void {
    if (!this.#isShown) return
    const { isTTY } = this.#stream
    const isLast = done >= total
    const now = performance.now()
    if (!isLast && now - this.#shownAt < (isTTY ? TERMINAL_PAUSE_MS : PAUSE_MS)) return
    this.#shownAt = isLast ? -Infinity : now
    const line = `${work}: ${done} of ${total}`
    this.#stream.write(isTTY ? `\r${line}\u001b[K${isLast ? '\n' : ''}` : `${line}\n`)
    this.#isLineOpen = isTTY && !isLast
  }

  /** Ends the line of work that stopped before its total, so that what is said next has a line of its own. */
  end(): void {
    if (this.#isLineOpen) this.#stream.write('\n')
    this.#isLineOpen = false
  }
}
