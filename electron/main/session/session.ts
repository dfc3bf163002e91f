/**
 * The session with the current service: none, the training service, or the connected business. Has the only
 * plain copy of the token, in memory. Receives the result of every request, so that a rejected token is shown
 * at once.
 */
import { isDeepStrictEqual } from 'node:util'
import { err, type Failure, ok, type Result } from '../../contract/failure.ts'
import type { Account } from '../../contract/loyalty.ts'
import type { Mode } from '../../contract/till.ts'
import { createLazy, type Lazy } from '../lazy.ts'
import type { LoyaltyClient } from '../loyalty/loyalty-client.ts'
import type { Settings } from '../settings/index.ts'
import { belowAddress, Candidates } from './candidates.ts'
import { type DataOwner, DataOwners, journalBusinessId } from './data-owners.ts'
import { Reachability, systemClock, type Clock, type Probe } from './reachability.ts'
import type { Credentials } from '../loyalty/credentials.ts'
import type { ServiceConnector } from './service-connector.ts'

/** Dependencies of `Session`. */
export interface SessionDependencies {
  /** the mode, the base URL and the profile are stored there */
  readonly settings: Pick<Settings, 'values' | 'update'>
  readonly connector: Pick<ServiceConnector, 'connect' | 'connectTraining'>
  readonly onChange: () => void
  /** default: `systemClock` */
  readonly clock?: Clock
}

/** What the service answers without an extension that its profile named. */
const OUTDATED_PROFILE: ReadonlySet<Failure['kind']> = new Set(['not-offered', 'not-found'])

/** The session with a service. */
export class Session implements Probe {
  readonly #dependencies: SessionDependencies
  #businessService: LoyaltyClient | null = null
  #reachability: Reachability | null = null
  readonly #training: Lazy<LoyaltyClient>
  #trainingBusiness: Account | null = null
  #accepted = true
  #credentials: Credentials | null = null
  #generation = 0
  readonly #owners: DataOwners
  /** the connections that are checked before they are saved */
  readonly candidates: Candidates
  /** whether the stored profile may be of another business than the credentials */
  #isUnchecked = false
  /** the read of the profile for these credentials, which all that need it share */
  #reading: Promise<Result<Account>> | null = null
  /** while the system decrypts the credentials; resolves with false if the till quits before */
  #decrypting: PromiseWithResolvers<boolean> | null = null

  constructor(dependencies: SessionDependencies) {
    this.#dependencies = dependencies
    this.#owners = new DataOwners(dependencies.settings)
    this.candidates = new Candidates(dependencies.connector)
    this.#training = createLazy(() => dependencies.connector.connectTraining())
  }

  get mode(): Mode {
    return this.#dependencies.settings.values.mode
  }

  /** False after the service rejected the token. Always true in training mode. */
  get accepted(): boolean {
    return this.#accepted || this.mode !== 'business'
  }

  /** The profile of the current business; null until it is loaded. */
  get business(): Account | null {
    if (this.mode === 'training') return this.#trainingBusiness
    return this.mode === 'business' ? this.#dependencies.settings.values.business : null
  }

  /** Whose data the till works with now. Reading a profile for the first time does not change it. */
  get owner(): DataOwner {
    return this.#owners.in(this.mode)
  }

