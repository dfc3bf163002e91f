/** Many slips at once. */
import { bad, type Answer } from '../../contract/failure.ts'
import type { Batch } from '../../contract/batch.ts'
import type { Use } from '../late.ts'
import type { LoyaltyService } from '../loyalty/index.ts'
import type { Answers } from '../shell/ipc.ts'
import type { Slips } from '../slips/index.ts'
import type { Session } from '../till/index.ts'

/** Answers the calls of `bridge.batches`. */
export function batchesAnswers(slips: Use<Slips>, session: Session<LoyaltyService>): Answers['batches'] {
  type Batches = NonNullable<Slips['batches']>
  const asked = async (
    call: (batches: Batches) => Answer<Batch> | Promise<Answer<Batch>>
  ): Promise<Answer<Batch>> => {
    const { batches } = await slips()
    return batches === null ? bad({ kind: 'not-saved', what: 'journal' }) : call(batches)
  }
  return {
    async start(input) {
      if (!session.business) {
        const profile = await session.refresh()
        if (!profile.ok) return profile
      }
      return asked((batches) => batches.start(input))
    },
    pause: (input) => asked((batches) => batches.pause(input)),
    resume: (input) => asked((batches) => batches.resume(input)),
    cancel: (input) => asked((batches) => batches.cancel(input)),
    printRest: (input) => asked((batches) => batches.printRest(input)),
    unfinished: async () => (await slips()).unfinishedBatches()
  }
}
