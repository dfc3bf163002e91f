/** Handlers of `bridge.slips` and `bridge.batches`: issuing points, printing, history, and checking codes. */
import type { BatchesApi, SlipsApi } from '../../contract/bridge.ts'
import { err, mapResult, ok, type Failure, type Result } from '../../contract/failure.ts'
import type {
  AttentionSlip,
  Batch,
  CheckedCode,
  ExportResult,
  IssuedSlip,
  PrintedReport,
  ReportRange,
  Slip,
  SlipSearch,
  SlipsReport
} from '../../contract/slips.ts'
import type { LoyaltyClient } from '../loyalty/loyalty-client.ts'
import { isCodeUsed } from '../loyalty/code-status.ts'
import { codeForUrl, isUrl } from '../loyalty/points-code.ts'
import type { Session } from '../session/session.ts'
import type { SlipQueries } from '../slips/queries.ts'
import type { IssueRequest, SlipService } from '../slips/slip-service.ts'

/** Shows the system's save dialog for a file called `name`; null when it was cancelled. */
export type AskWhereToSave = (name: string) => Promise<string | null>

/** The part of the journal that is used to check codes. */
export type CodeQueries = Pick<SlipQueries, 'byCode' | 'byUrl' | 'newestCodes'>

/** Returns the code for a typed code or a scanned URL, and whether it was guessed; null if a URL contains none. */
const resolveCode = (text: string, queries: CodeQueries) =>
  isUrl(text)
    ? codeForUrl(text, { byUrl: (url) => queries.byUrl(url), newest: () => queries.newestCodes() })
    : { code: text.trim(), isGuess: false }

const NOT_IN_ADDRESS: Failure = { kind: 'invalid-input', field: 'code', fault: 'not-in-address' }

/**
 * Checks a typed code, or the URL that a scanner read from a QR code. While the service is unreachable, returns what
 * the journal of this till knows of the code, with `qr: null`. Fails with `not-in-address` if the code of a URL could only
 * be guessed, and the service does not know it.
 */
export type CheckCode = (text: string, signal?: AbortSignal) => Promise<Result<CheckedCode>>

