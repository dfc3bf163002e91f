/** How many points a till may credit on a day. */
import * as v from 'valibot'
import type { CreditLimits } from '../domain/businesses.ts'
import { dayOf, daysBetween } from '../domain/days.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Queries } from './database.ts'

const sumRow = v.object({ points: v.number() })

/**
 * Throws a `Refusal` when a till would credit more than its shop allows on a day, or allows without a manager; points of codes
 * and credits that were undone do not count. Call it in the transaction that credits.
 *
 * @param asked `till`: its id; `isApproved`: whether a manager approved it there; `at`: ISO 8601, UTC
 */
export const refuseAboveLimit = async (
  queries: Queries,
  { key, timeZone, creditLimit, creditApprovalLimit }: CreditLimits,
  asked: { readonly till: string; readonly points: number; readonly isApproved: boolean; readonly at: string }
): Promise<void> => {
  const { till, points, isApproved, at } = asked
  const approvalLimit = isApproved ? null : creditApprovalLimit
  if (creditLimit === null && approvalLimit === null) return
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
  const sum = v.parse(sumRow, row).points + points
  if (creditLimit !== null && sum > creditLimit) {
    throw new Refusal('credit-limit-reached', `A till may credit ${creditLimit} points a day.`)
  }
  if (approvalLimit !== null && sum > approvalLimit) {
    throw new Refusal('credit-needs-approval', `Above ${approvalLimit} points a day a manager approves.`)
  }
}
