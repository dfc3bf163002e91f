/**
 * The Loyalty Points Service, implemented on SQLite: the complete API of the interface document. The till runs it in
 * process as training mode; tests, the demo and `npm run service` run it over HTTP (`server.ts`). README.md lists what
 * this implementation does where the document leaves something open.
 */
import type { DatabaseSync } from 'node:sqlite'
import { createServiceApp, type ServiceApp } from './app.ts'
import { inTransaction, openDatabase } from './database.ts'
import { createAuthenticator } from './requests.ts'
import { createLinks } from './routes/public.ts'
import { DEFAULT_SEED, seedBusiness, type SeedSize } from './seed/seed.ts'
import {
  BusinessStore,
  CodeStore,
  CustomerStore,
  hashToken,
  RewardStore,
  systemRandomBytes,
  type BusinessId,
  type RandomBytes
} from './store.ts'

export { KNOWN_CUSTOMERS } from './seed/customers.ts'
export { SEEDED_CODES } from './seed/seed.ts'
export { DEFAULT_SEED, type SeedSize }

/** Origin of the service in training mode. The domain cannot exist (RFC 2606): requests are served in process. */
export const TRAINING_PUBLIC_URL = 'https://training.invalid'
/** Base URL of the API in training mode. */
export const TRAINING_BASE_URL = `${TRAINING_PUBLIC_URL}/api`
/** Token of training mode. Not a secret: it gives access to training data on the same machine only. */
export const TRAINING_TOKEN = 'training'

export interface LoyaltyPointsServiceOptions {
  /** path of the data file, or ':memory:' */
  readonly file: string
  /** accepted tokens; each is a separate business, seeded when the file does not contain it */
  readonly tokens: readonly string[]
  /** tokens refused with 401 "token expired", in addition to those that contain the word "expired" */
  readonly expired?: readonly string[]
  /** origin of the links in responses, such as `http://127.0.0.1:4010` */
  readonly publicUrl: string
  readonly now?: () => Date
  readonly random?: RandomBytes
  /** amount of data for a new business */
  readonly seed?: Partial<SeedSize>
  /** called with internal errors; emits a process warning by default */
  readonly onInternalError?: (error: unknown) => void
}

const emitWarning = (error: unknown): void => {
  process.emitWarning(error instanceof Error ? error : String(error))
}

/** The service and its data file. The constructor throws if the file cannot be opened or is not a service database. */
export class LoyaltyPointsService {
  readonly #database: DatabaseSync
  readonly #app: ServiceApp

  constructor(options: LoyaltyPointsServiceOptions) {
    const { now = () => new Date(), random = systemRandomBytes } = options
    this.#database = openDatabase(options.file)
    try {
      const businesses = new BusinessStore(this.#database)
      const stores = {
        customers: new CustomerStore(this.#database),
        rewards: new RewardStore(this.#database),
        codes: new CodeStore(this.#database)
      }
      const businessByHash = new Map<string, BusinessId>()
      for (const token of options.tokens) {
        const hash = hashToken(token)
        const business =
          businesses.find(hash) ??
          inTransaction(this.#database, () => {
            const added = businesses.add(hash)
            seedBusiness(stores, { business: added, hash, now: now() }, options.seed)
            return added
          })
        businessByHash.set(hash, business)
      }
      this.#app = createServiceApp({
        ...stores,
        links: createLinks(options.publicUrl),
        now,
        random,
        authenticate: createAuthenticator(businessByHash, options.expired ?? []),
        onInternalError: options.onInternalError ?? emitWarning
      })
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  /** Responds to a request for the API or for one of the service's own links. Never rejects. */
  async fetch(request: Request): Promise<Response> {
    return this.#app.fetch(request)
  }

  /** Closes the data file. `fetch` responds with 500 afterwards. */
  close(): void {
    if (this.#database.isOpen) this.#database.close()
  }
}
