/** Issuing points, and what became of the slips. */
import { err, ok, type Result, mapResult } from '../../contract/failure.ts'
import type { Batch, CheckedCode, Slip, SlipState } from '../../contract/slips.ts'
import type { Use } from '../lazy.ts'
import { codeFromUrl, isCodeUsed } from '../loyalty/points-code.ts'
import type { LoyaltyClient } from '../loyalty/loyalty-client.ts'
import type { Answers } from '../platform/ipc.ts'
import type { Session } from '../session/session.ts'
import type { Slips } from '../slips/slip-service.ts'

/** Asks where to write a file named `name`; null when the cashier closed the dialog. */
export type AskWhere = (name: string) => Promise<string | null>

/** What came of issuing where the customer left without a code. */
const UNSERVED: readonly SlipState[] = ['requested', 'refused', 'unknown']

/**
 * Answers the calls of `bridge.slips`.
 *
 * @param served hears the id of each customer to whom a code was issued
 */
export function slipsAnswers(
  slips: Use<Slips>,
  session: Session<LoyaltyClient>,
  checkCode: CheckCode,
  askWhere: AskWhere,
  now: () => Date,
  served: (customerId: string) => void
): Answers['slips'] {
  return {
    async issue(press) {
      // The slip names the business: a till set up without a network reads the profile before its first slip.
      if (!session.business) {
        const profile = await session.refresh()
        if (!profile.ok) return profile
      }
      const issued = await (await slips()).issue(press)
      const to = issued.ok && !UNSERVED.includes(issued.value.slip.state) ? issued.value.slip.customer : null
      if (to) served(to.id)
      return issued
    },
    print: async (about) => (await slips()).print(about),
    reprint: async (about) => (await slips()).reprint(about),
    reprintLast: async () => (await slips()).reprintLast(),
    markGiven: async (input) => (await slips()).markGiven(input),
    discard: async (input) => (await slips()).discard(input),
    async list({ offset, search = {} }) {
      // A scanner reads a whole address out of a slip's QR.
      const code = search.text === undefined ? null : codeFromUrl(search.text)
      return (await slips()).list({ offset, search: code === null ? search : { ...search, text: code } })
    },
    async exportCsv({ search = {} }) {
      const file = await askWhere(`slips ${now().toISOString().slice(0, 10)}.csv`)
      if (file === null) return ok({ file: null, slips: 0 })
      return mapResult(await (await slips()).exportTo(file, search), (count) => ({ file, slips: count }))
    },
    report: async (range) => (await slips()).report(range),
    printReport: async (range) => (await slips()).printReport(range),
    attention: async () => (await slips()).attention(),
    attentionList: async (from) => (await slips()).attentionList(from),
    check: ({ code }) => checkCode(code)
  }
}

/* from codes.ts: Checking a points code: what the service says of it, beside what this till's journal knows. */

/**
 * Checks a typed code, or the URL that a scanner read out of a QR. While the service does not answer, what this till
 * knows of its own slips is told instead, and that the service was not asked.
 */
export type CheckCode = (text: string, signal?: AbortSignal) => Promise<Result<CheckedCode>>

/**
 * @param slipByCode this till's own slip for a code, if it issued it
 */
export function createCheckCode(
  session: Session<LoyaltyClient>,
  slipByCode: (code: string) => Promise<Slip | null>
): CheckCode {
  return async (text, signal) => {
    const code = codeFromUrl(text) ?? text.trim()
    if (code === '') return err({ kind: 'invalid-input', field: 'code', fault: 'missing' })
    const answer = await session.ask((service) => service.qr(code, signal), signal)
    if (answer.ok) {
      const qr = answer.value
      return ok({ code: qr.code, qr, used: isCodeUsed(qr), slip: await slipByCode(qr.code) })
    }
    const { kind } = answer.failure
    const silent = (kind === 'offline' || kind === 'timeout') && !(signal?.aborted ?? false)
    // Codes are often typed in small letters; how the service writes them it cannot be asked now.
    const slip = silent ? ((await slipByCode(code)) ?? (await slipByCode(code.toUpperCase()))) : null
    return slip === null ? answer : ok({ code: slip.code ?? code, qr: null, used: null, slip })
  }
}

/* from batches.ts: Many slips at once. */

/** Answers the calls of `bridge.batches`. */
export function batchesAnswers(slips: Use<Slips>, session: Session<LoyaltyClient>): Answers['batches'] {
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
