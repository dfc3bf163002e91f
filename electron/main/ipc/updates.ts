/** Handlers of `bridge.updates`. */
import type { UpdatesApi } from '../../contract/bridge.ts'
import { ok, type Result } from '../../contract/failure.ts'
import type { InstallResult } from '../../contract/updates.ts'
import type { Updates } from '../updates/updates.ts'

export class UpdatesHandlers implements UpdatesApi {
  readonly #updates: Updates

  constructor(updates: Updates) {
    this.#updates = updates
  }

  check(): Promise<Result<null>> {
    void this.#updates.check()
    return Promise.resolve(ok(null))
  }

  async install({ serving }: { serving: boolean }): Promise<Result<InstallResult>> {
    return ok(await this.#updates.install(serving))
  }
}
