/** Checking a points code: what the service says of it, beside what this till's journal knows. */
import { bad, good, type Answer } from '../../contract/failure.ts'
import type { CheckedCode, Slip } from '../../contract/till.ts'
import { codeFromUrl, usedFrom, type LoyaltyService } from '../loyalty/index.ts'
import type { Session } from '../till/index.ts'

/** Checks a typed code, or the URL that a scanner read out of a QR. */
export type CheckCode = (text: string) => Promise<Answer<CheckedCode>>

/**
 * @param slipByCode this till's own slip for a code, if it issued it
 */
export function createCheckCode(
  session: Session<LoyaltyService>,
  slipByCode: (code: string) => Slip | null
): CheckCode {
  return async (text) => {
    const code = codeFromUrl(text) ?? text.trim()
    if (code === '') return bad({ kind: 'invalid-input', field: 'code', fault: 'missing' })
    const answer = await session.ask((service) => service.qr(code))
    if (!answer.ok) return answer
    return good({ qr: answer.value, used: usedFrom(answer.value), slip: slipByCode(answer.value.code) })
  }
}
