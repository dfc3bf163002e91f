/** Collecting by the form of a customer, who waits for it: one transaction of few statements. */
import * as v from 'valibot'
import { codeStatus, type StoredCode } from '../domain/codes.ts'
import { newOrderedIdentifier } from '../domain/identifiers.ts'
import { entryChange, type LedgerEntry } from '../domain/ledger.ts'
import { Refusal } from '../domain/refusal.ts'
import { usage } from './codes.ts'
import { CustomerStore } from './customers.ts'
import { writeAll, writeTogether } from './database.ts'
import { insertion } from './ledger-entries.ts'
import { Ledger, refuseTooSoon, type LedgerDependencies, type LedgerRequest } from './ledger.ts'
import type { Statement } from './rows.ts'

/** Who collects which code. */
export interface CollectRequest extends LedgerRequest {
  readonly named: 'id' | 'phone'
  /** as it was read before */
  readonly stored: StoredCode
  /** shortest time since the customer's last collect; 0: none */
  readonly pauseMinutes: number
}

/** Thrown in the short transaction, and caught here: the ledger says what the case is. */
class NotPlain extends Refusal {
  constructor() {
    super('code-used', 'The code or the customer changed meanwhile.')
  }
}

const collectorRow = v.object({ key: v.number(), id: v.string() })

/** Adds points to a customer, or to the one that it was merged into. */
const addPoints = (column: 'id' | 'phone'): string => `
  UPDATE customers SET balance = balance + $3, lifetime_points = lifetime_points + $3
  WHERE customer = (
      SELECT coalesce(merged_into, customer) FROM customers AS named WHERE business = $1 AND ${column} = $2
    ) AND erased_at IS NULL AND merged_into IS NULL
  RETURNING customer AS key, phone, id`
const ADD_POINTS = { id: addPoints('id'), phone: addPoints('phone') }

export class CollectStore {
  readonly #dependencies: LedgerDependencies
  readonly #ledger: Ledger

  constructor(dependencies: LedgerDependencies) {
    this.#dependencies = dependencies
    this.#ledger = new Ledger(dependencies)
  }

  /**
   * Does as `Ledger.collect`. Resolves with whether the customer had collected the code before.
   *
   * @param alongside what is written in the same transaction
   */
  async collect(request: CollectRequest, alongside: readonly Statement[]): Promise<boolean> {
    const { stored, ...rest } = request
    const id = newOrderedIdentifier('ent', this.#dependencies.now(), this.#dependencies.random)
    if (codeStatus(stored, this.#dependencies.now()) === 'active') {
      try {
        await this.#collectActive(request, id, alongside)
        return false
      } catch (error) {
        if (!(error instanceof NotPlain)) throw error
      }
    }
    const { entry, isRepeated } = await this.#ledger.collect({ ...rest, code: stored.code }, (queries) =>
      writeAll(queries, alongside)
    )
    // Its own entry is that of a run whose answer was lost.
    return isRepeated === true && entry.id !== id
  }

  /** Collects a code that is active, for a customer who is known or joins. Rejects with `NotPlain` where one is not so. */
  #collectActive(
    { business, customer, named, joining, by, stored, pauseMinutes }: CollectRequest,
    id: string,
    alongside: readonly Statement[]
  ): Promise<void> {
    const { code, points } = stored
    const at = this.#dependencies.now().toISOString()
    const rest = { reward: null, reason: null, reverses: null, reference: null, cashier: null }
    const entry: LedgerEntry = {
      ...rest,
      id,
      kind: 'collected',
      ...entryChange('collected', points),
      at,
      by,
      code
    }
    return this.#dependencies.database.transaction(async (queries) => {
      const customers = new CustomerStore(queries)
      const adding = { sql: ADD_POINTS[named], values: [business, customer, points] }
      // One of the two finds nothing to do.
      const [row, another] = await writeTogether(queries, [
        adding,
        ...(joining === undefined ? [] : [customers.joining(business, joining, at, points)])
      ])
      if (row === undefined || another !== undefined) throw new NotPlain()
      const { key, id: collector } = v.parse(collectorRow, row)
      if (pauseMinutes > 0) await refuseTooSoon(queries, key, at, pauseMinutes)
      const written = await writeTogether(queries, [
        ...(joining === undefined ? [] : customers.joined(collector === joining.id ? key : null)),
        ...alongside,
        // Before the entry, as everywhere: so two transactions do not wait for each other.
        usage(business, stored, { customer: key, at }),
        insertion({ business, customer: key }, entry)
      ])
      // A return may have lowered the code since it was read.
      if (written.length < 2) throw new NotPlain()
    })
  }
}
