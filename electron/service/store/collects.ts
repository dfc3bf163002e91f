/** Collecting: a customer, who is known or joins, gets the points of a code by one transaction of few statements. */
import * as v from 'valibot'
import { codeStatus, normalizeCode, type StoredCode } from '../domain/codes.ts'
import type { CustomerIdentity, CustomerKey } from '../domain/customers.ts'
import { AHEAD_MINUTES, minutesAfter } from '../domain/days.ts'
import { newOrderedIdentifier } from '../domain/identifiers.ts'
import { entryChange, type LedgerEntry } from '../domain/ledger.ts'
import { CollectedTooSoon, Refusal } from '../domain/refusal.ts'
import { CodeStore, usage } from './codes.ts'
import { CustomerStore } from './customers.ts'
import { ConflictError, writeAll, writeTogether, type Queries } from './database.ts'
import { entryRow, entryWhere, insertion, ownerOf, sumsOf, type LedgerReceipt } from './ledger-entries.ts'
import { CODE_REFUSALS, type LedgerDependencies, type LedgerRequest } from './ledger.ts'
import { OfflineCodeStore, type OpenedOfflineCode } from './offline-codes.ts'
import type { Statement } from './rows.ts'
import { withWelcome } from './welcome-points.ts'

/** Who collects which code. */
export interface CollectRequest extends LedgerRequest {
  readonly named?: 'id' | 'phone'
  /** as a person types it, too */
  readonly code: string
  /** the code as it was read before; it is read unless given */
  readonly stored?: StoredCode
  /** one that a till made without a connection, which is admitted first, in the same transaction */
  readonly unadmitted?: OpenedOfflineCode | undefined
  /** who is registered first unless known, by the same statements: so that their time does not tell who is */
  readonly joining?: CustomerIdentity
  /** shortest time since the customer's last collect; 0, and unless given: none */
  readonly pauseMinutes?: number
  /** for a first purchase; 0, and unless given: none */
  readonly welcomePoints?: number
}

/** How often a collect is tried whose code or customer changes meanwhile. */
const MAX_TRIES = 20

/** Thrown in the transaction that collects, and caught here: what the case is has to be read. */
class NotPlain extends Refusal {
  constructor() {
    super('code-used', 'The code or the customer changed meanwhile.')
  }
}

const collectorRow = v.object({
  key: v.number(),
  id: v.string(),
  balance: v.number(),
  lifetimePoints: v.number()
})

/** Adds points to a customer, or to the one that it was merged into. */
const addPoints = (column: 'id' | 'phone'): string => `
  UPDATE customers SET balance = balance + $3, lifetime_points = lifetime_points + $3
  WHERE customer = (
      SELECT coalesce(merged_into, customer) FROM customers AS named WHERE business = $1 AND ${column} = $2
    ) AND erased_at IS NULL AND merged_into IS NULL
  RETURNING customer AS key, phone, id, balance, lifetime_points AS "lifetimePoints"`
const ADD_POINTS = { id: addPoints('id'), phone: addPoints('phone') }

/**
 * Throws when a customer, or one merged into it, has collected within the last minutes. What was taken back does not
 * count, nor what a clock that was ahead has put into the future; another process of the service may be a little ahead.
 * The transaction has written the customer's row: so of two collects at once the second one sees the entry of the first.
 */
const refuseTooSoon = async (
  queries: Queries,
  customer: CustomerKey,
  at: string,
  minutes: number
): Promise<void> => {
  const [row] = await queries.read(
    `SELECT at, code FROM entries
     WHERE customer IN (SELECT customer FROM customers WHERE customer = $1 OR merged_into = $1)
       AND kind = 'collected' AND at > $2 AND at <= $3
       AND NOT EXISTS (SELECT 1 FROM entries AS reversals WHERE reversals.reverses = entries.id)
     ORDER BY at DESC LIMIT 1`,
    [customer, minutesAfter(at, -minutes), minutesAfter(at, AHEAD_MINUTES)]
  )
  if (row === undefined) return
  const last = v.parse(v.object({ at: v.string(), code: v.string() }), row)
  throw new CollectedTooSoon(minutesAfter(last.at, minutes), last.code)
}

export class CollectStore {
  readonly #dependencies: LedgerDependencies
  readonly #codes: CodeStore
  readonly #offline: OfflineCodeStore

