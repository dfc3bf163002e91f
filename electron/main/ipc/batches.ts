/** Handlers of `bridge.batches`. */
import type { BatchesApi } from '../../contract/bridge.ts'
import type { Result } from '../../contract/failure.ts'
import type { Batch } from '../../contract/slips.ts'
import type { Session } from '../session/session.ts'
import type { BatchRunner } from '../slips/batch-runner.ts'
import { whenReady, type OpenSlips } from './slips.ts'

/** Each call fails with `not-saved` while the journal cannot be opened. */
export class BatchesHandlers implements BatchesApi {
  readonly #slips: OpenSlips
  readonly #session: Session

  constructor(slips: OpenSlips, session: Session) {
    this.#slips = slips
    this.#session = session
  }

  start(input: { batchId: string; points: number; count: number; oneJob: boolean }): Promise<Result<Batch>> {
    return whenReady(this.#session, this.#slips, ({ batches }) => batches.start(input))
  }

  pause(input: { batchId: string }): Promise<Result<Batch>> {
    return this.#with((batches) => batches.pause(input))
  }

  resume(input: { batchId: string; issueUnknownAgain: boolean }): Promise<Result<Batch>> {
    return this.#with((batches) => batches.resume(input))
  }

  cancel(input: { batchId: string; unprinted: 'print' | 'discard' }): Promise<Result<Batch>> {
    return this.#with((batches) => batches.cancel(input))
  }

  printRest(input: { batchId: string }): Promise<Result<Batch>> {
    return this.#with((batches) => batches.printRest(input))
  }

  async unfinished(): Promise<Result<readonly Batch[]>> {
    const slips = await this.#slips.get()
    return slips.ok ? slips.value.queries.unfinishedBatches() : slips
  }

  async #with(call: (batches: BatchRunner) => Promise<Result<Batch>>): Promise<Result<Batch>> {
    const slips = await this.#slips.get()
    return slips.ok ? call(slips.value.batches) : slips
  }
}
