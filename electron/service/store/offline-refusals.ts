/** Codes made without a connection that were proved and not taken, for the owner. */
import * as v from 'valibot'
import { OFFLINE_REFUSALS } from '../../contract/offline.ts'
import type { BusinessKey } from '../domain/businesses.ts'
import { minutesAfter } from '../domain/days.ts'
import type { Queries } from './database.ts'

const refusalRow = v.object({
  code: v.string(),
  till: v.string(),
  points: v.number(),
  day: v.string(),
  reason: v.picklist(OFFLINE_REFUSALS),
  seenAt: v.string(),
  seenBy: v.picklist(['report', 'customer']),
  allowedAt: v.nullable(v.string()),
  allowedBy: v.nullable(v.string()),
  isTaken: v.number()
})

const countRow = v.object({ count: v.number() })

/**
 * A code as it was refused last. `seenBy`: who asked first, the till or a customer; `isTaken`: 1 if it is a code by now, because it
 * was allowed or the limits have changed.
 */
export type RefusedCode = v.InferOutput<typeof refusalRow>

/** Refusals of codes of one till. */
interface NewRefusals {
  readonly business: BusinessKey
  readonly till: string
  readonly by: RefusedCode['seenBy']
  readonly at: Date
  readonly codes: readonly Pick<RefusedCode, 'code' | 'points' | 'day' | 'reason'>[]
}

/** Refusals of a till that are kept in so many days: a stolen till can make codes without end. */
const MAX_REFUSALS = 1000
const KEPT_DAYS = 30

const IS_TAKEN = 'EXISTS (SELECT 1 FROM codes WHERE codes.code = offline_refusals.code)'

/** Keeps that codes were refused, and why the last time. */
export const noteRefusals = async (
  queries: Queries,
  { business, till, by, at, codes }: NewRefusals
): Promise<void> => {
  if (codes.length === 0) return
  const since = minutesAfter(at.toISOString(), -KEPT_DAYS * 24 * 60)
  const [row] = await queries.read(
    'SELECT count(*) AS count FROM offline_refusals WHERE till = $1 AND seen_at > $2',
    [till, since]
  )
  const room = Math.max(0, MAX_REFUSALS - v.parse(countRow, row).count)
  for (const { code, points, day, reason } of codes.slice(0, room)) {
    await queries.write(
      `INSERT INTO offline_refusals (code, business, till, points, day, reason, seen_at, seen_by)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (code) DO UPDATE SET reason = excluded.reason`,
      [code, business, till, points, day, reason, at.toISOString(), by]
    )
  }
}

/** Keeps who allowed a code that was refused; the first one stays. */
export const markAllowed = async (
  queries: Queries,
  code: string,
  { by, at }: { readonly by: string; readonly at: string }
): Promise<void> => {
  await queries.write(
    `UPDATE offline_refusals SET allowed_at = coalesce(allowed_at, $2), allowed_by = coalesce(allowed_by, $3)
     WHERE code = $1`,
    [code, at, by]
  )
}

/** Returns what was refused in a business, the newest first. @param after the last code of the page before; null for the first page */
export const newestRefusals = async (
  queries: Pick<Queries, 'read'>,
  business: BusinessKey,
  { after, limit }: { readonly after: string | null; readonly limit: number }
): Promise<readonly RefusedCode[]> => {
  const older =
    'AND (seen_at, code) < (SELECT seen_at, code FROM offline_refusals WHERE business = $1 AND code = $3)'
  const rows = await queries.read(
    `SELECT code, till, points, day, reason, seen_at AS "seenAt", seen_by AS "seenBy", allowed_at AS "allowedAt",
       allowed_by AS "allowedBy", CASE WHEN ${IS_TAKEN} THEN 1 ELSE 0 END AS "isTaken"
     FROM offline_refusals WHERE business = $1 ${after === null ? '' : older}
     ORDER BY seen_at DESC, code DESC LIMIT $2`,
    [business, limit, ...(after === null ? [] : [after])]
  )
  return rows.map((row) => v.parse(refusalRow, row))
}

/** Returns how many codes a business has refused since a moment and not taken. @param since ISO 8601, UTC */
export const countRefused = async (
  queries: Pick<Queries, 'read'>,
  business: BusinessKey,
  since: string
): Promise<number> => {
  const [row] = await queries.read(
    `SELECT count(*) AS count FROM offline_refusals WHERE business = $1 AND seen_at >= $2 AND NOT ${IS_TAKEN}`,
    [business, since]
  )
  return v.parse(countRow, row).count
}