/** @param openQueries opens the journal of this till */
export function createCheckCode(
  session: Pick<Session<LoyaltyClient>, 'ask'>,
  openQueries: () => Promise<CodeQueries>
): CheckCode {
  return async (text, signal) => {
    const queries = await openQueries()
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

/**
 * Waits for the credentials, so that nothing is written of a slip that cannot be requested yet, and reads the profile if
 * it was never read: a slip names the business, and a till can be set up without a network.
 */
export async function requireBusiness(session: Session<LoyaltyClient>): Promise<Result<unknown>> {
  if (session.isDecrypting) {
    const service = await session.service()
    if (!service.ok) return service
  }
  return session.business ? ok(session.business) : session.refresh()
}

/**
 * Calls `start` when a slip can be issued: there is a business, and the journal is open. Fails with `not-connected` when the
 * mode or the connection changed meanwhile: what was typed is not of this business.
 */
async function whenReady<Value>(
  session: Session<LoyaltyClient>,
  openSlips: () => Promise<SlipService>,
  start: (slips: SlipService) => Promise<Result<Value>>
): Promise<Result<Value>> {
  const { generation } = session
  const business = await requireBusiness(session)
  if (!business.ok) return business
  const slips = await openSlips()
  return session.generation === generation ? start(slips) : err({ kind: 'not-connected' })
}

export interface SlipsHandlersDependencies {
  readonly slips: () => Promise<SlipService>
  readonly session: Session<LoyaltyClient>
  readonly checkCode: CheckCode
  readonly askWhereToSave: AskWhereToSave
  readonly now: () => Date
}

export class SlipsHandlers implements SlipsApi {
  readonly #dependencies: SlipsHandlersDependencies
  readonly #slips: () => Promise<SlipService>

  constructor(dependencies: SlipsHandlersDependencies) {
    this.#dependencies = dependencies
    this.#slips = dependencies.slips
  }

  issue(request: IssueRequest): Promise<Result<IssuedSlip>> {
    return whenReady(this.#dependencies.session, this.#slips, (slips) => slips.issue(request))
  }

  async print(input: { intentId: string }): Promise<Result<IssuedSlip>> {
    const slips = await this.#slips()
    return slips.print(input)
  }

  async reprint(input: { intentId: string }): Promise<Result<IssuedSlip>> {
    const slips = await this.#slips()
    return slips.reprint(input)
  }

  async reprintLast(): Promise<Result<IssuedSlip>> {
    const slips = await this.#slips()
    return slips.reprintLast()
  }

  async markGiven(input: { intentId: string; note?: string }): Promise<Result<Slip>> {
    const slips = await this.#slips()
    return slips.markGiven(input)
  }

  async discard(input: { intentId: string; reason: string }): Promise<Result<Slip>> {
    const slips = await this.#slips()
    return slips.discard(input)
  }

  async list({
    offset,
    search = {}
  }: {
    offset: number
    search?: SlipSearch
  }): Promise<Result<{ slips: readonly Slip[]; hasMore: boolean }>> {
    const { queries } = await this.#slips()
    // A scanner reads a URL from the QR code of a slip.
    const code = search.text === undefined ? null : resolveCode(search.text, queries).code
    return queries.list({ offset, search: code === null ? search : { ...search, text: code } })
  }

  async exportCsv({ search = {} }: { search?: SlipSearch }): Promise<Result<ExportResult>> {
    const { askWhereToSave, now } = this.#dependencies
    const file = await askWhereToSave(`slips ${now().toISOString().slice(0, 10)}.csv`)
    if (file === null) return ok({ file: null, slips: 0 })
    const slips = await this.#slips()
    return mapResult(await slips.queries.exportTo(file, search), (count) => ({ file, slips: count }))
  }

  async report(range: ReportRange): Promise<Result<SlipsReport>> {
    const slips = await this.#slips()
    return slips.queries.report(range)
  }

  async printReport(range: ReportRange): Promise<Result<PrintedReport>> {
    const slips = await this.#slips()
    return slips.printReport(range)
  }

  async attention(): Promise<Result<number>> {
    const slips = await this.#slips()
    return slips.queries.attention()
  }

  async attentionList(input: {
    offset: number
  }): Promise<Result<{ slips: readonly AttentionSlip[]; hasMore: boolean }>> {
    const slips = await this.#slips()
    return slips.queries.attentionList(input)
  }

  check({ code }: { code: string }): Promise<Result<CheckedCode>> {
    return this.#dependencies.checkCode(code)
  }
}

type BatchCall = (batches: NonNullable<SlipService['batches']>) => Result<Batch> | Promise<Result<Batch>>

/** Fails with `not-saved` when the journal cannot be written. */
const withBatches = async ({ batches }: SlipService, call: BatchCall): Promise<Result<Batch>> =>
  batches === null ? err({ kind: 'not-saved', what: 'journal' }) : call(batches)

export class BatchesHandlers implements BatchesApi {
  readonly #slips: () => Promise<SlipService>
  readonly #session: Session<LoyaltyClient>

  constructor(slips: () => Promise<SlipService>, session: Session<LoyaltyClient>) {
    this.#slips = slips
    this.#session = session
  }

  start(input: { batchId: string; points: number; count: number; oneJob: boolean }): Promise<Result<Batch>> {
    return whenReady(this.#session, this.#slips, (slips) =>
      withBatches(slips, (batches) => batches.start(input))
    )
  }

  pause(input: { batchId: string }): Promise<Result<Batch>> {
    return this.#withBatches((batches) => batches.pause(input))
  }

  resume(input: { batchId: string; issueUnknownAgain: boolean }): Promise<Result<Batch>> {
    return this.#withBatches((batches) => batches.resume(input))
  }

  cancel(input: { batchId: string; unprinted: 'print' | 'discard' }): Promise<Result<Batch>> {
    return this.#withBatches((batches) => batches.cancel(input))
  }

  printRest(input: { batchId: string }): Promise<Result<Batch>> {
    return this.#withBatches((batches) => batches.printRest(input))
  }

  async unfinished(): Promise<Result<readonly Batch[]>> {
    const slips = await this.#slips()
    return slips.queries.unfinishedBatches()
  }

  async #withBatches(call: BatchCall): Promise<Result<Batch>> {
    return withBatches(await this.#slips(), call)
  }
}
