/** Handlers of `bridge.slips`: issuing points, printing, history, and checking codes. */
import type { Api } from '../../contract/bridge.ts'
import { err, mapResult, ok, type Failure } from '../../contract/failure.ts'
import type { SlipSearch } from '../../contract/slips.ts'
import { parsePhone } from '../../contract/phone.ts'
import type { ShopCountry } from '../loyalty/country.ts'
import type { Session } from '../session/session.ts'
import type { JournalSearch } from '../reports/slip-search.ts'
import { type CheckCode, type CodeQueries, resolveSearch } from './check-code.ts'
import type { SlipCalls } from './slip-calls.ts'

/** Shows the system's save dialog for a file called `name`; null when it was cancelled. */
export type AskWhereToSave = (name: string) => Promise<string | null>

/** The till serves another business, or trains, by the time that a file was chosen. */
const ANOTHER_OWNER: Failure = { kind: 'not-connected' }

export interface SlipsHandlersDependencies {
  readonly calls: SlipCalls
  readonly session: Session
  readonly checkCode: CheckCode
  /** see `SlipServices.cancelPrint` */
  readonly cancelPrint: (jobId: string) => void
  readonly askWhereToSave: AskWhereToSave
  /** for a phone without a country code */
  readonly country: Pick<ShopCountry, 'code'>
}

/** Returns the handlers of `bridge.slips`. */
export function createSlipsHandlers(dependencies: SlipsHandlersDependencies): Api<'slips'> {
  const { calls, session, checkCode, cancelPrint, askWhereToSave, country } = dependencies

  /** The journal has no phones: the service says whose it is. Without its answer the text is searched as it is. */
  const resolve = async (search: SlipSearch, queries: CodeQueries): Promise<JournalSearch> => {
    const phone = search.text === undefined ? null : parsePhone(search.text, country.code)
    if (phone === null) return resolveSearch(search, queries)
    const found = await session.read(() => session.ask((client) => client.customerBy('phone', phone.e164)))
    return found.ok ? { ...search, phoneOwnerId: found.value.id } : search
  }

  return {
    issue: calls.whenReady(({ counter }, request) => counter.issue(request)),
    print: calls.whenOpen(({ printouts }, slip) => printouts.print(slip)),
    reprint: calls.whenOpen(({ printouts }, slip) => printouts.reprint(slip)),
    reprintLast: calls.whenOpen(({ printouts }) => printouts.reprintLast()),
    cancelPrint({ jobId }) {
      cancelPrint(jobId)
      return Promise.resolve(ok(null))
    },
    markGiven: calls.whenOpen(({ printouts }, slip) => printouts.markGiven(slip)),
    discard: calls.whenOpen(({ printouts }, slip) => printouts.discard(slip)),
    list: calls.whenOpen(async ({ queries }, { offset, search = {} }) =>
      queries.list({ offset, search: await resolve(search, queries) })
    ),

    async exportCsv({ search = {} }) {
      const { owner } = session
      const file = await askWhereToSave(`slips ${new Date().toISOString().slice(0, 10)}.csv`)
      if (file === null) return ok({ file, slips: 0 })
      const write = calls.whenOpen(async ({ queries, reports }) => {
        const resolved = await resolve(search, queries)
        return session.owner === owner ? reports.exportSlips(file, resolved) : err(ANOTHER_OWNER)
      })
      return mapResult(await write(), (slips) => ({ file, slips }))
    },

    async exportCollections({ range, by }) {
      const { owner } = session
      const file = await askWhereToSave(`collected ${range.from} ${range.to}.csv`)
      if (file === null) return ok({ file })
      const write = calls.whenOpen(({ reports }) =>
        session.owner === owner ? reports.exportCollections(file, range, by) : err(ANOTHER_OWNER)
      )
      return mapResult(await write(), () => ({ file }))
    },

    report: calls.whenOpen(({ reports }, range) => reports.report(range)),
    printReport: calls.whenOpen(({ printouts }, range) => printouts.printReport(range)),
    attention: calls.whenOpen(({ queries }) => queries.attention()),
    attentionList: calls.whenOpen(({ queries }, page) => queries.attentionList(page)),
    check: ({ code }) => session.read(() => checkCode(code))
  }
}
