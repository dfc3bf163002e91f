/** Printing what was issued, again or for the first time, and ending a slip without a printout. */
import { err, ok, type Result } from '../../contract/failure.ts'
import type { PrintedReport, ReportRange } from '../../contract/slip-report.ts'
import { operationFileName } from '../journal/operation-table.ts'
import { tellsCollections } from '../../contract/redemptions.ts'
import { canReprint, isOnReceipt, isWorthless, type IssuedSlip, type Slip } from '../../contract/slips.ts'
import { issuedSlip } from './delivery.ts'
import { operationDocument } from './operation-document.ts'
import type { PointsIssuer } from './points-issuer.ts'
import type { SlipContext } from './slip-context.ts'
import { guardJournal, JOURNAL_NOT_SAVED } from '../journal/journal.ts'
import type { JournalRow } from '../journal/rows.ts'
import { nextState, type SlipEvent } from '../journal/slip-table.ts'
import type { PrintJobs } from './print-jobs.ts'
import { createSlipsReport } from '../reports/slips-report.ts'
import { scopeOf, snapshotOf } from '../session/current-business.ts'

interface IntentReference {
  readonly intentId: string
}

export interface PrintoutsDependencies extends SlipContext {
  readonly issuer: PointsIssuer
  readonly printJobs: PrintJobs
}

/** Each method resolves with `not-saved` when the disk fails. */
export class Printouts {
  readonly #dependencies: PrintoutsDependencies

  constructor(dependencies: PrintoutsDependencies) {
    this.#dependencies = dependencies
  }

  /** Prints a slip for the first time. A printed slip is returned as it is. `not-found` without a code. */
  print({ intentId }: IntentReference): Promise<Result<IssuedSlip>> {
    return this.#guard(() => this.#print(intentId))
  }

  /**
   * Prints a copy, or the first printout of a slip without one. Fails with why it was not printed, and with `not-found`
   * without a code, or when discarded.
   */
  reprint({ intentId }: IntentReference): Promise<Result<IssuedSlip>> {
    return this.#guard(() => this.#reprint(intentId))
  }

  /** Reprints the newest slip with a code. */
  reprintLast(): Promise<Result<IssuedSlip>> {
    const { journal, business } = this.#dependencies
    return this.#guard(() => {
      const current = business.current()
      const last = current && journal.slips.last(scopeOf(current))
      return last === null ? err({ kind: 'not-found' }) : this.#reprint(last.slip.intentId)
    })
  }

  /** Prints the report of a range of days, or saves it to the folder; resolves when the job ended. */
  printReport(range: ReportRange): Promise<Result<PrintedReport>> {
    const { journal, printJobs, business, now } = this.#dependencies
    return this.#guard(() => {
      const current = business.current()
      if (current === null) return err({ kind: 'not-connected' })
      const title = `report ${range.from === range.to ? range.from : `${range.from} ${range.to}`}`
      const { timeZone } = snapshotOf(current)
      return printJobs.printReport(
        async () => ({
          report: await createSlipsReport(
            journal,
            scopeOf(current),
            range,
            timeZone,
            tellsCollections(current)
          ),
          business: current.name,
          tillName: current.slip.tillName,
          locale: current.locale,
          training: current.training,
          printedAt: now().toISOString()
        }),
        title
      )
    })
  }

  /** Prints what came of an operation for the customer, or saves it to the folder; resolves when the job ended. */
  printOperation({ intentId }: IntentReference): Promise<Result<PrintedReport>> {
    const { journal, printJobs, business, catalogue, standings } = this.#dependencies
    return this.#guard(async () => {
      const current = business.current()
      const row = journal.operations.byKey(intentId)
      const isOwn = row?.businessId === current?.id && row?.training === current?.training
      if (current === null || row === null || !isOwn) return err({ kind: 'not-found' })
      const tellsEnding = row.kind === 'credit' && row.customer !== null && current.expiry !== null
      const standing = tellsEnding ? await standings.read(row.customer.id) : null
      const snapshot = snapshotOf(current)
      const document = operationDocument({ journal, catalogue, snapshot, standing }, row)
      if (document === null) return err({ kind: 'not-found' })
      return printJobs.printOperation(operationFileName(row), document)
    })
  }

  /** Marks a slip as given to the customer. `not-found` unless it has a code and is not printed. */
  markGiven({ intentId, note = '' }: IntentReference & { readonly note?: string }): Promise<Result<Slip>> {
    return this.#end(intentId, 'given', note)
  }

  /** Discards a slip that needs attention; `not-found` for any other. */
  discard({ intentId, reason }: IntentReference & { readonly reason: string }): Promise<Result<Slip>> {
    const row = this.#find(intentId)
    return this.#end(intentId, row !== null && isWorthless(row.slip) ? 'not-taken' : 'discarded', reason)
  }

  /** Discards a slip for the program that requested it, also one that is on the program's own receipt; else as `discard`. */
  cancel({ intentId, reason }: IntentReference & { readonly reason: string }): Promise<Result<Slip>> {
    const row = this.#find(intentId)
    return this.#end(intentId, row !== null && isOnReceipt(row.slip) ? 'withdrawn' : 'discarded', reason)
  }

  async #print(intentId: string): Promise<Result<IssuedSlip>> {
    const { unwritten, issuer, printJobs } = this.#dependencies
    // The request may be pending: its slip has a code in a moment.
    await issuer.pending(intentId)
    // The end of its last job may not be on disk.
    if (!unwritten.isWritten(intentId)) return err(JOURNAL_NOT_SAVED)
    const before = this.#find(intentId)
    if (!before?.slip.code) return err({ kind: 'not-found' })
    await printJobs.printFirst(intentId, 'counter')
    return ok(issuedSlip(this.#find(intentId) ?? before))
  }

  async #reprint(intentId: string): Promise<Result<IssuedSlip>> {
    const { unwritten, printJobs } = this.#dependencies
    if (!unwritten.isWritten(intentId)) return err(JOURNAL_NOT_SAVED)
    const before = this.#find(intentId)
    if (!before?.slip.code || before.slip.state === 'discarded') return err({ kind: 'not-found' })
    if (!canReprint(before.slip)) {
      const printed = await this.#print(intentId)
      const slip = printed.ok ? printed.value.slip : null
      return slip?.state === 'print-failed' && slip.failure !== null ? err(slip.failure) : printed
    }
    const copied = await printJobs.printCopy(intentId)
    const failure = copied?.slip.lastCopy?.failure
    return failure ? err(failure) : ok(issuedSlip(copied ?? before))
  }

  /** Returns the row of an intent, or null when it is of another business. */
  #find(intentId: string): JournalRow | null {
    const { journal, business } = this.#dependencies
    const current = business.current()
    const row = journal.slips.byIntent(intentId)
    const isOwn = current !== null && row?.businessId === current.id && row.slip.training === current.training
    return isOwn ? row : null
  }

  #end(intentId: string, event: SlipEvent, note: string): Promise<Result<Slip>> {
    const { journal, now } = this.#dependencies
    return this.#guard(() => {
      const row = this.#find(intentId)
      if (row === null || nextState(row.slip.state, event) === null) return err({ kind: 'not-found' })
      return ok(journal.slips.transition(intentId, event, { endedAt: now().toISOString(), note }).slip)
    })
  }

  #guard<Value>(call: () => Result<Value> | Promise<Result<Value>>): Promise<Result<Value>> {
    return guardJournal(this.#dependencies.journal, this.#dependencies.log, call)
  }
}
