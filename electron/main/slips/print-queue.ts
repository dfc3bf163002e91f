/**
 * One print at a time, so that two slips never share a printer, and in two lanes: a customer at the counter never
 * waits for a batch, only for the slip that is on its way already.
 */

/** `counter`: somebody waits for it. `batch`: it comes when the counter is quiet. */
export type Lane = 'counter' | 'batch'

export interface PrintQueue {
  /**
   * Runs `work` when its turn comes; at once, within this call, when nothing else is under way. Gives null, without
   * running it, when the queue was closed before.
   */
  add<Value>(lane: Lane, work: () => Promise<Value>): Promise<Value | null>
  /** Whether something is being printed. */
  isBusy(): boolean
  /** Drops what waits in the lane of batches, and resolves when the rest is done. */
  close(): Promise<void>
}

interface Job {
  readonly run: () => Promise<void>
  readonly drop: () => void
}

/** Makes an empty queue. */
export function createPrintQueue(): PrintQueue {
  const lanes: Readonly<Record<Lane, Job[]>> = { counter: [], batch: [] }
  let closed = false
  let underWay: Promise<void> | null = null

  const next = (): void => {
    const job = lanes.counter.shift() ?? lanes.batch.shift()
    underWay =
      job === undefined
        ? null
        : job.run().then(() => {
            next()
          })
  }

  return {
    add(lane, work) {
      return new Promise((resolve, reject) => {
        if (closed) {
          resolve(null)
          return
        }
        lanes[lane].push({
          run: () => work().then(resolve, reject),
          drop: () => {
            resolve(null)
          }
        })
        if (underWay === null) next()
      })
    },
    isBusy: () => underWay !== null,
    async close() {
      closed = true
      for (const job of lanes.batch.splice(0)) job.drop()
      while (underWay !== null) await underWay
    }
  }
}
