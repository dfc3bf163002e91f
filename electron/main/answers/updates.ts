/** Updates of the till itself. */
import { good } from '../../contract/failure.ts'
import type { Answers } from '../shell/ipc.ts'
import type { Updates } from '../updates/index.ts'

/** Answers the calls of `bridge.updates`. */
export const updatesAnswers = (updates: Updates): Answers['updates'] => ({
  check() {
    void updates.check()
    return Promise.resolve(good(null))
  },
  async install({ serving }) {
    return good(await updates.install(serving))
  }
})
