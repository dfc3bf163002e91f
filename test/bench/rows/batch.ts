/** Many slips at once, against the bare requests that they take. */
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { MAX_BATCH_REQUESTS } from '../../../electron/contract/slips.ts'
import { PROJECT } from '../../../resources/scripts/tools.ts'
import { startServer } from '../../support/service-load/server.ts'
import { openBatchTill } from '../batch/till.ts'
import type { Bench } from '../bench.ts'
import type { Measured, Samples } from '../line.ts'

/** Milliseconds that the service takes to answer: a near one over the internet. */
const DELAY = 20
const TOKEN = 'bench'

/** Milliseconds that so many bare POSTs take, as many at once as the till has under way. */
async function barePosts(url: string, count: number): Promise<number> {
  const begun = performance.now()
  let left = count
  const ask = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      const answer = await fetch(`${url}/qr`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        body: JSON.stringify({ points: 25 })
      })
      await answer.json()
    }
  }
  await Promise.all(Array.from({ length: MAX_BATCH_REQUESTS }, ask))
  return performance.now() - begun
}

type Found = Readonly<Record<'issued' | 'oneJob' | 'each', Samples>>

/** The row of the batches. */
export const batchBench: Bench = {
  name: 'batch',
  description: 'many slips at once, against as many bare POSTs',
  async measure({ extent, folder, say }) {
    const [count, rounds] = extent === 'full' ? [500, 7] : [8, 1]
    const service = await startServer(join(PROJECT, 'test/bench/batch/slow-service.ts'), [String(DELAY)])
    const till = openBatchTill(folder, service.url.href, TOKEN)
    const found: { readonly [Kind in keyof Found]: { ours: number[]; baseline: number[] } } = {
      issued: { ours: [], baseline: [] },
      oneJob: { ours: [], baseline: [] },
      each: { ours: [], baseline: [] }
    }
    try {
      await till.batch(8, true)
      await barePosts(service.url.href, 8)
      for (let round = 0; round < rounds; round++) {
        say(`${count} slips, ${round + 1} of ${rounds}`)
        const before = await barePosts(service.url.href, count)
        const { issued, printed } = await till.batch(count, true)
        const each = await till.batch(count, false)
        const after = await barePosts(service.url.href, count)
        // One bare run on either side: what slows the machine down meanwhile is in the baseline, too.
        const baseline = (before + after) / 2
        const ours = { issued, oneJob: printed, each: each.printed }
        for (const kind of ['issued', 'oneJob', 'each'] as const) {
          found[kind].ours.push(ours[kind])
          found[kind].baseline.push(baseline)
        }
      }
    } finally {
      await till.close()
      await service.close()
    }
    const against = `${count} bare POSTs, ${MAX_BATCH_REQUESTS} at once`
    const line = (name: string, kind: keyof Found): Measured => ({
      name: `batch of ${count}: ${name}`,
      unit: 'ms',
      samples: found[kind],
      against,
      target: kind === 'issued' ? { kind: 'at most times', times: 1.25, rank: 'p50' } : { kind: 'none' }
    })
    return [
      line('codes on the disk', 'issued'),
      line('in one document', 'oneJob'),
      line('each in a document of its own', 'each')
    ]
  }
}
