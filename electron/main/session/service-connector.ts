/** Creates the clients of services. */
import type { FileLogger } from '../log/log.ts'
import type { Fetch } from '../loyalty/buffered-fetch.ts'
import type { Credentials } from '../loyalty/credentials.ts'
import type { RequestObserver } from '../loyalty/http-client.ts'
import { LoyaltyClient } from '../loyalty/loyalty-client.ts'
import type { Languages } from '../settings/index.ts'
import type { ServiceClock } from './service-clock.ts'
import type { TrainingConnection } from './training-connection.ts'

export interface ServiceConnectorDependencies {
  /** for requests to a business */
  readonly fetch: Fetch
  readonly clock: Pick<ServiceClock, 'watch'>
  readonly training: Pick<TrainingConnection, 'open' | 'fetch'>
  readonly languages: Pick<Languages, 'screen'>
  /** also receives each token, to redact it */
  readonly log: FileLogger
}

/** Creates the clients of a business and of the training service. */
export class ServiceConnector {
  readonly #dependencies: ServiceConnectorDependencies

  constructor(dependencies: ServiceConnectorDependencies) {
    this.#dependencies = dependencies
  }

  /** Creates the client of a business. It reports each of its requests to `observer`; with one, its clock is compared. */
  connect(credentials: Credentials, observer?: RequestObserver): LoyaltyClient {
    const { clock, languages, log } = this.#dependencies
    const fetch = observer === undefined ? this.#dependencies.fetch : clock.watch(this.#dependencies.fetch)
    log.addSecret(credentials.token)
    return new LoyaltyClient({ ...credentials, fetch, observer, languages, log })
  }

  /**
   * Opens the training service, and creates its client. Rejects if its data cannot be opened. The log does not redact its token:
   * it is the word "training", which the log needs.
   */
  async connectTraining(): Promise<LoyaltyClient> {
    const { training, languages, log } = this.#dependencies
    const credentials = await training.open()
    return new LoyaltyClient({
      ...credentials,
      fetch: (request) => training.fetch(request),
      languages,
      log
    })
  }
}
