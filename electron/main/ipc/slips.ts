/** Issuing points, and what became of the slips. */
import { ok } from '../../contract/failure.ts'
import type { SlipState } from '../../contract/till.ts'
import type { Use } from '../lazy.ts'
import type { Answers } from '../platform/ipc.ts'
import { codeFromUrl, type LoyaltyService } from '../loyalty/index.ts'
import type { Slips } from '../slips/slip-service.ts'
import type { Session } from '../session/index.ts'
import type { CheckCode } from './codes.ts'
import { mapped } from './mapped.ts'

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
  session: Session<LoyaltyService>,
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
      return mapped(await (await slips()).exportTo(file, search), (count) => ({ file, slips: count }))
    },
    report: async (range) => (await slips()).report(range),
    printReport: async (range) => (await slips()).printReport(range),
    attention: async () => (await slips()).attention(),
    attentionList: async (from) => (await slips()).attentionList(from),
    check: ({ code }) => checkCode(code)
  }
}
