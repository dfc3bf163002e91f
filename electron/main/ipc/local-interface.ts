/** Handlers of `bridge.localInterface`: pairing programs, and what they may do. */
import type { Handlers } from '../../contract/bridge.ts'
import { mapResult, ok } from '../../contract/failure.ts'
import type { Lazy } from '../lazy.ts'
import type { LocalInterface } from '../local-interface/local-interface.ts'
import type { AppState } from './app-state.ts'

/** Returns the handlers of `bridge.localInterface`, which the first of them opens. */
export const createLocalInterfaceHandlers = (
  localInterface: Pick<Lazy<LocalInterface>, 'get'>,
  appState: AppState
): Handlers<'localInterface'> => ({
  startPairing: async () => ok((await localInterface.get()).startPairing()),
  async stopPairing() {
    const opened = await localInterface.get()
    opened.stopPairing()
    return ok(appState.state())
  },
  async setCaller(caller) {
    const opened = await localInterface.get()
    return mapResult(opened.setCaller(caller), () => appState.state())
  },
  async removeCaller({ id }) {
    const opened = await localInterface.get()
    return mapResult(opened.removeCaller(id), () => appState.state())
  }
})
