import type { RequestObserver } from '../loyalty/http-client.ts'
import type { LoyaltyClient } from '../loyalty/loyalty-client.ts'

/** Base URL and token of a service. */
export interface Credentials {
  readonly baseUrl: string
  readonly token: string
}

/** Creates the clients of services. */
export interface ServiceConnector {
  /** Creates the client of a business. It reports each of its requests to `observer`. */
  connect(credentials: Credentials, observer?: RequestObserver): LoyaltyClient
  /** Opens the training service, and creates its client. Rejects if its data cannot be opened. */
  connectTraining(): Promise<LoyaltyClient>
}
