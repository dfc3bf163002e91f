/**
 * The Loyalty Points Service on sample data: what the till runs in process as training mode, and what tests, the demo and
 * `npm run service` run over HTTP (`server.ts`). README.md lists what this implementation does where the interface
 * document leaves something open.
 */
import type { Hono } from 'hono'
import { createServiceApp, type ServiceApp } from './api/app.ts'
import { EXTENSION_PREFIX } from './api/extension.ts'
import { hashToken, systemRandomBytes, type RandomBytes } from './domain/identifiers.ts'
import { SampleCustomers } from './seed/collecting.ts'
import { DEFAULT_SEED, seedBusiness, type SeedSize } from './seed/seed.ts'
import type { Database } from './store/database.ts'
import { openSqlite } from './store/sqlite.ts'
import { TillStore } from './store/tills.ts'

export { KNOWN_CUSTOMERS } from './seed/customers.ts'
export { SEEDED_CODES } from './seed/seed.ts'
export { DEFAULT_SEED, type SeedSize }

/** Origin of the service in training mode. The domain cannot exist (RFC 2606): requests are served in process. */
export const TRAINING_PUBLIC_URL = 'https://training.invalid'
/** Base URL of the API in training mode. */
export const TRAINING_BASE_URL = `${TRAINING_PUBLIC_URL}/api`
/** Token of training mode. Not a secret: it gives access to training data on the same machine only. */
export const TRAINING_TOKEN = 'training'

/** Tokens that contain this word are refused as expired, so that reconnecting can be tried. */
const EXPIRED_WORD = 'expired'

/** True for a token that is refused as expired without being listed. */
export const containsExpiredWord = (token: string): boolean => token.toLowerCase().includes(EXPIRED_WORD)

export interface SampleDataOptions {
  /** accepted tokens; each is a separate business, seeded when the database does not contain it */
  readonly tokens: readonly string[]
  /** tokens refused with 401 "token expired", in addition to those that contain the word "expired" */
  readonly expired?: readonly string[]
  /** origin of the links in responses, such as `http://127.0.0.1:4010` */
  readonly publicUrl: string
  readonly now?: () => Date
  readonly random?: RandomBytes
  /** amount of data for a new business */
  readonly seed?: Partial<SeedSize>
  /** routes beside the API that training mode does not have: the till contains none of them */
  readonly routes?: Hono
  /** whether sample customers collect what tills issue, as in training mode; false unless given */
  readonly customersCollect?: boolean
  /** called with internal errors; emits a process warning by default */
  readonly onInternalError?: (error: unknown) => void
}

export interface LoyaltyPointsServiceOptions extends SampleDataOptions {
  /** path of the data file, or ':memory:' */
  readonly file: string
}

/** Tells of an internal error on stderr: where it happened, without its `detail`, in which PostgreSQL quotes the row. */
export const emitWarning = (error: unknown): void => {
  process.emitWarning(error instanceof Error ? (error.stack ?? error.message) : String(error))
}

/** The service and its database. */
export class LoyaltyPointsService {
  readonly #database: Database
  readonly #app: ServiceApp
  /** null: what is issued waits for real customers */
  readonly #customers: SampleCustomers | null

  readonly #onInternalError: (error: unknown) => void

  private constructor(
    database: Database,
    app: ServiceApp,
    customers: SampleCustomers | null,
    onInternalError: (error: unknown) => void
  ) {
    this.#database = database
    this.#app = app
    this.#customers = customers
    this.#onInternalError = onInternalError
  }

  /** Opens the data file and adds missing businesses. Rejects if it cannot be opened or is not a service database. */
  static async open({ file, ...options }: LoyaltyPointsServiceOptions): Promise<LoyaltyPointsService> {
    return LoyaltyPointsService.over(await openSqlite(file), options)
  }

  /** Adds missing businesses to a database, which belongs to the service from now on. */
  static async over(database: Database, options: SampleDataOptions): Promise<LoyaltyPointsService> {
    const { now = () => new Date(), random = systemRandomBytes, onInternalError = emitWarning } = options
    const { expired = [], publicUrl, routes: shopRoutes } = options
    try {
      const hashes = options.tokens.map(hashToken)
      for (const hash of hashes) {
        if ((await new TillStore(database).find(hash)) !== null) continue
        await database.transaction((queries) => seedBusiness(queries, { hash, now: now() }, options.seed))
      }
      const isExpired = (token: string): boolean => containsExpiredWord(token) || expired.includes(token)
      const dependencies = {
        ...{ database, publicUrl, isSample: true, now, random, isExpired, onInternalError },
        ...(shopRoutes !== undefined && { shopRoutes })
      }
      const customers = options.customersCollect ? new SampleCustomers(dependencies) : null
      return new LoyaltyPointsService(database, createServiceApp(dependencies), customers, onInternalError)
    } catch (error) {
      await database.close()
      throw error
    }
  }

  /** Responds to a request for the API or for one of the service's own links. Never rejects. */
  async fetch(request: Request): Promise<Response> {
    // Sample customers are early enough when a till asks what they have collected.
    if (this.#customers !== null && new URL(request.url).pathname === `${EXTENSION_PREFIX}/collections`) {
      await this.#customers.collect().catch(this.#onInternalError)
    }
    return this.#app.fetch(request)
  }

  /** Closes the database after what is under way. `fetch` responds with 500 afterwards. */
  close(): Promise<void> {
    return this.#database.close()
  }
}
