/** Checking a points code: what the service says of it, beside what this till's journal knows. */
import { err, ok, type Result } from '../../contract/failure.ts'
import type { CheckedCode, Slip } from '../../contract/till.ts'
import { codeFromUrl, usedFrom, type LoyaltyService } from '../loyalty/index.ts'
import type { Session } from '../session/index.ts'

/**
 * Checks a typed code, or the URL that a scanner read out of a QR. While the service does not answer, what this till
 * knows of its own slips is told instead, and that the service was not asked.
 */
export type CheckCode = (text: string, signal?: AbortSignal) => Promise<Result<CheckedCode>>

/**
 * @param slipByCode this till's own slip for a code, if it issued it
 */
export function createCheckCode(
  session: Session<LoyaltyService>,
  slipByCode: (code: string) => Promise<Slip | null>
): CheckCode {
  return async (text, signal) => {
    const code = codeFromUrl(text) ?? text.trim()
    if (code === '') return err({ kind: 'invalid-input', field: 'code', fault: 'missing' })
    const answer = await session.ask((service) => service.qr(code, signal), signal)
    if (answer.ok) {
      const qr = answer.value
      return ok({ code: qr.code, qr, used: usedFrom(qr), slip: await slipByCode(qr.code) })
    }
    const { kind } = answer.failure
    const silent = (kind === 'offline' || kind === 'timeout') && !(signal?.aborted ?? false)
    // Codes are often typed in small letters; how the service writes them it cannot be asked now.
    const slip = silent ? ((await slipByCode(code)) ?? (await slipByCode(code.toUpperCase()))) : null
    return slip === null ? answer : ok({ code: slip.code ?? code, qr: null, used: null, slip })
  }
}
