/** The training service inside the till: opened when training mode starts, without an open port. */
import type * as ServiceModule from '../../service/index.ts'
import type { LoyaltyPointsService } from '../../service/index.ts'
import { rm } from 'node:fs/promises'
import { createLazy, type Lazy } from '../lazy.ts'

/** How to call the training service; `fetch` does not leave this process. */
export interface TrainingEndpoint {
  readonly baseUrl: string
  readonly token: string
  readonly fetch: LoyaltyPointsService['fetch']
}

export class TrainingConnection {
  readonly #file: string
  readonly #opened: Lazy<{ readonly service: LoyaltyPointsService; readonly module: typeof ServiceModule }>

  /** @param file path of the training data */
  constructor(file: string, onFault: (fault: unknown) => void) {
    this.#file = file
    this.#opened = createLazy(
      async () => {
        const module = await import('../../service/index.ts')
        const service = await module.LoyaltyPointsService.open({
          file,
          tokens: [module.TRAINING_TOKEN],
          publicUrl: module.TRAINING_PUBLIC_URL,
          onInternalError: onFault
        })
        return { service, module }
      },
      ({ service }) => service.close()
    )
  }

  async open(): Promise<TrainingEndpoint> {
    const { module } = await this.#opened.get()
    return {
      baseUrl: module.TRAINING_BASE_URL,
      token: module.TRAINING_TOKEN,
      // Not always the same service: see `reset`.
      fetch: async (request) => (await this.#opened.get()).service.fetch(request)
    }
  }

  /** Returns whether only the training service can serve this URL. It issues URLs only while it is open. */
  owns(url: string): boolean {
    const { opened } = this.#opened
    return opened !== null && url.startsWith(`${opened.module.TRAINING_PUBLIC_URL}/`)
  }

  /** Deletes the training data; the next request starts with the sample data. Rejects with the file system's error. */
  async reset(): Promise<void> {
    await this.#opened.whileClosed(async () => {
      for (const suffix of ['', '-wal', '-shm']) await rm(this.#file + suffix, { force: true })
    })
  }

  close(): Promise<void> {
    return this.#opened.close()
  }
}
