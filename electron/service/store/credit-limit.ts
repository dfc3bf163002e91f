/** How many points a till may credit on a day. */
import * as v from 'valibot'
import type { StoredBusiness } from '../domain/businesses.ts'
import { dayOf, daysBetween } from '../domain/days.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Queries } from './database.ts'

const sumRow = v.object({ points: v.number() })

/**
 * Throws a `Refusal` when a till would credit more than its shop allows on a day; what was undone does not count. Call it in
 * the transaction that credits.
 *
 * @param till id
 * @param at ISO 8601, UTC
 */
export const refuseAboveLimit = async (
  queries: Queries,
  { key, timeZone, creditLimit }: Pick<StoredBusiness, 'key' | 'timeZone' | 'creditLimit'>,
  { till, points, at }: { readonly till: string; readonly points: number; readonly at: string }
): Promise<void> => {
  if (creditLimit === null) return
  // The row stays locked: of two credits at once the second one sees the entry of the first.
  await queries.write('UPDATE tokens SET name = name WHERE id = $1', [till])
  const today = dayOf(new Date(at), timeZone)
  const [day] = daysBetween(today, today, timeZone)
  const [row] = await queries.read(
    `SELECT CAST(coalesce(sum(points), 0) AS BIGINT) AS points FROM entries
     WHERE business = $1 AND made_by = $2 AND kind = 'credited' AND at >= $3 AND at < $4
       AND NOT EXISTS (SELECT 1 FROM entries AS reversals WHERE reversals.reverses = entries.id)`,
    [key, `till:${till}`, day?.start ?? at, day?.end ?? at]
  )
  if (v.parse(sumRow, row).points + points > creditLimit) {
    throw new Refusal('credit-limit-reached', `A till may credit ${creditLimit} points a day.`)
  }
}
