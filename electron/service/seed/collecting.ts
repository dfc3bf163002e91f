/** Customers of training mode, whose slips no phone can collect: the till still has collected codes to show. */
import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { Refusal } from '../domain/refusal.ts'
import { CollectStore } from '../store/collects.ts'
import type { LedgerDependencies } from '../store/ledger.ts'
import { SEEDED_CODES } from './seed.ts'

/** How long after a code was issued it is collected. */
const COLLECTED_AFTER_MS = 60_000
/** Older codes were left by the customers who did not collect them. */
const COLLECTED_WITHIN_MS = 24 * 60 * 60_000
/** Codes of one call. */
const MAX_CODES = 100

/** Those stay as they are listed. */
const SEEDED: ReadonlySet<string> = new Set(SEEDED_CODES.unused)

const codeRow = v.object({ business: v.number(), code: v.string() })
const customerRow = v.object({ id: v.string() })

/** Collects two of three codes, each by one of the last customers, so that those of the documentation keep their points. */
export class SampleCustomers {
  readonly #dependencies: LedgerDependencies
  readonly #collects: CollectStore

  constructor(dependencies: LedgerDependencies) {
    this.#dependencies = dependencies
    this.#collects = new CollectStore(dependencies)
  }

  /** Collects the codes that are due. */
  async collect(): Promise<void> {
    const { database, now } = this.#dependencies
    const at = now().getTime()
    const rows = await database.read(
      `SELECT business, code FROM codes WHERE used_at IS NULL AND cancelled_at IS NULL
         AND created_at < $1 AND created_at > $2 AND expires_at > $3 ORDER BY created_at`,
      [at - COLLECTED_AFTER_MS, at - COLLECTED_WITHIN_MS, at].map((ms) => new Date(ms).toISOString())
    )
    let due = 0
    for (const row of rows) {
      const { business, code } = v.parse(codeRow, row)
      const [chance = 0, which = 0] = createHash('sha256').update(code).digest()
      if (chance % 3 === 0 || SEEDED.has(code)) continue
      due += 1
      if (due > MAX_CODES) break
      const customers = await database.read(
        `SELECT id FROM customers WHERE business = $1 AND erased_at IS NULL AND merged_into IS NULL
         ORDER BY customer DESC LIMIT 20`,
        [business]
      )
      const customer = customers[which % Math.max(1, customers.length)]
      if (customer === undefined) continue
      try {
        await this.#collects.collect({
          business,
          customer: v.parse(customerRow, customer).id,
          code,
          by: 'customer'
        })
      } catch (error) {
        // It was cancelled meanwhile.
        if (!(error instanceof Refusal)) throw error
      }
    }
  }
}