  /** Identifies the training service, or the connected business, also on disk: by mode, address and id. */
  get businessKey(): string {
    return [this.mode, this.#dependencies.settings.values.baseUrl, this.business?.id].join(' ')
  }

  /** Identifies the connected business in the journal, also during training; null until its profile is loaded. */
  get connectedBusinessId(): string | null {
    const { business, baseUrl } = this.#dependencies.settings.values
    return business && journalBusinessId(business.id, baseUrl)
  }

  /** Identifies the business, or that of training mode, in the journal; null until its profile is loaded. */
  get journalBusinessId(): string | null {
    if (this.mode === 'training') return this.#trainingBusiness?.id ?? null
    return this.mode === 'business' ? this.connectedBusinessId : null
  }

  /**
   * Since when the connected service is unreachable, ISO 8601, UTC; null while it is reachable, before the
   * first request, and in training mode.
   */
  get offlineSince(): string | null {
    return this.mode === 'business' ? (this.#reachability?.since ?? null) : null
  }

  /** Whether the connected service has refused a customer without a name, also before a restart. */
  get isNameRequired(): boolean {
    return this.#dependencies.settings.values.nameRequiredBy === this.businessKey
  }

  /** The credentials of the business; null while there are none. */
  get credentials(): Credentials | null {
    return this.#credentials
  }

  /**
   * Differs after each change of the mode, the connection or the business. What was asked for before such a change is not done after it:
   * compare it after each wait.
   */
  get generation(): number {
    return this.#generation
  }

  /** Whether the system still decrypts the stored credentials. */
  get isDecrypting(): boolean {
    return this.#decrypting !== null
  }

  /**
   * Uses the stored credentials once the system has decrypted them, which may wait for the password of its keyring. Until
   * then requests wait. Resolves with true if they could not be decrypted (null), and with false also when others were
   * set meanwhile or the till quits. `isUnchecked` as in `use`.
   */
  async useWhenDecrypted(credentials: Promise<Credentials | null>, isUnchecked = false): Promise<boolean> {
    const decrypting = Promise.withResolvers<boolean>()
    this.#decrypting?.resolve(true)
    this.#decrypting = decrypting
    this.#updateOwner()
    let isUnreadable = false
    void credentials.then((decrypted) => {
      if (this.#decrypting !== decrypting) return
      isUnreadable = decrypted === null
      this.#connect(decrypted, isUnchecked)
    }, decrypting.reject)
    await decrypting.promise
    return isUnreadable
  }

  /**
   * Sets the credentials of the business. Null: none are usable (the token could not be decrypted).
   * @param isUnchecked the stored profile may be of another business: it is read before anything else is asked for
   */
  use(credentials: Credentials | null, isUnchecked = false): void {
    this.#generation += 1
    this.#owners.update(true)
    this.#connect(credentials, isUnchecked)
  }

  #updateOwner(): void {
    if (this.#owners.update(false)) this.#generation += 1
  }

  #connect(credentials: Credentials | null, isUnchecked: boolean): void {
    this.#isUnchecked = isUnchecked
    this.#reading = null
    this.#decrypting?.resolve(true)
    this.#decrypting = null
    this.#credentials = credentials
    this.#reachability?.close()
    this.#reachability = credentials && this.#createReachability()
    this.#businessService =
      credentials && this.#dependencies.connector.connect(credentials, this.#reachability ?? undefined)
    this.#accepted = credentials !== null
    this.candidates.clear()
  }

  /**
   * Resolves with the current service, once its credentials are decrypted. Fails with `not-connected` or `unauthorised` if
   * there is none.
   */
  async service(): Promise<Result<LoyaltyClient>> {
    switch (this.mode) {
      case 'onboarding':
        return err({ kind: 'not-connected' })
      case 'training':
        return ok(await this.#training.get())
      case 'business':
        // Others may be decrypted instead meanwhile.
        while (this.#decrypting !== null)
          if (!(await this.#decrypting.promise)) return err({ kind: 'not-connected' })
        return this.#businessService ? ok(this.#businessService) : err({ kind: 'unauthorised' })
    }
  }

  /** Resolves with false when the service is unreachable, and does not respond to a probe in time. */
  async isReachable(): Promise<boolean> {
    return this.offlineSince === null || (await this.#reachability?.isBack()) === true
  }

  /**
   * Sends a request to the service that is current now, and records whether the token was accepted; results for a previous
   * service and aborted requests are ignored. If the service is unreachable, a probe is sent first. Without a timely
   * response to the probe it fails with `offline` and does not send the request. What is not offered any more shows that the
   * profile is old.
   */
  async ask<Value>(
    question: (service: LoyaltyClient) => Promise<Result<Value>>,
    signal?: AbortSignal
  ): Promise<Result<Value>> {
    const service = await this.#reachableService()
    if (!service.ok) return service
    const answer = await this.#askService(service.value, question, signal)
    if (!answer.ok && answer.failure.kind === 'not-offered') void this.refresh()
    return answer
  }

  /**
   * Asks for what is shown, by `ask` or `askExtension`. Fails with `aborted` when the answer comes for another business than
   * the one that is served now: it is not kept.
   */
  async read<Value>(ask: () => Promise<Result<Value>>): Promise<Result<Value>> {
    const { owner } = this
    const answer = await ask()
    return this.owner === owner ? answer : err({ kind: 'aborted' })
  }

  /**
   * Sends a request to the extension of the service, as `ask`, and records nothing of the answer: what is at the address of
   * an extension says nothing about the service. An extension that is not there any more shows that the profile is old.
   */
  async askExtension<Value>(
    question: (service: LoyaltyClient) => Promise<Result<Value>>
  ): Promise<Result<Value>> {
    const service = await this.#reachableService()
    if (!service.ok) return service
    const answer = await question(service.value)
    if (!answer.ok && OUTDATED_PROFILE.has(answer.failure.kind)) void this.refresh()
    return answer
  }

  async #reachableService(): Promise<Result<LoyaltyClient>> {
    // The mode and the connection may change during the probe: a slip of a business carries no training code.
    const current = this.service()
    if (!(await this.isReachable())) return err({ kind: 'offline' })
    const service = await current
    if (!service.ok || service.value !== this.#businessService || !this.#isUnchecked) return service
    const { owner } = this
    const checked = await this.#checkBusiness()
    if (!checked.ok) return checked
    return this.owner === owner ? service : err({ kind: 'not-connected' })
  }

  /** Reads the profile if the stored one may be of another business than the credentials. */
  async #checkBusiness(): Promise<Result<unknown>> {
    if (!this.#isUnchecked || this.business === null) return ok(null)
    return this.refresh()
  }

  async #askService<Value>(
    service: LoyaltyClient,
    question: (service: LoyaltyClient) => Promise<Result<Value>>,
    signal?: AbortSignal
  ): Promise<Result<Value>> {
    const answer = await question(service)
    if (!signal?.aborted) this.note(service, answer)
    return answer
  }

  /** Records from the result of a request whether `service` accepts the token. */
  note(service: LoyaltyClient, answer: Result<unknown>): void {
    if (service !== this.#businessService) return
    const refused = !answer.ok && answer.failure.kind === 'unauthorised'
    if (refused === this.#accepted && (refused || answer.ok)) {
      this.#accepted = !refused
      this.#dependencies.onChange()
    }
  }

  /** Records that the connected service refuses a customer without a name. */
  requireName(): void {
    const { settings, onChange } = this.#dependencies
    settings.update({ nameRequiredBy: this.businessKey })
    onChange()
  }

  /**
   * Loads the profile, also while the service is unreachable, since it is the request of the probe. A failure keeps the
   * previous profile. If another service became current meanwhile, resolves with the profile of that one.
   */
  async refresh(): Promise<Result<Account>> {
    if (this.mode !== 'business') return this.#readProfile()
    // All that wait for the credentials share one read.
    await this.service()
    if (this.#reading !== null) return this.#reading
    const reading = this.#readProfile().finally(() => {
      if (this.#reading === reading) this.#reading = null
    })
    this.#reading = reading
    return reading
  }

  async #readProfile(): Promise<Result<Account>> {
    const { mode } = this
    const service = await this.service()
    if (!service.ok) return service
    const answer = await this.#askService(service.value, (current) => current.account())
    const isCurrent = mode === this.mode && (mode === 'training' || service.value === this.#businessService)
    if (!isCurrent || (await this.#moveToApi(service.value, answer))) return this.#readProfile()
    if (answer.ok) {
      if (mode === 'training') this.#trainingBusiness = answer.value
      else this.#acceptProfile(answer.value)
      this.#dependencies.onChange()
    }
    return answer
  }

  #acceptProfile(business: Account): void {
    this.#isUnchecked = false
    const { settings } = this.#dependencies
    if (!isDeepStrictEqual(settings.values.business, business)) settings.update({ business })
    this.#updateOwner()
  }

  /**
   * Moves a connection that never worked, such as one of a policy, to the API below its address. Resolves with whether
   * another service is current than the one that gave this answer.
   */
  async #moveToApi(service: LoyaltyClient, answer: Result<Account>): Promise<boolean> {
    const { settings, connector } = this.#dependencies
    if (this.mode !== 'business' || settings.values.business !== null || this.#credentials === null)
      return false
    const below = belowAddress(this.#credentials, answer)
    if (below === null) return false
    const found = await connector.connect(below).account()
    if (service !== this.#businessService) return true
    if (!found.ok) return false
    settings.update({ baseUrl: below.baseUrl })
    this.#updateOwner()
    this.#connect(below, this.#isUnchecked)
    return true
  }

  /**
   * Waits for the credentials, so that nothing is written of a slip that cannot be requested yet, and reads the profile if
   * it was never read: a slip names the business, and a till can be set up without a network.
   */
  async requireBusiness(): Promise<Result<Account>> {
    if (this.isDecrypting) {
      const service = await this.service()
      if (!service.ok) return service
    }
    if (this.mode === 'business') {
      const checked = await this.#checkBusiness()
      if (!checked.ok) return checked
    }
    return this.business === null ? this.refresh() : ok(this.business)
  }

  /** Switches to training mode, and opens the training service the first time. Rejects if it cannot be opened. */
  async startTraining(): Promise<void> {
    const { generation } = this
    // Training data that cannot be opened must not leave the till without a service.
    await this.#training.get()
    if (generation !== this.#generation) return
    this.#generation += 1
    this.#dependencies.settings.update({ mode: 'training' })
    await this.refresh()
    this.#dependencies.onChange()
  }

  /** Leaves training mode for the connected business, or for onboarding if there is none. */
  async leaveTraining(): Promise<void> {
    this.#generation += 1
    this.#dependencies.settings.update({
      mode: this.#dependencies.settings.values.baseUrl ? 'business' : 'onboarding'
    })
    this.#dependencies.onChange()
    await this.refresh()
  }

  /** Sends a probe to the connected service now. Does nothing in the other modes. */
  async retryConnection(): Promise<void> {
    if (this.mode === 'business') await this.#reachability?.retryConnection()
  }

  /** Reads the profile of the business. In training mode nothing is sent: leaving it reads the profile. */
  async probe(): Promise<void> {
    if (this.mode === 'business') await this.refresh()
  }

  /** Stops the probes, and fails the requests that wait for the credentials. Call when the till quits. */
  close(): void {
    this.#decrypting?.resolve(false)
    this.#reachability?.close()
  }

  #createReachability(): Reachability {
    const { clock = systemClock, onChange } = this.#dependencies
    return new Reachability({ clock, session: this, onChange })
  }
}
