/** Updates of the till itself. */
import { ok } from '../../contract/failure.ts'
import type { Answers } from '../platform/ipc.ts'
import type { Updates } from '../updates/index.ts'

/** Answers the calls of `bridge.updates`. */
export const updatesAnswers = (updates: Updates): Answers['updates'] => ({
  check() {
    void updates.check()
    return Promise.resolve(ok(null))
  },
  async install({ serving }) {
    return ok(await updates.install(serving))
  }
})
