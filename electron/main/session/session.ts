/**
 * Which service this till talks to now: none, the training service, or the connected business. Holds the token's
 * only plain copy, in memory. Told what every request came to, so that a refused token shows at once.
 */
import { err, ok, type Result } from '../../contract/failure.ts'
import type { Account } from '../../contract/loyalty.ts'
import type { Mode } from '../../contract/till.ts'
import { Reachability, systemClock, type Clock, type RequestObserver } from './reachability.ts'

/** What a session needs of the loyalty client: the one question that tells whose token it is. */
export interface AccountClient {
  account(): Promise<Result<Account>>
}

/** Base address and token, as the manager gave them. */
export interface Credentials {
  readonly baseUrl: string
  readonly token: string
}

/** The part of the stored settings that the session reads and writes. */
export interface SessionState {
  readonly mode: Mode
  readonly baseUrl: string | null
  readonly business: Account | null
}

/** Everything around the session that it is given. */
export interface SessionDependencies<Service extends AccountClient> {
  readonly memory: () => SessionState
  readonly remember: (change: Partial<SessionState>) => void
  /** Makes the client of a service. `watch` is told of every request that it sends, when given. */
  readonly connect: (credentials: Credentials, watch?: RequestObserver) => Service
  /** Opened when training begins, and only then. */
  readonly openTraining: () => Promise<Service>
  readonly onChange: () => void
  /** the system's unless told */
  readonly clock?: Clock
}

/** A connection that was checked and waits to be saved. */
export interface Candidate {
  readonly credentials: Credentials
  readonly business: Account
}

/** The till's session with a service. */
export class Session<Service extends AccountClient> {
  readonly #around: SessionDependencies<Service>
  #businessService: Service | null = null
  #reachability: Reachability | null = null
  #trainingService: Promise<Service> | null = null
  #trainingBusiness: Account | null = null
  #candidate: Candidate | null = null
  #accepted = true

  constructor(around: SessionDependencies<Service>) {
    this.#around = around
  }

  get mode(): Mode {
    return this.#around.memory().mode
  }

  /** False after the service refused the token. Training accepts always. */
  get accepted(): boolean {
    return this.#accepted || this.mode !== 'business'
  }

  /** The profile of whoever the till serves now; null until it was read once. */
  get business(): Account | null {
    if (this.mode === 'training') return this.#trainingBusiness
    return this.mode === 'business' ? this.#around.memory().business : null
  }

  /**
   * Since when the connected service has not answered, ISO 8601, UTC; null while it answers, or was not asked.
   * Training answers always.
   */
  get offlineSince(): string | null {
    return this.mode === 'business' ? (this.#reachability?.since ?? null) : null
  }

  /** What was checked last and is not saved yet. */
  get candidate(): Candidate | null {
    return this.#candidate
  }

  /** Uses a pair for business from now on. Null: none can be used (the token could not be decrypted). */
  use(credentials: Credentials | null): void {
    this.#reachability?.close()
    this.#reachability = credentials && this.#watchfulness()
    this.#businessService = credentials && this.#around.connect(credentials, this.#reachability?.watch)
    this.#accepted = credentials !== null
    this.#candidate = null
  }

  /** The service to ask now, or `not-connected` / `unauthorised` when there is none to ask. */
  async service(): Promise<Result<Service>> {
    switch (this.mode) {
      case 'onboarding':
        return err({ kind: 'not-connected' })
      case 'training':
        this.#trainingService ??= this.#around.openTraining()
        return ok(await this.#trainingService)
      case 'business':
        return this.#businessService ? ok(this.#businessService) : err({ kind: 'unauthorised' })
    }
  }

  /**
   * Asks the current service, and notes whether it still accepts the till. An answer that comes after the till
   * moved on to another service says nothing about the new one, nor does one that `signal` aborted. A service that
   * is known to be out of reach is tried first, with a question that changes nothing: unless that is answered soon,
   * the answer is `offline`, and the question was not asked.
   */
  async ask<Value>(
    question: (service: Service) => Promise<Result<Value>>,
    signal?: AbortSignal
  ): Promise<Result<Value>> {
    if (this.offlineSince !== null && !(await this.#reachability?.isBack())) return err({ kind: 'offline' })
    return this.#askNow(question, signal)
  }

  async #askNow<Value>(
    question: (service: Service) => Promise<Result<Value>>,
    signal?: AbortSignal
  ): Promise<Result<Value>> {
    const service = await this.service()
    if (!service.ok) return service
    const answer = await question(service.value)
    if (!signal?.aborted) this.note(service.value, answer)
    return answer
  }

  /** Notes what a request to `service` came to. */
  note(service: Service, answer: Result<unknown>): void {
    if (service !== this.#businessService) return
    const refused = !answer.ok && answer.failure.kind === 'unauthorised'
    if (refused === this.#accepted && (refused || answer.ok)) {
      this.#accepted = !refused
      this.#around.onChange()
    }
  }

  /**
   * Reads the profile again, also while the service is known to be out of reach: this is how it is found to be back.
   * A failure keeps what is known: a network fault never clears anything.
   */
  async refresh(): Promise<Result<Account>> {
    const { mode } = this
    const answer = await this.#askNow((service) => service.account())
    if (answer.ok && mode === this.mode) {
      if (mode === 'training') this.#trainingBusiness = answer.value
      else this.#around.remember({ business: answer.value })
      this.#around.onChange()
    }
    return answer
  }

  /** Asks whose token this is, and keeps the pair until it is saved. */
  async check(credentials: Credentials): Promise<Result<Account>> {
    this.#candidate = null
    const answer = await this.#around.connect(credentials).account()
    if (answer.ok) this.#candidate = { credentials, business: answer.value }
    return answer
  }

  /** Goes over to training, opening its service at the first time. */
  async startTraining(): Promise<void> {
    this.#around.remember({ mode: 'training' })
    await this.refresh()
    this.#around.onChange()
  }

  /** Leaves training for the connected business, or for the first start if there is none. */
  async leaveTraining(): Promise<void> {
    this.#around.remember({ mode: this.#around.memory().baseUrl ? 'business' : 'onboarding' })
    this.#around.onChange()
    await this.refresh()
  }

  /** Asks the connected service now whether it answers; without one, or in training, there is nothing to ask. */
  async retryConnection(): Promise<void> {
    if (this.mode === 'business') await this.#reachability?.retryConnection()
  }

  /** Ends what runs by itself. Call when the till quits. */
  close(): void {
    this.#reachability?.close()
  }

  #watchfulness(): Reachability {
    return new Reachability({
      clock: this.#around.clock ?? systemClock,
      // A till in training mode has nobody to ask for; it finds out when it comes back.
      probe: async () => {
        if (this.mode === 'business') await this.refresh()
      },
      onChange: this.#around.onChange
    })
  }
}
