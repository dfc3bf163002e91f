/** Binds calls of the page to the classes on the journal, which the first of them opens. */
import { err, type Result } from '../../contract/failure.ts'
import type { Lazy } from '../lazy.ts'
import type { Session } from '../session/session.ts'
import type { SlipService } from '../slips/slip-service.ts'

/** The slips, opened at the first use; `not-saved` while the journal cannot be opened. */
export type OpenSlips = Pick<Lazy<Result<SlipService>>, 'get'>

type SlipCall<Input extends readonly unknown[], Value> = (
  slips: SlipService,
  ...input: Input
) => Result<Value> | Promise<Result<Value>>

export class SlipCalls {
  readonly #slips: OpenSlips
  readonly #session: Pick<Session, 'generation' | 'requireBusiness'>

  constructor(slips: OpenSlips, session: Pick<Session, 'generation' | 'requireBusiness'>) {
    this.#slips = slips
    this.#session = session
  }

  /** Returns `call` as a call of the page: it fails with `not-saved` while the journal cannot be opened. */
  whenOpen<Input extends readonly unknown[], Value>(
    call: SlipCall<Input, Value>
  ): (...input: Input) => Promise<Result<Value>> {
    return async (...input) => {
      const slips = await this.#slips.get()
      return slips.ok ? call(slips.value, ...input) : slips
    }
  }

  /**
   * As `whenOpen`, for what is sent to the service: there is a business. Fails with `not-connected` when the mode or the
   * connection changed meanwhile: what was typed is not of this business.
   */
  whenReady<Input extends readonly unknown[], Value>(
    call: SlipCall<Input, Value>
  ): (...input: Input) => Promise<Result<Value>> {
    return async (...input) => {
      const { generation } = this.#session
      const business = await this.#session.requireBusiness()
      if (!business.ok) return business
      const opened = await this.#slips.get()
      if (!opened.ok) return opened
      return this.#session.generation === generation
        ? call(opened.value, ...input)
        : err({ kind: 'not-connected' })
    }
  }
}
