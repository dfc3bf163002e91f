/** The cashiers that tills have named. */
import * as v from 'valibot'
import type { BusinessKey } from '../domain/businesses.ts'
import type { NamedCashier, CashierKey } from '../domain/cashiers.ts'
import type { Queries } from './database.ts'

/** The name of a cashier among those who make entries: `cashier:7`. */
export const cashierMaker = (key: CashierKey | null | undefined): string => `cashier:${String(key ?? '')}`

const keyRow = v.object({ key: v.number() })
const namedRow = v.object({ key: v.number(), number: v.number(), name: v.nullable(v.string()) })

export class CashierStore {
  readonly #queries: Queries

  constructor(queries: Queries) {
    this.#queries = queries
  }

  /** Returns the key of a cashier, who is added when a till names them first. */
  async keyOf(business: BusinessKey, { number, name }: NamedCashier): Promise<CashierKey> {
    const values = [business, number, name]
    const [known] = await this.#queries.read(
      'SELECT cashier AS key FROM cashiers WHERE business = $1 AND number = $2 AND name = $3',
      values
    )
    if (known !== undefined) return v.parse(keyRow, known).key
    const [added] = await this.#queries.write(
      `INSERT INTO cashiers (business, number, name) VALUES ($1, $2, $3)
       ON CONFLICT (business, number, name) DO UPDATE SET name = excluded.name RETURNING cashier AS key`,
      values
    )
    return v.parse(keyRow, added).key
  }

  /** Forgets the name of a cashier, and notes about them; what they did keeps the number. Done already for one who is not there. */
  async forget(business: BusinessKey, { number, name }: NamedCashier): Promise<void> {
    await this.#queries.write(
      `UPDATE explanations SET note = NULL WHERE business = $1 AND maker IN (
         SELECT 'cashier:' || CAST(cashier AS TEXT) FROM cashiers WHERE business = $1 AND number = $2 AND name = $3)`,
      [business, number, name]
    )
    await this.#queries.write(
      'UPDATE cashiers SET name = NULL WHERE business = $1 AND number = $2 AND name = $3',
      [business, number, name]
    )
  }

  /** Returns the cashiers of a business with their texts: `3 Ana`, and `3` for one who is forgotten. */
  async list(business: BusinessKey): Promise<readonly { readonly key: CashierKey; readonly text: string }[]> {
    const rows = await this.#queries.read(
      'SELECT cashier AS key, number, name FROM cashiers WHERE business = $1 ORDER BY cashier',
      [business]
    )
    return rows.map((row) => {
      const { key, number, name } = v.parse(namedRow, row)
      return { key, text: [String(number), name ?? ''].filter((text) => text !== '').join(' ') }
    })
  }

  /** Returns the texts of `list` by `cashierMaker`. */
  async names(business: BusinessKey): Promise<ReadonlyMap<string, string>> {
    return new Map((await this.list(business)).map(({ key, text }) => [cashierMaker(key), text]))
  }
}
