/**
 * The connection to a business, stored with its encrypted token and restored when the till starts. The training service
 * is inside the till: opened when training mode starts, without an open port.
 */
import { rm } from 'node:fs/promises'
import { err, type Failure, ok, type Result } from '../../contract/failure.ts'
import type { Notice } from '../../contract/till.ts'
import type * as ServiceModule from '../../service/index.ts'
import type { LoyaltyPointsService } from '../../service/index.ts'
import { createLazy, type Lazy } from '../lazy.ts'
import type { FileLogger } from '../log/log-file.ts'
import type { Fetch } from '../loyalty/buffered-fetch.ts'
import { parseBaseUrl } from '../loyalty/credentials.ts'
import type { RequestObserver } from '../loyalty/http-client.ts'
import { LoyaltyClient } from '../loyalty/loyalty-client.ts'
import type { Settings, TokenStore, Languages } from '../settings/index.ts'
import type { Credentials, ServiceConnector, Session } from './session.ts'

/** The file that should contain the token of the environment is missing, unreadable or empty. */
const NO_TOKEN: Failure = { kind: 'invalid-input', field: 'token', fault: 'missing' }

export interface StoredConnectionDependencies {
  readonly session: Session
  readonly settings: Pick<Settings, 'values' | 'update'>
  readonly tokens: Pick<TokenStore, 'seal' | 'open'>
}

/** Stores the connection of the session in the settings. */
export class StoredConnection {
  readonly #dependencies: StoredConnectionDependencies

  constructor(dependencies: StoredConnectionDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Stores the credentials that were checked last. Fails with `not-connected` if there are none, and with `no-encryption`
   * if the system provides none, unless accepted.
   */
  async saveCandidate(acceptUnencrypted: boolean): Promise<Result<null>> {
    const { session, settings, tokens } = this.#dependencies
    const { candidate } = session
    if (!candidate) return err({ kind: 'not-connected' })
    const { credentials, business } = candidate
    const sealing = await tokens.seal(credentials.token, acceptUnencrypted)
    if (sealing.kind === 'no-encryption') return err({ kind: 'no-encryption' })
    settings.update({ mode: 'business', baseUrl: credentials.baseUrl, token: sealing.sealed, business })
    session.use(credentials)
    return ok(null)
  }

  forget(): void {
    const { session, settings } = this.#dependencies
    settings.update({ mode: 'onboarding', baseUrl: null, token: null, business: null })
    session.use(null)
  }

  /**
   * Restores the connection in the session: the stored one, or at the first start the one from the environment. The
   * session knows its mode when this returns; the promise may wait for the password of the system's keyring.
   * @param provisioning from the environment; null if not set
   * @returns a notice to show, or null
   */
  async restore(provisioning: Credentials | null): Promise<Notice | null> {
    const { session, settings, tokens } = this.#dependencies
    const { mode, baseUrl, token: sealed } = settings.values
    if (mode === 'onboarding' && provisioning) return this.#provision(provisioning)
    if (baseUrl === null) return null
    // Without encryption in the system the token is only in the environment.
    const decrypted = sealed === null ? Promise.resolve(provisioning?.token ?? null) : tokens.open(sealed)
    const isUnreadable = await session.useWhenDecrypted(
      decrypted.then((token) => (token ? { baseUrl, token } : null))
    )
    return isUnreadable ? { kind: 'token-unreadable' } : null
  }

  /**
   * Connects with credentials from the environment, without confirmation and without a request to the service: a till may
   * be installed before its network. They are used at once: encrypting the token may wait for the password of the
   * system's keyring.
   */
  async #provision({ baseUrl, token }: Credentials): Promise<Notice | null> {
    const { session, settings, tokens } = this.#dependencies
    if (token === '') return { kind: 'provisioning-failed', failure: NO_TOKEN }
    const parsed = parseBaseUrl(baseUrl)
    if (!parsed.ok) return { kind: 'provisioning-failed', failure: parsed.failure }
    const credentials = { baseUrl: parsed.value, token }
    settings.update({ mode: 'business', baseUrl: parsed.value, token: null, business: null })
    session.use(credentials)
    const sealing = await tokens.seal(token, false)
    // The connection may have been replaced meanwhile.
    if (session.credentials !== credentials) return null
    if (sealing.kind === 'no-encryption') return { kind: 'token-not-kept' }
    settings.update({ token: sealing.sealed })
    return null
  }
}

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

export interface LoyaltyConnectorDependencies {
  /** for requests to a business */
  readonly fetch: Fetch
  readonly training: TrainingConnection
  readonly languages: Pick<Languages, 'screen'>
  /** also receives each token, to redact it */
  readonly log: FileLogger
}

/** Creates the clients of a business and of the training service. */
export class LoyaltyConnector implements ServiceConnector {
  readonly #dependencies: LoyaltyConnectorDependencies

  constructor(dependencies: LoyaltyConnectorDependencies) {
    this.#dependencies = dependencies
  }

  connect(credentials: Credentials, observer?: RequestObserver): LoyaltyClient {
    const { fetch, languages, log } = this.#dependencies
    log.addSecret(credentials.token)
    return new LoyaltyClient({ ...credentials, fetch, observer, languages, log })
  }

  /** The log does not redact this token: it is the word "training", which the log needs. */
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
