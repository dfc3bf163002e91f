/** Takes points of purchases back. */
import { err, type Result } from '../../contract/failure.ts'
import type { ReturnedPurchase, Return, TakeBackRequest } from '../../contract/returns.ts'
import { journalFailed, readJournal } from '../journal/journal.ts'
import type { OperationRow } from '../journal/operation-row.ts'
import {
  type AskingProgram,
  keyedOf,
  KeyedOperations,
  type KeyedOperationsDependencies
} from './keyed-operations.ts'
import { answeredIdOf, returnAnswerOf, returnRequestOf, type ReturnOperation } from './operation-kinds.ts'

/** Returns a return as the page gets it. */
export function returnOf(row: OperationRow): Return {
  const answer = returnAnswerOf(row)
  const { points = null, remaining = null, given = null, codeStatus = null, balance = null } = answer ?? {}
  const state = row.state === 'done' ? 'returned' : row.state
  return { ...keyedOf(row, state, balance), points, remaining, given, codeStatus }
}

export interface ReturnsDependencies extends KeyedOperationsDependencies {
  readonly listener: {
    /** Receives every changed return of the served business, after the change is on disk. */
    returnChanged(returned: Return): void
  }
}

/** The returns of this till. */
export class Returns extends KeyedOperations<Return> {
  readonly #dependencies: ReturnsDependencies

  constructor(dependencies: ReturnsDependencies) {
    const { listener, journal, log } = dependencies
    // What went back of a slip is a part of it.
    journal.addListener({
      operationChanged: (row) => {
        if (row.kind !== 'return' || row.state !== 'done') return
        try {
          const purchase = returnAnswerOf(row)?.purchase ?? returnRequestOf(row).code
          if (purchase !== undefined) journal.slips.recordReturn(row, purchase)
        } catch (error) {
          // The return is on disk.
          journalFailed(journal, log, error)
        }
      }
    })
    const kind = {
      kind: 'return',
      extension: 'returns/1',
      referencePrefix: 'return',
      show: returnOf,
      onChanged: (returned: Return) => {
        listener.returnChanged(returned)
      },
      onDone: () => undefined
    } as const
    super(kind, dependencies)
    this.#dependencies = dependencies
  }

  /**
   * Takes points of a purchase back, once per intent id; see `bridge.returns.take`.
   * @param program that asks for it
   */
  async take(
    { intentId, customer, purchase, part, atMost, reason }: TakeBackRequest,
    program: AskingProgram | null = null
  ): Promise<Result<Return>> {
    const { journal, log } = this.#dependencies
    const named = readJournal(journal, log, () => this.#nameOf(purchase))
    if (!named.ok) return named
    if (named.value === null) return err({ kind: 'not-found' })
    const request: ReturnOperation = { ...named.value, ...part, atMost }
    return this.request(
      { intentId, customer, reference: program?.reference ?? null, program, reason },
      request
    )
  }

  /** Returns what the service knows a purchase by; null for a credit that is not done. */
  #nameOf(purchase: ReturnedPurchase): Pick<ReturnOperation, 'code' | 'credit' | 'reference'> | null {
    switch (purchase.by) {
      case 'code':
        return { code: purchase.code }
      case 'reference':
        return { reference: purchase.reference }
      case 'credit': {
        const row = this.#dependencies.journal.operations.byKey(purchase.intentId)
        const id = row?.kind === 'credit' ? answeredIdOf(row) : undefined
        return id === undefined ? null : { credit: id }
      }
    }
  }
}
