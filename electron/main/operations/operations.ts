/**
 * What is asked of the service with a key. As with slips, the row is on disk before the service is called, and its answer before
 * it is shown. Unlike a slip's request, one with a key can be sent again: a lost answer is asked for until it comes.
 */
import { err, type Failure, mapResult, ok, type Result } from '../../contract/failure.ts'
import type { UnansweredOperation } from '../../contract/operations.ts'
import type { CustomerDisplay } from '../customer-display/customer-display.ts'
import {
  guardJournal,
  type Journal,
  JOURNAL_NOT_SAVED,
  journalFailed,
  readJournal,
  type UnwrittenChanges
} from '../journal/journal.ts'
import type { OperationRow } from '../journal/operation-row.ts'
import { MAX_KEY_AGE_MS, type Scope } from '../journal/rows.ts'
import { SingleFlight } from '../lazy.ts'
import { failureDetails, type Logger } from '../log/log.ts'
import { serviceMoment } from '../loyalty/service-time.ts'
import {
  type BusinessId,
  type CurrentBusiness,
  scopeOf,
  type SlipBusiness
} from '../session/current-business.ts'
import type { RecentCustomers } from '../session/recent-customers.ts'
import { type OperationAnswer, operationKind } from './operation-kinds.ts'

/** Operations that are shown, and asked for, at once. */
const MAX_UNANSWERED = 50

/** What may be done with an operation. */
const ACTIONS = ['request', 'undo', 'discard', 'ask'] as const
export type OperationAction = (typeof ACTIONS)[number]

/**
 * Returns whether the outcome of a request is known. What the service refused by name is an answer at any time. Other
 * refusals, such as of the token, or a failed connection, are about the request that was sent last: only of the first one
 * they say that nothing was done.
 */
const isAnswer = (failure: Failure, isFirst: boolean): boolean =>
  failure.kind === 'operation-refused' || (isFirst && failure.kind !== 'unknown-outcome')

/**
 * Returns whether nothing was done, and the key may get another answer: of refusals, the service keeps those by name, but not
 * that an approval is missing.
 */
export const canSendAgain = ({
  state,
  failure
}: {
  readonly state: string
  readonly failure: Failure | null
}): boolean =>
  state === 'refused' && (failure?.kind !== 'operation-refused' || failure.reason === 'credit-needs-approval')

export interface OperationsDependencies {
  readonly journal: Journal
  readonly unwritten: UnwrittenChanges
  readonly business: Pick<CurrentBusiness, 'current' | 'isServed' | 'askExtension'>
  readonly recent: Pick<RecentCustomers, 'setBalance'>
  readonly display: Pick<CustomerDisplay, 'setBalance'>
  readonly now: () => Date
  readonly log: Logger
}

/** The operations of this till. Each method resolves with `not-saved` when the disk fails. */
export class Operations {
  readonly #dependencies: OperationsDependencies
  /** one action at a time for each operation and what undoes it; equal ones share it */
  readonly #running = new SingleFlight<Result<OperationRow>>()

  constructor(dependencies: OperationsDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Runs an action on an operation when the actions before have ended, and what they could not write is on disk.
   * @param key of the operation, not of what undoes it
   */
  run(
    action: OperationAction,
    key: string,
    work: () => Result<OperationRow> | Promise<Result<OperationRow>>
  ): Promise<Result<OperationRow>> {
    const { journal, unwritten, log } = this.#dependencies
    const flightOf = (one: OperationAction): string => `${one} ${key}`
    return this.#running.run(flightOf(action), async () => {
      // Another action has another result: those that came before are awaited.
      const earlier = ACTIONS.flatMap((one) => this.#running.pending(flightOf(one)) ?? [])
      if (earlier.length > 0) await Promise.all(earlier)
      return guardJournal(journal, log, () => (unwritten.isWritten(key) ? work() : err(JOURNAL_NOT_SAVED)))
    })
  }

  /** Returns an operation of a business; null when it has none with this key. */
  find(key: string, business: BusinessId): OperationRow | null {
    const row = this.#dependencies.journal.operations.byKey(key)
    return row?.businessId === business.id && row.training === business.training ? row : null
  }

  /** Returns the operations of the current business whose answer was lost, newest first. */
  unanswered(): Result<readonly OperationRow[]> {
    return this.#read([], (scope) => this.#dependencies.journal.operations.unanswered(scope, MAX_UNANSWERED))
  }

  /** Returns the number of operations of the current business whose answer was lost. */
  attention(): Result<number> {
    return this.#read(0, (scope) => this.#dependencies.journal.operations.countUnanswered(scope))
  }