  constructor(dependencies: LedgerDependencies) {
    this.#dependencies = dependencies
    this.#codes = new CodeStore(dependencies.database)
    this.#offline = new OfflineCodeStore(dependencies)
  }

  /**
   * Gives the customer the points of an active code. The same customer gets the same entry again. Rejects with a `Refusal` for
   * another customer, for a code that is unknown, expired, cancelled or not admitted, and with `CollectedTooSoon`.
   *
   * @param alongside what is written in the same transaction, also when the customer had collected the code before
   */
  async collect(request: CollectRequest, alongside: readonly Statement[] = []): Promise<LedgerReceipt> {
    const code = normalizeCode(request.code)
    const id = newOrderedIdentifier('ent', this.#dependencies.now(), this.#dependencies.random)
    let stored = request.stored ?? (await this.#codes.find(request.business, code))
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      let tooSoon: CollectedTooSoon | null = null
      if (stored !== null && codeStatus(stored, this.#dependencies.now()) === 'active') {
        try {
          return await this.#collectActive(request, stored, id, alongside)
        } catch (error) {
          if (error instanceof CollectedTooSoon) tooSoon = error
          else if (!(error instanceof NotPlain)) throw error
        }
      }
      const found = await this.#read(request, code, id, alongside)
      if ('entry' in found) return found
      if (tooSoon !== null) throw tooSoon
      stored = found
    }
    throw new ConflictError('the code changed meanwhile')
  }

  /** Collects a code that is active, for a customer who is known or joins. Rejects with `NotPlain` where one is not so. */
  #collectActive(
    {
      business,
      customer,
      named = 'id',
      joining,
      by,
      pauseMinutes = 0,
      welcomePoints = 0,
      unadmitted
    }: CollectRequest,
    stored: StoredCode,
    id: string,
    alongside: readonly Statement[]
  ): Promise<LedgerReceipt> {
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
      if (unadmitted !== undefined) await this.#offline.admitOpened(queries, unadmitted)
      const customers = new CustomerStore(queries)
      const adding = { sql: ADD_POINTS[named], values: [business, customer, points] }
      // One of the two finds nothing to do.
      const [row, another] = await writeTogether(queries, [
        adding,
        ...(joining === undefined ? [] : [customers.joining(business, joining, at, points)])
      ])
      if (row === undefined || another !== undefined) throw new NotPlain()
      const { key, id: collector, balance, lifetimePoints } = v.parse(collectorRow, row)
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
      const owner = { business, customer: key, id: collector }
      return withWelcome(queries, owner, { entry, balance, lifetimePoints }, welcomePoints)
    })
  }

  /**
   * Reads what a code is to a customer by statements that are the same for a known and an unknown one. Resolves with the receipt
   * of who has collected it, and with the code if it is active. Rejects with a `Refusal` otherwise.
   *
   * @param id of the entry that was to be written: it is that of a run whose answer was lost
   */
  #read(
    { business, customer, named = 'id', joining, unadmitted }: CollectRequest,
    code: string,
    id: string,
    alongside: readonly Statement[]
  ): Promise<LedgerReceipt | StoredCode> {
    return this.#dependencies.database.transaction(async (queries) => {
      if (unadmitted !== undefined) await this.#offline.admitOpened(queries, unadmitted)
      const owner = await new CustomerStore(queries).findOwner(business, named, customer)
      if (owner === null && joining === undefined) {
        throw new Refusal('customer-unknown', 'There is no such customer.')
      }
      const collected = await entryWhere(queries, business, 'code', code)
      const collector = collected === null ? null : await ownerOf(queries, collected.customer)
      if (collected !== null && collector === owner?.key) {
        await writeAll(queries, alongside)
        const receipt = { entry: v.parse(entryRow, collected), ...(await sumsOf(queries, collector)) }
        return collected.id === id ? receipt : { ...receipt, isRepeated: true }
      }
      const stored = await new CodeStore(queries).find(business, code)
      if (stored === null) throw new Refusal('code-unknown', 'There is no such code.')
      const status = codeStatus(stored, this.#dependencies.now())
      if (status !== 'active') throw new Refusal(...CODE_REFUSALS[status])
      return stored
    })
  }
}
