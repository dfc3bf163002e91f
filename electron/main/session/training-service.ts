/** The training service inside the till: opened when training mode starts, without an open port. */
import type * as ServiceModule from '../../service/index.ts'
import type { LoyaltyPointsService } from '../../service/index.ts'
import { createLazy, type Lazy } from '../lazy.ts'

/** How to call the training service; `fetch` does not leave this process. */
export interface TrainingEndpoint {
  readonly baseUrl: string
  readonly token: string
  readonly fetch: LoyaltyPointsService['fetch']
}

export class TrainingConnection {
  readonly #opened: Lazy<{ readonly service: LoyaltyPointsService; readonly module: typeof ServiceModule }>

  /** @param file path of the training data */
  constructor(file: string, onFault: (fault: unknown) => void) {
    this.#opened = createLazy(
      async () => {
        const module = await import('../../service/index.ts')
        const service = new module.LoyaltyPointsService({
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
    const { service, module } = await this.#opened.get()
    return {
      baseUrl: module.TRAINING_BASE_URL,
      token: module.TRAINING_TOKEN,
      fetch: (request) => service.fetch(request)
    }
  }

  /** Returns whether only the training service can serve this URL. It issues URLs only while it is open. */
  owns(url: string): boolean {
    const { opened } = this.#opened
    return opened !== null && url.startsWith(`${opened.module.TRAINING_PUBLIC_URL}/`)
  }

  close(): Promise<void> {
    return this.#opened.close()
  }
}
