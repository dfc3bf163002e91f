/** Runs one print job at a time, so that two slips never share a printer. */

/** `counter`: a customer is waiting, so it runs first. `batch`: runs when no `counter` job is pending. */
export type Priority = 'counter' | 'batch'

interface QueuedJob {
  readonly run: () => Promise<void>
  readonly drop: () => void
}

/** A queue with two priorities: a customer at the counter waits for the running job at most, never for a batch. */
export class PrintQueue {
  readonly #waiting: Readonly<Record<Priority, QueuedJob[]>> = { counter: [], batch: [] }
  #running: Promise<void> | null = null
  #isClosed = false

  /**
   * Runs `work` in its turn; synchronously within this call when the queue is empty. Resolves with null, without
   * running it, when the queue is closed before.
   */
  add<Value>(priority: Priority, work: () => Promise<Value>): Promise<Value | null> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) {
        resolve(null)
        return
      }
      this.#waiting[priority].push({
        run: () => work().then(resolve, reject),
        drop: () => {
          resolve(null)
        }
      })
      if (this.#running === null) this.#runNext()
    })
  }

  /** Returns whether a job is running. */
  isBusy(): boolean {
    return this.#running !== null
  }

  /** Drops the waiting jobs of batches, and resolves when the others are done. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const job of this.#waiting.batch.splice(0)) job.drop()
    while (this.#running !== null) await this.#running
  }

  #runNext(): void {
    const job = this.#waiting.counter.shift() ?? this.#waiting.batch.shift()
    this.#running =
      job === undefined
        ? null
        : job.run().then(() => {
            this.#runNext()
          })
  }
}
