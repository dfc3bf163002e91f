/** A till that issues many slips at once: the journal on disk, the client of the service, slips into a folder. */
import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import type { Batch } from '../../../electron/contract/slips.ts'
import { LoyaltyClient } from '../../../electron/main/loyalty/loyalty-client.ts'
import type { SlipBusiness } from '../../../electron/main/session/current-business.ts'
import { business } from '../../support/sample-business.ts'
import { noOpLogger } from '../../support/no-op-logger.ts'
import { folderSettings, openTestSlips } from '../../support/slip-service.ts'

const BENCH_BUSINESS: SlipBusiness = { ...business, id: 'bench' }

/** A till that makes batches. */
export interface BatchTill {
  /** Issues `count` slips and prints them in one document. Gives the milliseconds until the last code is on disk. */
  batch(count: number): Promise<number>
  close(): Promise<void>
}

/** Opens a till on `folder` for the service at `url`. */
export function openBatchTill(folder: string, url: string, token: string): BatchTill {
  const service = new LoyaltyClient({
    baseUrl: url,
    token,
    fetch,
    languages: { screen: 'en' }
  })
  let onCode = (): void => undefined
  let onBatch: (batch: Batch) => void = () => undefined
  const slips = openTestSlips(folder, {
    createQr: (points) => service.createQr(points),
    settings: () => ({ ...folderSettings, oneJob: true }),
    currentBusiness: () => BENCH_BUSINESS,
    onSlip: ({ state }) => {
      if (state === 'issued') onCode()
    },
    onBatch: (batch) => onBatch(batch),
    log: noOpLogger
  })
  const { batches } = slips
  return {
    async batch(count) {
      const begun = performance.now()
      let issued = Number.NaN
      let codes = 0
      onCode = () => {
        codes += 1
        if (codes === count) issued = performance.now() - begun
      }
      const batchId = randomUUID()
      const ended = new Promise<void>((resolve, reject) => {
        onBatch = (batch) => {
          // The last progress of the previous batch may arrive late.
          if (batch.batchId !== batchId) return
          const { state } = batch
          if (state === 'finished') resolve()
          else if (state !== 'running') reject(new Error(`The batch is ${state}`))
        }
      })
      await batches.start({ batchId, points: 25, count, oneJob: true })
      await ended
      return issued
    },
    close: () => slips.close()
  }
}
