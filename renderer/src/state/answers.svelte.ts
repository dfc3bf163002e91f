import { bad } from '../../../electron/contract/failure.ts'
import type { Answer, FailureKind } from '../../../electron/contract/failure.ts'
import { momentNow } from '../format/dates.ts'

/** Failures that mean the service did not speak to us at all. */
const SILENCE: readonly FailureKind[] = ['offline', 'timeout']

/** Waits for the answer of one call over the bridge. The call is made inside, so that a throwing bridge is heard. */
export type Hear = <Value>(call: () => Promise<Answer<Value>>) => Promise<Answer<Value>>

/**
 * The funnel that every answer of the bridge passes: an exception becomes the failure `internal`, and the time since
 * when the service has been silent is kept, so that a sentence can name it.
 */
export class Answers {
  #silentSince = $state<string | null>(null)

  /** When the service first failed to answer, ISO 8601; null while it answers. */
  get silentSince(): string | null {
    return this.#silentSince
  }

  /** For calls that main answers by itself. */
  readonly ofTill: Hear = async (call) => {
    try {
      return await call()
    } catch (error) {
      // What the bridge throws is a fault of the till itself: it belongs in the log as it is.
      // eslint-disable-next-line no-console
      console.error(error)
      return bad({ kind: 'internal' })
    }
  }

  /** For calls that ask the points service. */
  readonly ofService: Hear = async (call) => {
    const answer = await this.ofTill(call)
    if (answer.ok) this.#silentSince = null
    else if (SILENCE.includes(answer.failure.kind)) this.#silentSince ??= momentNow()
    return answer
  }
}
