/** The local interface: listens as the settings say, and keeps the paired programs. */
import { err, ok, type Result } from '../../contract/failure.ts'
import type { LocalInterfaceFault, LocalInterfaceState, PairingCode } from '../../contract/local-interface.ts'
import type { Slip } from '../../contract/slips.ts'
import { errorCode } from '../fs/atomic-write.ts'
import type { Lazy } from '../lazy.ts'
import { type Logger, RepeatedError } from '../log/log.ts'
import type { Settings } from '../settings/index.ts'
import type { SlipService } from '../slips/slip-service.ts'
import type { Staff } from '../staff/staff.ts'
import { Callers, Pairing } from './callers.ts'
import type { ErrorName } from './errors.ts'
import {
  createInterfaceApp,
  DEFAULT_LIMITS,
  type InterfaceApp,
  type Limits,
  RequestLimits
} from './interface-app.ts'
import { LookUps, type LookUpsDependencies } from './look-ups.ts'
import { LocalServer, type ServerLimits } from './server.ts'
import { Permissions, type PermissionsDependencies } from './permissions.ts'
import { CreditRequests } from './credit-requests.ts'
import { RedemptionRequests } from './redemption-requests.ts'
import { ReturnRequests } from './return-requests.ts'
import { SlipEvents } from './slip-events.ts'
import { programSlip, SlipRequests, type SlipRequestsDependencies } from './slip-requests.ts'

/** A port that another program has may become free. */
const RETRY_MS = 10_000

/** Refused requests are counted, and logged together: a program in a loop must not push everything else out of the log. */
const REFUSALS_INTERVAL_MS = 60_000

export interface LocalInterfaceDependencies {
  readonly settings: Pick<Settings, 'values' | 'update'>
  readonly session: SlipRequestsDependencies['session'] &
    LookUpsDependencies['session'] &
    PermissionsDependencies['session']
  readonly slips: Pick<
    Lazy<
      Result<
        Pick<
          SlipService,
          | 'programs'
          | 'printouts'
          | 'queries'
          | 'collections'
          | 'offline'
          | 'redemptions'
          | 'credits'
          | 'returns'
        >
      >
    >,
    'get' | 'opened'
  >
  readonly shopRules: LookUpsDependencies['shopRules']
  readonly staff: Pick<Staff, 'state'>
  readonly catalogue: LookUpsDependencies['catalogue']
  readonly display: LookUpsDependencies['display']
  readonly country: LookUpsDependencies['country']
  readonly recent: LookUpsDependencies['recent']
  readonly standings: SlipRequestsDependencies['standings']
  readonly onFound: LookUpsDependencies['onFound']
  /** of the app */
  readonly version: string
  /** called whenever the state changed */
  readonly onChange: () => void
  readonly log: Logger
  /** replace the defaults in tests */
  readonly limits?: Partial<Limits>
  readonly serverLimits?: Partial<ServerLimits>
}

