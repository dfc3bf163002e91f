/** Welcome points: what a shop gives with a customer's first purchase, which is collected or credited. */
import * as v from 'valibot'
import { identifierOfRequest } from '../domain/identifiers.ts'
import { entryChange, NO_DETAILS, type LedgerEntry } from '../domain/ledger.ts'
import type { Queries } from './database.ts'
import { wasErased } from './erased-phones.ts'
import { insertion, type EntryOwner, type LedgerReceipt } from './ledger-entries.ts'

const buyerRow = v.object({ phone: v.string(), isKnown: v.number() })

/** Who was a customer before, also as one that was merged: with a purchase or a welcome, or brought from another system. */
const SELECT_BUYER = `SELECT phone, CASE WHEN EXISTS (
      SELECT 1 FROM customers AS own WHERE (own.customer = $1 OR own.merged_into = $1) AND own.imported = 1
    ) OR EXISTS (
      SELECT 1 FROM entries
      WHERE customer IN (SELECT own.customer FROM customers AS own WHERE own.customer = $1 OR own.merged_into = $1)
        AND kind IN ('collected', 'credited', 'welcomed') AND id <> $2
    ) THEN 1 ELSE 0 END AS "isKnown"
  FROM customers WHERE customer = $1`

/**
 * Adds welcome points to what a purchase has brought, in its transaction, which has written the customer's row. A customer gets
 * them once: not with a later purchase, nor whose phone was erased, nor who was imported. They stay when the purchase goes back.
 * The statements are the same for all, so that their time does not tell who is known.
 *
 * @param owner with the customer's id
 * @param points 0: none, and no statement
 */
export const withWelcome = async (
  queries: Queries,
  { id, ...owner }: EntryOwner & { readonly id: string },
  receipt: LedgerReceipt,
  points: number
): Promise<LedgerReceipt> => {
  if (points === 0) return receipt
  const { entry: purchase, balance, lifetimePoints } = receipt
  const [row] = await queries.read(SELECT_BUYER, [owner.customer, purchase.id])
  const { phone, isKnown } = v.parse(buyerRow, row)
  const isErased = await wasErased(queries, owner.business, phone)
  const welcome: LedgerEntry = {
    ...NO_DETAILS,
    // Nothing is written under the id of the purchase, which the ledger has.
    id: isKnown === 1 || isErased ? purchase.id : identifierOfRequest('ent', owner.business, id, 'welcomed'),
    ...{ kind: 'welcomed', ...entryChange('welcomed', points), at: purchase.at, by: purchase.by }
  }
  const { sql, values } = insertion(owner, welcome)
  const welcomed = (await queries.write(sql, values)).length > 0 ? points : 0
  await queries.write(
    `UPDATE customers SET balance = balance + $2, lifetime_points = lifetime_points + $2 WHERE customer = $1`,
    [owner.customer, welcomed]
  )
  return {
    ...{ entry: purchase, balance: balance + welcomed, lifetimePoints: lifetimePoints + welcomed },
    ...(welcomed > 0 && { welcomed })
  }
}
