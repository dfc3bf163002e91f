/**
 * The training service: the whole interface of the interface document, on the till's own disk. For training, for
 * the first start, and for tests. See README.md for what it does where the document shows nothing.
 */
import { createApp } from './app.ts'
import { authenticator } from './requests.ts'
import { inTransaction, openDatabase } from './database.ts'
import {
  businessStore,
  codeStore,
  customerStore,
  hashOfToken,
  rewardStore,
  systemRandom,
  type BusinessNumber,
  type RandomBytes
} from './store.ts'
import { linksBelow } from './routes/public.ts'
import { seedBusiness, type SeedSize } from './seed/seed.ts'

export { SEEDED_CODES } from './seed/seed.ts'
export { KNOWN_CUSTOMERS } from './seed/customers.ts'
export { DEFAULT_SEED } from './seed/seed.ts'
export type { SeedSize } from './seed/seed.ts'

/** Where the till's own training lives. No such host exists (RFC 2606): `fetch` of the service answers for it. */
export const TRAINING_PUBLIC_URL = 'https://training.invalid'
/** Base address of the till's own training, for the client of the service. */
export const TRAINING_BASE_URL = `${TRAINING_PUBLIC_URL}/api`
/** Token of the till's own training. No secret: it opens nothing but training data on the same machine. */
export const TRAINING_TOKEN = 'training'

export interface LoyaltyPointsServiceOptions {
  /** path of the data file, or ':memory:' */
  readonly file: string
  /** each token is a business of its own, seeded when the file has none for it */
  readonly tokens: readonly string[]
  /** tokens answered with 401 "token expired", beside those with the word "expired" in them */
  readonly expired?: readonly string[]
  /** origin of the links that the service hands out, such as `http://127.0.0.1:4010` */
  readonly publicUrl: string
  readonly now?: () => Date
  readonly random?: RandomBytes
  /** how much a new business has */
  readonly seed?: Partial<SeedSize>
  /** hears of faults of the service itself; a warning of the process otherwise */
  readonly onFault?: (fault: unknown) => void
}

export interface TrainingService {
  /** Answers a request for any address below `/api`, and for the service's own links. Never rejects. */
  fetch(request: Request): Promise<Response>
  /** Closes the data file. `fetch` answers 500 afterwards. */
  close(): void
}

const warn = (fault: unknown): void => {
  process.emitWarning(fault instanceof Error ? fault : String(fault))
}

/** Opens the service. Throws where the data file cannot be opened or is no training data. */
export const createTrainingService = (options: LoyaltyPointsServiceOptions): TrainingService => {
  const { now = () => new Date(), random = systemRandom } = options
  const database = openDatabase(options.file)
  try {
    const businesses = businessStore(database)
    const stores = {
      customers: customerStore(database),
      rewards: rewardStore(database),
      codes: codeStore(database)
    }
    const byHash = new Map<string, BusinessNumber>()
    for (const token of options.tokens) {
      const hash = hashOfToken(token)
      const business =
        businesses.find(hash) ??
        inTransaction(database, () => {
          const added = businesses.add(hash)
          seedBusiness(stores, { business: added, hash, now: now() }, options.seed)
          return added
        })
      byHash.set(hash, business)
    }
    const links = linksBelow(options.publicUrl)
    const app = createApp(
      { ...stores, links, now, random },
      {
        authenticate: authenticator(byHash, options.expired ?? []),
        onFault: options.onFault ?? warn
      }
    )
    return {
      fetch: async (request) => app.fetch(request),
      close: () => {
        if (database.isOpen) database.close()
      }
    }
  } catch (error) {
    database.close()
    throw error
  }
}
