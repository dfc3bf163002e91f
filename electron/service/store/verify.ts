/** Proves that the sums beside the ledger are its sums, and that codes and entries agree. */
import * as v from 'valibot'
import type { Queries } from './database.ts'
import { WRONG_DAY_SUMS } from './day-sums.ts'
import { wrongLots } from './verify-lots.ts'

/** Something that is wrong: what, and how many records. */
export interface LedgerFault {
  readonly check: LedgerCheck
  readonly records: number
  /** the first ones: ids of customers, entries or businesses, or codes */
  readonly examples: readonly string[]
}

/** Each selects `record`, the name of a record that is wrong. One statement sees one state of the database. */
const CHECKS = {
  // The cast gives the key its type, without which SQLite reads all sums once for each customer.
  'balances are the sums of the entries': `
    SELECT c.id AS record FROM customers c
    LEFT JOIN (
      SELECT CAST(coalesce(o.merged_into, o.customer) AS BIGINT) AS customer, sum(e.points) AS points,
        sum(e.lifetime_points) AS lifetime_points
      FROM entries e JOIN customers o ON o.customer = e.customer GROUP BY 1
    ) s ON s.customer = c.customer
    WHERE c.balance <> coalesce(s.points, 0) OR c.lifetime_points <> coalesce(s.lifetime_points, 0)`,
  'collected codes have their entry': `
    SELECT c.code AS record FROM codes c LEFT JOIN entries e ON e.code = c.code
    WHERE c.used_by IS NOT NULL AND (e.id IS NULL OR e.kind <> 'collected' OR e.points <> c.points
      OR e.lifetime_points <> c.points OR e.customer <> c.used_by OR e.business <> c.business OR e.at <> c.used_at)`,
  'collected entries have their code': `
    SELECT e.id AS record FROM entries e LEFT JOIN codes c ON c.code = e.code
    WHERE e.kind = 'collected' AND (c.code IS NULL OR c.used_by IS NULL OR c.used_by <> e.customer)`,
  'reversals are the opposite of their entry': `
    SELECT r.id AS record FROM entries r
    LEFT JOIN entries e ON e.id = r.reverses
    LEFT JOIN customers rc ON rc.customer = r.customer
    LEFT JOIN customers ec ON ec.customer = e.customer
    WHERE r.kind = 'reversed' AND (e.id IS NULL OR e.kind = 'reversed' OR r.points <> -e.points
      OR r.lifetime_points <> -e.lifetime_points
      OR coalesce(rc.merged_into, rc.customer) <> coalesce(ec.merged_into, ec.customer))`,
  'entries have what belongs to their kind': `
    SELECT id AS record FROM entries WHERE NOT CASE kind
      WHEN 'collected' THEN code IS NOT NULL AND points > 0 AND lifetime_points = points
      WHEN 'credited' THEN points > 0 AND lifetime_points = points
      WHEN 'returned' THEN points < 0 AND lifetime_points = points
      WHEN 'redeemed' THEN reward IS NOT NULL AND points <= 0 AND lifetime_points = 0
      WHEN 'adjusted' THEN reason IS NOT NULL AND points <> 0 AND lifetime_points = points
      WHEN 'reversed' THEN reverses IS NOT NULL
      WHEN 'imported' THEN points >= 0 AND lifetime_points >= points
      WHEN 'welcomed' THEN points > 0 AND lifetime_points = points
      WHEN 'birthday' THEN points > 0 AND lifetime_points = points
      WHEN 'expired' THEN lot IS NOT NULL AND points < 0 AND lifetime_points = 0
      ELSE FALSE END`,
  'codes are lowered by their returns': `
    SELECT c.code AS record FROM codes c
    LEFT JOIN (SELECT code, sum(points) AS points FROM returns WHERE entry IS NULL GROUP BY code) r ON r.code = c.code
    WHERE c.returned_points <> coalesce(r.points, 0)
      OR (c.returned_points > 0 AND c.points = 0 AND c.cancelled_at IS NULL)`,
  'returned entries have their return': `
    SELECT e.id AS record FROM entries e
    LEFT JOIN returns r ON r.entry = e.id
    LEFT JOIN entries p ON p.id = r.credit OR p.code = r.code
    LEFT JOIN customers ec ON ec.customer = e.customer
    LEFT JOIN customers pc ON pc.customer = p.customer
    WHERE e.kind = 'returned' AND (r.id IS NULL OR p.id IS NULL OR r.points <> -e.points OR p.points <= 0
      OR EXISTS (SELECT 1 FROM entries x WHERE x.reverses = p.id)
      OR coalesce(ec.merged_into, ec.customer) <> coalesce(pc.merged_into, pc.customer))`,
  'returns are at most what was given': `
    SELECT r.id AS record FROM returns r
    LEFT JOIN codes c ON c.code = r.code
    LEFT JOIN entries p ON p.id = r.credit AND p.kind = 'credited'
    WHERE (r.code IS NULL) = (r.credit IS NULL) OR r.points < 0
      OR r.returned > coalesce(c.points + c.returned_points, p.points, -1)
      OR r.returned <> (
        SELECT sum(o.points) FROM returns o WHERE (o.code = r.code OR o.credit = r.credit) AND o.number <= r.number
      )
      OR EXISTS (SELECT 1 FROM entries e WHERE e.id = r.entry AND e.kind <> 'returned')`,
  'points that have expired were brought by their lot': `
    SELECT x.id AS record FROM entries x
    LEFT JOIN entries l ON l.id = x.lot
    LEFT JOIN customers xc ON xc.customer = x.customer
    LEFT JOIN customers lc ON lc.customer = l.customer
    WHERE x.lot IS NOT NULL AND (x.kind <> 'expired' OR l.id IS NULL OR l.points < -x.points
      OR coalesce(xc.merged_into, xc.customer) <> coalesce(lc.merged_into, lc.customer))`,
  'customers are counted': `
    SELECT b.id AS record FROM businesses b
    LEFT JOIN (
      SELECT business, count(*) AS customers FROM customers
      WHERE erased_at IS NULL AND merged_into IS NULL GROUP BY business
    ) c ON c.business = b.business
    WHERE b.customers + (
      SELECT count(*) FROM joined_customers
      WHERE customer BETWEEN b.business * 4294967296 + 1 AND (b.business + 1) * 4294967296
    ) <> coalesce(c.customers, 0)`,
  'sums of days are those of entries, codes and customers': WRONG_DAY_SUMS,
  'days of tills have the points of their codes made without a connection': `
    SELECT till || ' ' || day AS record FROM (
      SELECT till, day, points FROM offline_days
      UNION ALL SELECT till, offline_day, -(points + returned_points) FROM codes WHERE offline_day IS NOT NULL
    ) sums GROUP BY till, day HAVING sum(points) <> 0`,
  'merged customers stand for a customer that has their points': `
    SELECT m.id AS record FROM customers m JOIN customers k ON k.customer = m.merged_into
    WHERE k.merged_into IS NOT NULL OR k.business <> m.business OR m.balance <> 0 OR m.lifetime_points <> 0`,
  'erased customers have no name, phone, e-mail and birthday': `
    SELECT id AS record FROM customers WHERE erased_at IS NOT NULL
      AND (name <> '' OR phone IS NOT NULL OR email IS NOT NULL OR email_key IS NOT NULL OR birthday IS NOT NULL
        OR search_text <> '')`
} as const

/** By replay: see verify-lots.ts. */
const LOTS = 'lots are what is left of the balance, and ended after their last day'

type LedgerCheck = keyof typeof CHECKS | typeof LOTS

/** What `verifyLedger` proves, in words. */
export const LEDGER_CHECKS = [...Object.keys(CHECKS), LOTS]

const recordRow = v.object({ record: v.string() })
const MAX_EXAMPLES = 5

/** Returns what is wrong; nothing if all is well. Reads the whole store. */
export const verifyLedger = async (queries: Queries): Promise<readonly LedgerFault[]> => {
  const faults: LedgerFault[] = []
  const add = (check: LedgerCheck, records: readonly string[]): void => {
    if (records.length === 0) return
    faults.push({ check, records: records.length, examples: records.slice(0, MAX_EXAMPLES) })
  }
  for (const [check, sql] of Object.entries(CHECKS) as [LedgerCheck, string][]) {
    const rows = await queries.read(sql, [], { isLong: true })
    add(
      check,
      rows.map((row) => v.parse(recordRow, row).record)
    )
  }
  add(LOTS, await wrongLots(queries))
  return faults
}
