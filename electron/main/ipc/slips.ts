/** Handlers of `bridge.slips`: issuing points, printing, history, and checking codes. */
import type { SlipsApi } from '../../contract/bridge.ts'
import { ungroupedCode } from '../../contract/code-groups.ts'
import { err, mapResult, ok, type Failure, type Result } from '../../contract/failure.ts'
import type {
  CollectionsExport,
  PrintedReport,
  ReportRange,
  SlipsReport
} from '../../contract/slip-report.ts'
import type {
  AttentionSlip,
  CheckedCode,
  ExportResult,
  IssuedSlip,
  IssueRequest,
  Slip,
  SlipSearch
} from '../../contract/slips.ts'
import { parsePhone } from '../../contract/phone.ts'
import type { Lazy } from '../lazy.ts'
import type { ShopCountry } from '../loyalty/country.ts'
import { isCodeUsed } from '../loyalty/loyalty-client.ts'
import { codeForUrl, isUrl } from '../loyalty/points-code.ts'
import type { Session } from '../session/session.ts'
import type { JournalSearch } from '../reports/slip-search.ts'
import type { SlipQueries } from '../slips/slip-queries.ts'
import type { SlipService } from '../slips/slip-service.ts'

/** Shows the system's save dialog for a file called `name`; null when it was cancelled. */
export type AskWhereToSave = (name: string) => Promise<string | null>

/** The part of the journal that is used to check codes. */
export type CodeQueries = Pick<SlipQueries, 'byCode' | 'byUrl' | 'newestCodes'>

/** Returns the code for a typed code or a scanned URL, and whether it was guessed; null if a URL contains none. */
const resolveCode = (text: string, queries: CodeQueries) =>
  isUrl(text)
    ? codeForUrl(text, { byUrl: (url) => queries.byUrl(url), newest: () => queries.newestCodes() })
    : { code: ungroupedCode(text), isGuess: false }

/** Returns a search as the journal takes it: a scanner types the URL of a QR code, and people type its code in groups. */
const resolveSearch = (search: SlipSearch, queries: CodeQueries): SlipSearch => {
  const { text = '' } = search
  const { code } = resolveCode(text, queries)
  // Three names of four letters look like a code in groups.
  const isCode = code !== null && (isUrl(text) || queries.byCode(code) !== null)
  return search.text === undefined ? search : { ...search, text: isCode ? code : text.trim() }
}

/** The till serves another business, or trains, by the time that a file was chosen. */
const ANOTHER_OWNER: Failure = { kind: 'not-connected' }

const NOT_IN_ADDRESS: Failure = { kind: 'invalid-input', field: 'code', fault: 'not-in-address' }

/**
 * Checks a typed code, or the URL that a scanner read from a QR code. While the service is unreachable, returns what
 * the journal of this till knows of the code, with `qr: null`. Fails with `not-in-address` if the code of a URL could only
 * be guessed, and the service does not know it.
 */
export type CheckCode = (text: string, signal?: AbortSignal) => Promise<Result<CheckedCode>>

/** What is known of codes while the journal cannot be opened. */
const NO_QUERIES: CodeQueries = { byCode: () => null, byUrl: () => null, newestCodes: () => [] }

export function createCheckCode(
  session: Pick<Session, 'ask'>,
  slips: Pick<Lazy<Result<{ readonly queries: CodeQueries }>>, 'get'>
): CheckCode {
  return async (text, signal) => {
    const opened = await slips.get()
    const queries = opened.ok ? opened.value.queries : NO_QUERIES
    const { code, isGuess } = resolveCode(text, queries)
    if (code === null) return err(NOT_IN_ADDRESS)
    if (code === '') return err({ kind: 'invalid-input', field: 'code', fault: 'missing' })
    const answer = await session.ask((client) => client.qr(code, signal), signal)
    if (answer.ok) {
      const qr = answer.value
      return ok({ code: qr.code, qr, used: isCodeUsed(qr), slip: queries.byCode(qr.code) })
    }
    const { kind } = answer.failure
    if (isGuess && (kind === 'not-found' || kind === 'rejected')) return err(NOT_IN_ADDRESS)
    const isUnreachable = (kind === 'offline' || kind === 'timeout') && !(signal?.aborted ?? false)
    // Codes are often typed in lower case. The service, which knows their spelling, cannot be asked now.
    const slip = isUnreachable ? (queries.byCode(code) ?? queries.byCode(code.toUpperCase())) : null
    return slip === null ? answer : ok({ code: slip.code ?? code, qr: null, used: null, slip })
  }
}

/** The slips, opened at the first use; `not-saved` while the journal cannot be opened. */
export type OpenSlips = Pick<Lazy<Result<SlipService>>, 'get'>

/**
 * Calls `start` when a slip can be issued: there is a business, and the journal is open. Fails with `not-connected` when the
 * mode or the connection changed meanwhile: what was typed is not of this business.
 */
