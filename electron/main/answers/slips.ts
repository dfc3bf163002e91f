/** Issuing points, and what became of the slips. */
import { bad, type Answer } from '../../contract/failure.ts'
import type { Answers } from '../shell/ipc.ts'
import type { LoyaltyService } from '../loyalty/index.ts'
import type { Slips } from '../slips/index.ts'
import type { Session } from '../till/index.ts'
import type { CheckCode } from './codes.ts'

const notYet = (): Promise<Answer<never>> => Promise.resolve(bad({ kind: 'internal' }))

/** Answers the calls of `bridge.slips`. */
export function slipsAnswers(
  slips: Slips,
  session: Session<LoyaltyService>,
  checkCode: CheckCode
): Answers['slips'] {
  return {
    async issue(intent) {
      // The slip names the business: a till set up without a network reads the profile before its first slip.
      if (!session.business) {
        const profile = await session.refresh()
        if (!profile.ok) return profile
      }
      return slips.issue(intent)
    },
    print: (intent) => slips.print(intent),
    reprint: notYet,
    reprintLast: notYet,
    markGiven: notYet,
    discard: notYet,
    exportCsv: notYet,
    attentionList: notYet,
    list: (from) => Promise.resolve(slips.list(from)),
    attention: () => Promise.resolve(slips.attention()),
    check: ({ code }) => checkCode(code)
  }
}
