/** Many slips at once, against the bare requests that they take. */
import { join } from 'node:path'
import { MAX_BATCH_REQUESTS } from '../../../electron/contract/slips.ts'
import { PROJECT } from '../../../resources/scripts/tools.ts'
import { startServer } from '../../support/service-load/server.ts'
import { openBatchTill } from '../batch/till.ts'
import type { Bench } from '../bench.ts'
import { atMostTimes } from '../line.ts'
import { milliseconds } from '../side-by-side.ts'
import { barePost, TOKEN } from '../window/customers.ts'

/** Milliseconds that the service takes to answer: a near one over the internet. */
const DELAY = 20

/** Milliseconds that so many bare POSTs take, as many at once as the till has under way. */
const barePosts = (url: string, count: number): Promise<number> =>
  milliseconds(async () => {
    let left = count
    const ask = async (): Promise<void> => {
      while (left > 0) {
        left -= 1
        await barePost(url)
      }
    }
    await Promise.all(Array.from({ length: MAX_BATCH_REQUESTS }, ask))
  })

/** The row of the batches. */
export const batchBench: Bench = {
  name: 'batch',
  description: 'many slips at once, against as many bare POSTs',
  async measure({ extent, folder, say }) {
    const [count, rounds] = extent === 'full' ? [500, 7] : [8, 1]
    const service = await startServer(join(PROJECT, 'test/bench/batch/slow-service.ts'), [String(DELAY)])
    const till = openBatchTill(folder, service.url.href, TOKEN)
    const baseline: number[] = []
    const ours: number[] = []
    try {
      await till.batch(8)
      await barePosts(service.url.href, 8)
      for (let round = 0; round < rounds; round++) {
        say(`${count} slips, ${round + 1} of ${rounds}`)
        const before = await barePosts(service.url.href, count)
        const issued = await till.batch(count)
        const after = await barePosts(service.url.href, count)
        // One bare run on either side: what slows the machine down meanwhile is in the baseline, too.
        baseline.push((before + after) / 2)
        ours.push(issued)
      }
    } finally {
      await till.close()
      await service.close()
    }
    const against = `${count} bare POSTs, ${MAX_BATCH_REQUESTS} at once`
    const line = { name: `batch of ${count}: codes on the disk`, unit: 'ms', against } as const
    return [{ ...line, samples: { ours, baseline }, target: atMostTimes(1.25) }]
  }
}