export async function whenReady<Value>(
  session: Session,
  slips: OpenSlips,
  start: (slips: SlipService) => Promise<Result<Value>>
): Promise<Result<Value>> {
  const { generation } = session
  const business = await session.requireBusiness()
  if (!business.ok) return business
  const opened = await slips.get()
  if (!opened.ok) return opened
  return session.generation === generation ? start(opened.value) : err({ kind: 'not-connected' })
}

export interface SlipsHandlersDependencies {
  readonly slips: OpenSlips
  readonly session: Session
  readonly checkCode: CheckCode
  readonly askWhereToSave: AskWhereToSave
  /** for a phone without a country code */
  readonly country: Pick<ShopCountry, 'code'>
  readonly now: () => Date
}

export class SlipsHandlers implements SlipsApi {
  readonly #dependencies: SlipsHandlersDependencies

  constructor(dependencies: SlipsHandlersDependencies) {
    this.#dependencies = dependencies
  }

  issue(request: IssueRequest): Promise<Result<IssuedSlip>> {
    const { session, slips } = this.#dependencies
    return whenReady(session, slips, ({ counter }) => counter.issue(request))
  }

  print(input: { intentId: string }): Promise<Result<IssuedSlip>> {
    return this.#with(({ printouts }) => printouts.print(input))
  }

  reprint(input: { intentId: string }): Promise<Result<IssuedSlip>> {
    return this.#with(({ printouts }) => printouts.reprint(input))
  }

  reprintLast(): Promise<Result<IssuedSlip>> {
    return this.#with(({ printouts }) => printouts.reprintLast())
  }

  markGiven(input: { intentId: string; note?: string }): Promise<Result<Slip>> {
    return this.#with(({ printouts }) => printouts.markGiven(input))
  }

  discard(input: { intentId: string; reason: string }): Promise<Result<Slip>> {
    return this.#with(({ printouts }) => printouts.discard(input))
  }

  list({
    offset,
    search = {}
  }: {
    offset: number
    search?: SlipSearch
  }): Promise<Result<{ slips: readonly Slip[]; hasMore: boolean }>> {
    return this.#with(async ({ queries }) =>
      queries.list({ offset, search: await this.#resolve(search, queries) })
    )
  }

  async exportCsv({ search = {} }: { search?: SlipSearch }): Promise<Result<ExportResult>> {
    const { askWhereToSave, now, session } = this.#dependencies
    const { owner } = session
    const file = await askWhereToSave(`slips ${now().toISOString().slice(0, 10)}.csv`)
    if (file === null) return ok({ file: null, slips: 0 })
    const exported = await this.#with(async ({ queries, reports }) => {
      const resolved = await this.#resolve(search, queries)
      return session.owner === owner ? reports.exportSlips(file, resolved) : err(ANOTHER_OWNER)
    })
    return mapResult(exported, (count) => ({ file, slips: count }))
  }

  async exportCollections({ range, by }: CollectionsExport): Promise<Result<{ file: string | null }>> {
    const { askWhereToSave, session } = this.#dependencies
    const { owner } = session
    const file = await askWhereToSave(`collected ${range.from} ${range.to}.csv`)
    if (file === null) return ok({ file })
    const exported = await this.#with(({ reports }) =>
      session.owner === owner ? reports.exportCollections(file, range, by) : err(ANOTHER_OWNER)
    )
    return mapResult(exported, () => ({ file }))
  }

  report(range: ReportRange): Promise<Result<SlipsReport>> {
    return this.#with(({ reports }) => reports.report(range))
  }

  printReport(range: ReportRange): Promise<Result<PrintedReport>> {
    return this.#with(({ printouts }) => printouts.printReport(range))
  }

  attention(): Promise<Result<number>> {
    return this.#with(({ queries }) => queries.attention())
  }

  attentionList(input: {
    offset: number
  }): Promise<Result<{ slips: readonly AttentionSlip[]; hasMore: boolean }>> {
    return this.#with(({ queries }) => queries.attentionList(input))
  }

  check({ code }: { code: string }): Promise<Result<CheckedCode>> {
    const { session, checkCode } = this.#dependencies
    return session.read(() => checkCode(code))
  }

  /** The journal has no phones: the service says whose it is. Without its answer the text is searched as it is. */
  async #resolve(search: SlipSearch, queries: CodeQueries): Promise<JournalSearch> {
    const { country, session } = this.#dependencies
    const phone = search.text === undefined ? null : parsePhone(search.text, country.code)
    if (phone === null) return resolveSearch(search, queries)
    const found = await session.read(() => session.ask((client) => client.customerBy('phone', phone.e164)))
    return found.ok ? { ...search, phoneOwnerId: found.value.id } : search
  }

  async #with<Value>(
    call: (slips: SlipService) => Result<Value> | Promise<Result<Value>>
  ): Promise<Result<Value>> {
    const slips = await this.#dependencies.slips.get()
    return slips.ok ? call(slips.value) : slips
  }
}
