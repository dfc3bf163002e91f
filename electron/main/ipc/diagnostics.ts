/** Handlers of `bridge.diagnostics`. */
import type { DiagnosticsApi } from '../../contract/bridge.ts'
import type { Diagnostics } from '../../contract/diagnostics.ts'
import { mapResult, ok, type Result } from '../../contract/failure.ts'
import type { DiagnosticsService } from '../diagnostics/diagnostics.ts'
import type { Lazy } from '../lazy.ts'
import type { AskWhereToSave } from './slips.ts'

export class DiagnosticsHandlers implements DiagnosticsApi {
  readonly #diagnostics: Pick<Lazy<DiagnosticsService>, 'get'>
  readonly #askWhereToSave: AskWhereToSave
  readonly #now: () => Date

  constructor(
    diagnostics: Pick<Lazy<DiagnosticsService>, 'get'>,
    askWhereToSave: AskWhereToSave,
    now: () => Date
  ) {
    this.#diagnostics = diagnostics
    this.#askWhereToSave = askWhereToSave
    this.#now = now
  }

  async read(): Promise<Result<Diagnostics>> {
    const diagnostics = await this.#diagnostics.get()
    return diagnostics.read()
  }

  async save(): Promise<Result<{ readonly file: string | null }>> {
    const day = this.#now().toISOString().slice(0, 10)
    const file = await this.#askWhereToSave(`tillpoints diagnostics ${day}.zip`)
    if (file === null) return ok({ file })
    const diagnostics = await this.#diagnostics.get()
    return mapResult(await diagnostics.saveTo(file), () => ({ file }))
  }
}