export class LocalInterface {
  readonly #dependencies: LocalInterfaceDependencies
  readonly #callers: Callers
  readonly #pairing: Pairing
  readonly #slipEvents = new SlipEvents()
  readonly #lookUps: LookUps
  readonly #app: InterfaceApp
  readonly #refusals = new Map<ErrorName, number>()
  #refusalsTimer: NodeJS.Timeout | undefined
  #server: LocalServer | null = null
  #wantedPort: number | null = null
  #fault: LocalInterfaceFault | null = null
  readonly #startError = new RepeatedError()
  #changing: Promise<void> = Promise.resolve()
  #retry: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(dependencies: LocalInterfaceDependencies) {
    this.#dependencies = dependencies
    const { version, onChange, log } = dependencies
    const limits = new RequestLimits({ ...DEFAULT_LIMITS, ...dependencies.limits })
    this.#callers = new Callers({
      settings: dependencies.settings,
      onChange,
      onRemoved: (id) => {
        limits.remove(id)
        this.#slipEvents.close(id)
      }
    })
    this.#pairing = new Pairing(onChange)
    this.#lookUps = new LookUps(dependencies)
    const lookUps = this.#lookUps
    const permissions = new Permissions({ ...dependencies, callers: this.#callers })
    this.#app = createInterfaceApp({
      port: () => this.#server?.port ?? 0,
      version,
      callers: this.#callers,
      pairing: this.#pairing,
      limits,
      permissions,
      slipRequests: new SlipRequests({ ...dependencies, permissions, lookUps }),
      creditRequests: new CreditRequests({ ...dependencies, permissions, lookUps }),
      returnRequests: new ReturnRequests({ ...dependencies, permissions, lookUps }),
      redemptionRequests: new RedemptionRequests({ ...dependencies, permissions, lookUps }),
      slipEvents: this.#slipEvents,
      lookUps,
      onError: this.#countRefusal,
      log
    })
  }

  get state(): LocalInterfaceState {
    return {
      listeningPort: this.#server?.port ?? null,
      fault: this.#fault,
      pairingUntil: this.#pairing.until,
      callers: this.#callers.list()
    }
  }

  /** Starts, stops or moves the server as the settings say. Resolves when that ended; see `state` for a fault. */
  update(): Promise<void> {
    const { enabled, port } = this.#dependencies.settings.values.localInterface
    const wanted = enabled && !this.#isClosed ? port : null
    if (wanted === this.#wantedPort) return this.#changing
    this.#wantedPort = wanted
    return this.#apply()
  }

  startPairing(): PairingCode {
    return this.#pairing.start()
  }

  stopPairing(): void {
    this.#pairing.stop()
  }

  /** Fails with `not-found` when the program was removed. */
  setCaller({ id, mayIssueWhileLocked }: { id: string; mayIssueWhileLocked: boolean }): Result<null> {
    return this.#callers.set(id, { mayIssueWhileLocked }) ? ok(null) : err({ kind: 'not-found' })
  }

  /** Removes a program: its token is refused from now on. Fails with `not-found` when it was removed before. */
  removeCaller(id: string): Result<null> {
    const caller = this.#callers.find(id)
    if (caller === null || !this.#callers.remove(id)) return err({ kind: 'not-found' })
    this.#dependencies.log.info('program-removed', { caller: caller.name, callerId: id })
    return ok(null)
  }

  /** Sends a changed slip to the program that requested it. */
  handleSlip(slip: Slip): void {
    if (slip.caller !== null && slip.reference !== null) {
      const { opened } = this.#dependencies.slips
      const collectionsAsOf = opened?.ok === true ? opened.value.collections.asOf : null
      this.#slipEvents.send(slip.caller.id, programSlip(slip, slip.reference, collectionsAsOf))
    }
  }

  /** Stops listening, and waits shortly for pending requests. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.update()
    this.#logRefusals()
  }

  #apply(): Promise<void> {
    this.#changing = this.#changing.then(() => this.#restart())
    return this.#changing
  }

  async #restart(): Promise<void> {
    const { onChange, log, serverLimits } = this.#dependencies
    clearTimeout(this.#retry)
    const wanted = this.#wantedPort
    this.#pairing.stop()
    this.#slipEvents.close()
    await this.#server?.close()
    this.#server = null
    this.#fault = null
    if (wanted !== null) {
      try {
        this.#server = await LocalServer.listen({
          port: wanted,
          app: this.#app,
          lookUps: this.#lookUps,
          onError: this.#countRefusal,
          ...(serverLimits !== undefined && { limits: serverLimits })
        })
        this.#startError.succeeded()
        log.info('local-interface-started', { port: this.#server.port })
      } catch (error) {
        this.#fault = errorCode(error) === 'EADDRINUSE' ? 'port-in-use' : 'not-started'
        this.#startError.failed(error, () =>
          log.error('local-interface-not-started', { port: wanted, error })
        )
        this.#retry = setTimeout(() => void this.#apply(), RETRY_MS).unref()
      }
    }
    onChange()
  }

  readonly #countRefusal = (error: ErrorName): void => {
    this.#refusals.set(error, (this.#refusals.get(error) ?? 0) + 1)
    this.#refusalsTimer ??= setTimeout(() => this.#logRefusals(), REFUSALS_INTERVAL_MS).unref()
  }

  #logRefusals(): void {
    clearTimeout(this.#refusalsTimer)
    this.#refusalsTimer = undefined
    if (this.#refusals.size === 0) return
    this.#dependencies.log.warn('local-interface-refused', { requests: Object.fromEntries(this.#refusals) })
    this.#refusals.clear()
  }
}
