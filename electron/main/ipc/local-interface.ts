/** Handlers of `bridge.localInterface`: pairing programs, and what they may do. */
import type { Api } from '../../contract/bridge.ts'
import { mapResult, ok, type Result } from '../../contract/failure.ts'
import type { PairingCode } from '../../contract/local-interface.ts'
import type { TillState } from '../../contract/till.ts'
import type { Lazy } from '../lazy.ts'
import type { LocalInterface } from '../local-interface/local-interface.ts'
import type { AppState } from './app-state.ts'

export class LocalInterfaceHandlers implements Api<'localInterface'> {
  readonly #localInterface: Pick<Lazy<LocalInterface>, 'get'>
  readonly #appState: AppState

  constructor(localInterface: Pick<Lazy<LocalInterface>, 'get'>, appState: AppState) {
    this.#localInterface = localInterface
    this.#appState = appState
  }

  async startPairing(): Promise<Result<PairingCode>> {
    const localInterface = await this.#localInterface.get()
    return ok(localInterface.startPairing())
  }

  async stopPairing(): Promise<Result<TillState>> {
    const localInterface = await this.#localInterface.get()
    localInterface.stopPairing()
    return ok(this.#appState.state())
  }

  async setCaller(input: { id: string; mayIssueWhileLocked: boolean }): Promise<Result<TillState>> {
    const localInterface = await this.#localInterface.get()
    return mapResult(localInterface.setCaller(input), () => this.#appState.state())
  }

  async removeCaller({ id }: { id: string }): Promise<Result<TillState>> {
    const localInterface = await this.#localInterface.get()
    return mapResult(localInterface.removeCaller(id), () => this.#appState.state())
  }
}
