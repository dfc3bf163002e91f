/** Codes made without a connection that were proved and not taken, for the owner. */
import type { BusinessKey } from '../domain/businesses.ts'
import type { Queries } from './database.ts'

/** A refusal. */
interface NewRefusal {
  readonly business: BusinessKey
  readonly till: string
  readonly code: string
  readonly points: number
  readonly day: string
  readonly reason: string
  /** who asked: the till, or a customer */
  readonly by: 'report' | 'customer'
  readonly at: Date
}

/** Refusals that are kept of a till's day: a stolen till can make codes without end. */
const MAX_REFUSALS = 500

/** Keeps that a code was refused, and why the last time. */
export const noteRefusal = async (
  queries: Queries,
  { business, till, code, points, day, reason, by, at }: NewRefusal
): Promise<void> => {
  await queries.write(
    `INSERT INTO offline_refusals (code, business, till, points, day, reason, seen_at, seen_by)
     SELECT $1, CAST($2 AS BIGINT), $3, CAST($4 AS BIGINT), $5, $6, $7, $8
     WHERE (SELECT count(*) FROM offline_refusals WHERE till = $3 AND day = $5) < ${String(MAX_REFUSALS)}
     ON CONFLICT (code) DO UPDATE SET reason = excluded.reason`,
    [code, business, till, points, day, reason, at.toISOString(), by]
  )
}
