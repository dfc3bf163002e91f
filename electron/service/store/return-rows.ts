/** Returns as rows: each is numbered within its purchase, and none is changed. */
import * as v from 'valibot'
import type { CashierKey } from '../domain/cashiers.ts'
import { NOTHING_RETURNED, type PurchaseState } from '../domain/returns.ts'
import { ConflictError, type Queries } from './database.ts'
import type { KeyedRequest } from './keyed-answers.ts'

/** The code or the credit (id of its entry) that gave the points. */
export interface PurchaseName {
  readonly target: 'code' | 'credit'
  readonly name: string
}

const stateRow = v.object({ number: v.number(), returned: v.number(), part: v.string() })
const shownRow = v.object({ points: v.number(), reason: v.nullable(v.string()), at: v.string() })

/** A return as pages show it. */
export type ShownReturn = v.InferOutput<typeof shownRow>

/** Returns what went back of a purchase up to now, and the number of the last return; 0 before the first. */
export const lastReturn = async (
  queries: Queries,
  { target, name }: PurchaseName
): Promise<Pick<PurchaseState, 'returned' | 'part'> & { readonly number: number }> => {
  const [row] = await queries.read(
    `SELECT number, returned, part FROM returns WHERE ${target} = $1 ORDER BY number DESC LIMIT 1`,
    [name]
  )
  return row === undefined ? { number: 0, returned: 0, part: NOTHING_RETURNED } : v.parse(stateRow, row)
}

/** Returns the returns of a purchase, the oldest first. */
export const returnsOf = async (
  queries: Queries,
  { target, name }: PurchaseName
): Promise<readonly ShownReturn[]> => {
  const rows = await queries.read(
    `SELECT points, reason, at FROM returns WHERE ${target} = $1 ORDER BY number`,
    [name]
  )
  return rows.map((row) => v.parse(shownRow, row))
}

/** A return as it is written. */
interface NewReturn extends Pick<PurchaseState, 'returned' | 'part'>, Pick<KeyedRequest, 'business' | 'by'> {
  readonly id: string
  readonly purchase: PurchaseName
  readonly number: number
  readonly taken: number
  readonly reason: string | null
  readonly at: string
  readonly cashier: CashierKey | null
  readonly entry: string | null
}

/** Writes a return. Throws a `ConflictError` when another one of the purchase was written meanwhile. */
export const appendReturn = async (queries: Queries, row: NewReturn): Promise<void> => {
  const { target, name } = row.purchase
  const written = await queries.write(
    `INSERT INTO returns (id, business, ${target}, number, points, returned, part, reason, at, made_by, cashier, entry)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT DO NOTHING RETURNING id`,
    [
      ...[row.id, row.business.key, name, row.number, row.taken, row.returned, row.part],
      ...[row.reason, row.at, row.by, row.cashier, row.entry]
    ]
  )
  if (written.length === 0) throw new ConflictError('another return of the purchase was written meanwhile')
}
