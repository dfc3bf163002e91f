/** A print job while it runs: what delays it, and how it is cancelled. */
import { randomUUID } from 'node:crypto'
import type { PrintFault } from '../../contract/printing.ts'
import type { JournalRow } from '../journal/rows.ts'
import type { PrintControl } from '../printing/print-job.ts'

/** How long a job is delayed before it is told: tills that share a printer wait for each other's slips. */
const TOLD_AFTER_MS = 2_000

export class RunningPrint implements PrintControl {
  readonly jobId: string
  readonly signal: AbortSignal
  /** of the first slip; null: it prints no slip */
  readonly row: JournalRow | null
  readonly #cancelled = new AbortController()
  readonly #onTold: () => void
  #fault: PrintFault | null = null
  #isTold = false
  #timer: NodeJS.Timeout | undefined

  /**
   * @param signal cancels it, too
   * @param onTold called when `hindrance` has changed
   * @param jobId by which it is cancelled; a new one unless given
   */
  constructor(row: JournalRow | null, signal: AbortSignal, onTold: () => void, jobId: string = randomUUID()) {
    this.jobId = jobId
    this.row = row
    this.signal = AbortSignal.any([signal, this.#cancelled.signal])
    this.#onTold = onTold
  }

  /** What has delayed it for some time now; null: nothing. */
  get hindrance(): PrintFault | null {
    return this.#isTold ? this.#fault : null
  }

  hindered(fault: PrintFault | null): void {
    if (fault === this.#fault) return
    this.#fault = fault
    if (this.#isTold) {
      this.#isTold = fault !== null
      this.#onTold()
    } else if (fault === null) {
      clearTimeout(this.#timer)
      this.#timer = undefined
    } else {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined
        this.#isTold = true
        this.#onTold()
      }, TOLD_AFTER_MS)
    }
  }

  cancel(): void {
    this.#cancelled.abort()
  }
}
