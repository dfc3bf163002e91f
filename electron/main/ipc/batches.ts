/** Many slips at once. */
import { err, type Result } from '../../contract/failure.ts'
import type { Batch } from '../../contract/batch.ts'
import type { Use } from '../lazy.ts'
import type { LoyaltyService } from '../loyalty/index.ts'
import type { Answers } from '../platform/ipc.ts'
import type { Slips } from '../slips/slip-service.ts'
import type { Session } from '../session/index.ts'

/** Answers the calls of `bridge.batches`. */
export function batchesAnswers(slips: Use<Slips>, session: Session<LoyaltyService>): Answers['batches'] {
  type Batches = NonNullable<Slips['batches']>
  const asked = async (
    call: (batches: Batches) => Result<Batch> | Promise<Result<Batch>>
  ): Promise<Result<Batch>> => {
    const { batches } = await slips()
    return batches === null ? err({ kind: 'not-saved', what: 'journal' }) : call(batches)
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
