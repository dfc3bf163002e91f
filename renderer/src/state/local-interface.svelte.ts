import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Failure, Result } from '../../../electron/contract/failure.ts'
import {
  DEFAULT_LOCAL_INTERFACE_SETTINGS,
  LOCAL_INTERFACE_PORTS,
  NO_LOCAL_INTERFACE,
  type Caller,
  type LocalInterfaceSettings,
  type LocalInterfaceState,
  type PairingCode
} from '../../../electron/contract/local-interface.ts'
import type { TillState } from '../../../electron/contract/till.ts'
import { toAsciiDigits } from '../../../electron/contract/text.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'
import type { Till } from './till.svelte.ts'

/** The settings of the local interface, and the paired programs. */
export class LocalInterfaceForm {
  readonly #bridge: Bridge
  readonly #till: Till
  readonly #changing: AsyncRequest
  readonly pairing: ProgramPairing
  #changedId = $state<string | null>(null)
  /** Whether the last port that was saved is not one. */
  portInvalid = $state(false)
  #port = $state<string | null>(null)

  constructor(bridge: Bridge, ipc: IpcClient, till: Till) {
    this.#bridge = bridge
    this.#till = till
    this.#changing = new AsyncRequest(ipc)
    this.pairing = new ProgramPairing(bridge, ipc, till)
  }

  get saved(): LocalInterfaceSettings {
    return this.#till.state?.settings.localInterface ?? DEFAULT_LOCAL_INTERFACE_SETTINGS
  }

  get state(): LocalInterfaceState {
    return this.#till.state?.localInterface ?? NO_LOCAL_INTERFACE
  }

  /** The port as typed; the saved one until then. */
  get port(): string {
    return this.#port ?? String(this.saved.port)
  }

  typePort(text: string): void {
    this.#port = text
    this.portInvalid = false
  }

  get portUnsaved(): boolean {
    return this.#typedPort() !== this.saved.port
  }

  async setEnabled(enabled: boolean): Promise<void> {
    await this.#save({ enabled })
  }

  /** Saves the typed port. What was typed meanwhile stays. */
  async savePort(): Promise<void> {
    const typed = this.#port
    const port = this.#typedPort()
    this.portInvalid = port === null
    if (port === null) return
    await this.#save({ port })
    if (this.saved.port === port && this.#port === typed) this.#port = null
  }

  /** Returns why the last change of this program failed; null if it did not. */
  failureOf({ id }: Caller): Failure | null {
    return this.#changedId === id ? this.#changing.failure : null
  }

  async setMayIssueWhileLocked({ id }: Caller, mayIssueWhileLocked: boolean): Promise<void> {
    await this.#change(id, () => this.#bridge.localInterface.setCaller({ id, mayIssueWhileLocked }))
  }

  async remove({ id }: Caller): Promise<void> {
    await this.#change(id, () => this.#bridge.localInterface.removeCaller({ id }))
  }

  #save(change: Partial<LocalInterfaceSettings>): Promise<boolean> {
    return this.#till.set(({ localInterface }) => ({ localInterface: { ...localInterface, ...change } }))
  }

  #typedPort(): number | null {
    const typed = toAsciiDigits(this.port)
    const port = /^\d{1,5}$/u.test(typed) ? Number(typed) : NaN
    return port >= LOCAL_INTERFACE_PORTS.min && port <= LOCAL_INTERFACE_PORTS.max ? port : null
  }

  async #change(id: string, call: () => Promise<Result<TillState>>): Promise<void> {
    if (this.#changing.running) return
    this.#changedId = id
    const state = await this.#changing.run(call)
    if (state) this.#till.accept(state)
  }
}

/** The pairing of one program: its code, until a program was paired or the code has ended. */
export class ProgramPairing {
  readonly #bridge: Bridge
  readonly #ipc: IpcClient
  readonly #till: Till
  /** the request for a code */
  readonly starting: AsyncRequest
  /** The code that was made last; null before the first one and after `close`. */
  code = $state.raw<PairingCode | null>(null)
  /** the programs when the code was made */
  #known = $state.raw<readonly Caller[]>([])

  constructor(bridge: Bridge, ipc: IpcClient, till: Till) {
    this.#bridge = bridge
    this.#ipc = ipc
    this.#till = till
    this.starting = new AsyncRequest(ipc)
  }

  /** The program that was paired with the code, again or for the first time; null while there is none. */
  get paired(): Caller | null {
    if (this.code === null) return null
    const isKnown = ({ id, pairedAt }: Caller): boolean =>
      this.#known.some((known) => known.id === id && known.pairedAt === pairedAt)
    return this.#state.callers.find((caller) => !isKnown(caller)) ?? null
  }

  /** Whether the program was paired before, so that its earlier token has ended. */
  get pairedAgain(): boolean {
    const { paired } = this
    return paired !== null && this.#known.some(({ id }) => id === paired.id)
  }

  /** Whether the code ended without a program: it expired, or was entered wrongly too often. */
  get ended(): boolean {
    return this.code !== null && this.paired === null && this.#state.pairingUntil !== this.code.expiresAt
  }

  /** Makes a new code. */
  async start(): Promise<void> {
    const code = await this.starting.run(() => this.#bridge.localInterface.startPairing())
    if (!code) return
    this.#known = this.#state.callers
    this.code = code
  }

  /** Ends the pairing: the code is withdrawn. */
  async close(): Promise<void> {
    const isAsked = this.starting.running
    const isOpen = isAsked || (this.code !== null && this.paired === null && !this.ended)
    this.starting.reset()
    this.code = null
    if (isOpen) await this.#ipc.invoke(() => this.#bridge.localInterface.stopPairing())
  }

  get #state(): LocalInterfaceState {
    return this.#till.state?.localInterface ?? NO_LOCAL_INTERFACE
  }
}
