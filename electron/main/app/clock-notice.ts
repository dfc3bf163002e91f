/** The notice that the till's clock differs from the service's. */
import type { Notices } from '../ipc/app-state.ts'

/** Shows, updates and withdraws the notice. A dismissed notice returns when the difference changes. */
export class ClockNotice {
  readonly #notices: Pick<Notices, 'add' | 'withdraw'>
  /** of the last notice; 0: none */
  #minutes = 0

  constructor(notices: Pick<Notices, 'add' | 'withdraw'>) {
    this.#notices = notices
  }

  /** Call for each new code. @param differenceMs how far the till's clock is ahead, negative if behind; 0: not wrong */
  update(differenceMs: number): void {
    const minutes = Math.round(differenceMs / 60_000)
    // Rounding and short delays move the difference by a minute.
    const isSame = minutes === 0 ? this.#minutes === 0 : Math.abs(minutes - this.#minutes) <= 1
    if (isSame) return
    this.#minutes = minutes
    this.#notices.withdraw('clock-differs')
    if (minutes !== 0) this.#notices.add({ kind: 'clock-differs', minutesAhead: minutes })
  }
}