  /** Returns those operations as the page lists them, newest first. */
  attentionList(): Result<readonly UnansweredOperation[]> {
    const { operations } = this.#dependencies.journal
    return this.#read([], (scope) =>
      operations.unanswered(scope, MAX_UNANSWERED).map((row) => ({
        ...operationKind(row).describe(row, this.#undoneBy(row)),
        key: row.key,
        kind: row.kind,
        customer: row.customer,
        requestedAt: row.requestedAt,
        failure: row.failure,
        canDiscard: row.undoes === null,
        training: row.training
      }))
    )
  }

  /** Ends an operation without an answer; `not-found` for one that is answered, or that undoes another. */
  async discard({ key, reason }: { readonly key: string; readonly reason: string }): Promise<Result<null>> {
    const { journal, business, now } = this.#dependencies
    const discarded = await this.run('discard', key, () => {
      const current = business.current()
      const row = current && this.find(key, current)
      if (row?.state !== 'unknown' || row.undoes !== null) return err({ kind: 'not-found' })
      const { failure } = row
      const ending = { at: now().toISOString(), note: reason }
      return ok(journal.operations.change(key, 'discarded', { ending, ...(failure !== null && { failure }) }))
    })
    return mapResult(discarded, () => null)
  }

  /** Asks for one lost answer with its key; resolves with the operation as it is then. `not-found` without one. */
  async askFor(key: string): Promise<Result<OperationRow>> {
    const { journal, business, log } = this.#dependencies
    return guardJournal(journal, log, () =>
      this.run('ask', journal.operations.byKey(key)?.undoes ?? key, async () => {
        const current = business.current()
        const row = current && this.find(key, current)
        if (current === null || row === null) return err({ kind: 'not-found' })
        return ok(row.state === 'unknown' ? await this.ask(row, current) : row)
      })
    )
  }

  /**
   * Sends the request of a row whose answer is not known, with its key, and writes what came of it. An answer that the disk
   * does not take is written later: until then the row is returned without it.
   */
  async ask(row: OperationRow, business: SlipBusiness): Promise<OperationRow> {
    const { journal, unwritten, now, log } = this.#dependencies
    const isWithoutCustomer = operationKind(row).needsCustomer && row.customer === null
    if (isWithoutCustomer || now().getTime() - Date.parse(row.requestedAt) > MAX_KEY_AGE_MS) return row
    const answer = await this.#send(row, business)
    const write = (): OperationRow => this.#write(row, answer)
    let changed = row
    try {
      changed = write()
    } catch (error) {
      journalFailed(journal, log, error)
      unwritten.keep({ id: row.undoes ?? row.key, write })
    }
    if (answer.ok && answer.value.customer !== null) {
      this.#setBalance(answer.value.customer, answer.value.balance, business)
    }
    return changed
  }

  isBusy(): boolean {
    return this.#running.isBusy()
  }

  /** Resolves when the pending requests have their outcomes. */
  idle(): Promise<void> {
    return this.#running.idle()
  }

  #undoneBy({ undoes }: OperationRow): OperationRow | null {
    return undoes === null ? null : this.#dependencies.journal.operations.byKey(undoes)
  }

  /** Returns `empty` without a business. */
  #read<Value>(empty: Value, query: (scope: Scope) => Value): Result<Value> {
    const { journal, log } = this.#dependencies
    const business = this.#dependencies.business.current()
    return readJournal(journal, log, () => (business === null ? empty : query(scopeOf(business))))
  }

  async #send(row: OperationRow, business: BusinessId): Promise<Result<OperationAnswer>> {
    const { log } = this.#dependencies
    const { key, kind, undoes } = row
    const startedAt = performance.now()
    let answer: Result<OperationAnswer>
    try {
      answer = await this.#dependencies.business.askExtension(business, (client) =>
        operationKind(row).send(client, row, this.#undoneBy(row))
      )
    } catch (error) {
      log.error(`${kind}-request-failed`, { intentId: undoes ?? key, error })
      answer = err({ kind: 'unknown-outcome', cause: 'connection-lost' })
    }
    log.info(`${kind}-response`, {
      intentId: undoes ?? key,
      milliseconds: Math.round(performance.now() - startedAt),
      ...(answer.ok ? {} : failureDetails(answer.failure))
    })
    return answer
  }

  #write({ key, state }: OperationRow, answer: Result<OperationAnswer>): OperationRow {
    const { journal, now } = this.#dependencies
    if (answer.ok) {
      const { kept, createdAt } = answer.value
      const answeredAt = (serviceMoment(createdAt) ?? now()).toISOString()
      return journal.operations.change(key, 'done', { answer: kept, answeredAt })
    }
    const { failure } = answer
    const next = isAnswer(failure, state === 'requested') ? 'refused' : 'unknown'
    return journal.operations.change(key, next, { failure })
  }

  /** Corrects the points that the till shows of a customer. */
  #setBalance(customerId: string, balance: number | null, business: BusinessId): void {
    if (!this.#dependencies.business.isServed(business)) return
    this.#dependencies.recent.setBalance(customerId, balance)
    this.#dependencies.display.setBalance(customerId, balance)
  }
}
