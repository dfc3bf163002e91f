/**
 * Saves the connection to a business with its encrypted token, and restores it when the till starts. The training service
 * is inside the till: opened when training mode starts, without an open port.
 */
import { rm } from 'node:fs/promises'
import { err, type Failure, ok, type Result } from '../../contract/failure.ts'
import type { Account } from '../../contract/loyalty.ts'
import type { Mode, Notice } from '../../contract/till.ts'
import type * as ServiceModule from '../../service/index.ts'
import type { LoyaltyPointsService } from '../../service/index.ts'
import { createLazy, type Lazy } from '../lazy.ts'
import type { AccountClient, Credentials, Session } from './session.ts'

/** Persistence of the connection. */
export interface ConnectionStore<Sealed> {
  /** Encrypts the token. `no-encryption` if the system provides none and `acceptWeak` is false. */
  readonly seal: (
    token: string,
    acceptWeak: boolean
  ) => Promise<{ readonly kind: 'sealed'; readonly sealed: Sealed } | { readonly kind: 'no-encryption' }>
  /** Saves the connection. A null token is not saved and is lost when the till quits. */
  readonly keep: (connection: { baseUrl: string; token: Sealed | null; business: Account | null }) => void
  readonly forget: () => void
}

/**
 * Saves the credentials that were checked last. Fails with `not-connected` if there are none, `no-encryption`
 * unless accepted.
 */
export async function saveCandidate<Service extends AccountClient, Sealed>(
  session: Session<Service>,
  store: ConnectionStore<Sealed>,
  acceptUnencrypted: boolean
): Promise<Result<null>> {
  const { candidate } = session
  if (!candidate) return err({ kind: 'not-connected' })
  const { credentials, business } = candidate
  const sealing = await store.seal(credentials.token, acceptUnencrypted)
  if (sealing.kind === 'no-encryption') return err({ kind: 'no-encryption' })
  store.keep({ baseUrl: credentials.baseUrl, token: sealing.sealed, business })
  session.use(credentials)
  return ok(null)
}

/**
 * Connects with credentials from the environment, without confirmation and without a request to the service: a
 * till may be installed before its network. They are used at once: encrypting the token may wait for the password of the
 * system's keyring.
 * @returns false if the token could not be encrypted; it is used, but not saved
 */
async function connectWithoutCheck<Service extends AccountClient, Sealed>(
  session: Session<Service>,
  store: ConnectionStore<Sealed>,
  credentials: Credentials
): Promise<boolean> {
  const { baseUrl } = credentials
  store.keep({ baseUrl, token: null, business: null })
  session.use(credentials)
  const sealing = await store.seal(credentials.token, false)
  // The connection may have been replaced meanwhile.
  if (session.credentials !== credentials) return true
  if (sealing.kind === 'no-encryption') return false
  store.keep({ baseUrl, token: sealing.sealed, business: session.business })
  return true
}

/** The file that should contain the token of the environment is missing, unreadable or empty. */
const NO_TOKEN: Failure = { kind: 'invalid-input', field: 'token', fault: 'missing' }

/** The stored connection and the environment at the start. */
interface ConnectionSources<Sealed> {
  readonly mode: Mode
  readonly baseUrl: string | null
  readonly sealedToken: Sealed | null
  /** from the environment; null if not set */
  readonly provisioning: Credentials | null
}

/** Dependencies of `restoreConnection`. */
interface RestoreDependencies<Sealed> {
  readonly store: ConnectionStore<Sealed>
  /** Returns the decrypted token; null if this system cannot decrypt it. */
  readonly openSealed: (sealed: Sealed) => Promise<string | null>
  readonly parseBaseUrl: (text: string) => Result<string>
}

/**
 * Restores the connection in the session: the stored one, or at the first start the one from the environment. The
 * session knows its mode when this returns; the promise may wait for the password of the system's keyring.
 * @returns a notice to show, or null
 */
export async function restoreConnection<Service extends AccountClient, Sealed>(
  session: Session<Service>,
  sources: ConnectionSources<Sealed>,
  dependencies: RestoreDependencies<Sealed>
): Promise<Notice | null> {
  if (sources.mode === 'onboarding' && sources.provisioning) {
    if (sources.provisioning.token === '') return { kind: 'provisioning-failed', failure: NO_TOKEN }
    const address = dependencies.parseBaseUrl(sources.provisioning.baseUrl)
    if (!address.ok) return { kind: 'provisioning-failed', failure: address.failure }
    const kept = await connectWithoutCheck(session, dependencies.store, {
      ...sources.provisioning,
      baseUrl: address.value
    })
    return kept ? null : { kind: 'token-not-kept' }
  }
  const { baseUrl, sealedToken, provisioning } = sources
  if (baseUrl === null) return null
  const decrypted =
    sealedToken === null
      ? // Only in the environment, because the system provides no encryption.
        Promise.resolve(provisioning?.token ?? null)
      : dependencies.openSealed(sealedToken)
  const isUnreadable = await session.useWhenDecrypted(
    decrypted.then((token) => (token ? { baseUrl, token } : null))
  )
  return isUnreadable ? { kind: 'token-unreadable' } : null
}

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
