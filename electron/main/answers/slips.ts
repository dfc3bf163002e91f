/** Issuing points, and what became of the slips. */
import { good } from '../../contract/failure.ts'
import type { Answers } from '../shell/ipc.ts'
import type { Slips } from '../slips/index.ts'
import type { CheckCode } from './codes.ts'

/** Answers the calls of `bridge.slips`. */
export function slipsAnswers(slips: Slips, checkCode: CheckCode): Answers['slips'] {
  return {
    issue: (intent) => slips.issue(intent),
    print: (intent) => slips.print(intent),
    list: (from) => Promise.resolve(slips.list(from)),
    attention: () => Promise.resolve(good(slips.attention())),
    check: ({ code }) => checkCode(code)
  }
}
