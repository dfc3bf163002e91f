/** Tills that work side by side, each for one test at a time. */
import { startTill, type Till } from './till.ts'

export interface WorkerPool {
  /** Waits for a free till and gives it to `work`. */
  use<Value>(work: (till: Till) => Promise<Value>): Promise<Value>
  close(): Promise<void>
}

/** Starts `count` tills. */
export async function startWorkerPool(count: number): Promise<WorkerPool> {
  const tills = await Promise.all(Array.from({ length: count }, startTill))
  const free = [...tills]
  const waiting: ((till: Till) => void)[] = []
  const take = (): Promise<Till> => {
    const till = free.pop()
    return till ? Promise.resolve(till) : new Promise((resolve) => waiting.push(resolve))
  }
  return {
    async use(work) {
      const till = await take()
      try {
        return await work(till)
      } finally {
        const next = waiting.shift()
        if (next) next(till)
        else free.push(till)
      }
    },
    async close() {
      await Promise.all(tills.map((till) => till.end()))
    }
  }
}
