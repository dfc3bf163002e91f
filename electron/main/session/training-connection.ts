/** The service of training mode: inside the till, opened when training mode starts, without an open port. */
import { rm } from 'node:fs/promises'
import type * as ServiceModule from '../../service/index.ts'
import type { LoyaltyPointsService } from '../../service/index.ts'
import { createLazy, type Lazy } from '../lazy.ts'
import type { Credentials } from '../loyalty/credentials.ts'

/** The service of training mode. */
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
          customersCollect: true,
          onInternalError: onFault
        })
        return { service, module }
      },
      ({ service }) => service.close()
    )
  }

  /** Returns the credentials of the training service, and opens it. Rejects if its data cannot be opened. */
  async open(): Promise<Credentials> {
    const { module } = await this.#opened.get()
    return { baseUrl: module.TRAINING_BASE_URL, token: module.TRAINING_TOKEN }
  }

  /** Sends a request to the service, which is inside this process: after a reset to a new one. */
  async fetch(request: Request): Promise<Response> {
    return (await this.#opened.get()).service.fetch(request)
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
