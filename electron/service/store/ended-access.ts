/** What ended in the data that a backup replaces, and must not come back with it: customers who were erased, cancelled codes, and access. */
import type { DatabaseSync } from 'node:sqlite'
import * as v from 'valibot'
import type { Database, Queries } from './database.ts'
import { eraseAgain } from './identities.ts'

type Values = readonly (string | null)[]

/** One kind of what ends for good. */
interface EndedAccessKind {
  /** in words for people */
  readonly what: string
  /** selects the values of `repeat` */
  readonly read: string
  /** ends the same in the restored data, whatever is missing there */
  readonly repeat: (queries: Queries, values: Values) => Promise<unknown>
}

const statement =
  (sql: string): EndedAccessKind['repeat'] =>
  (queries, values) =>
    queries.write(sql, values)

// Tills, codes and staff that the backup does not have are added as ended: a later backup, restored next, may have them.
const KINDS: readonly EndedAccessKind[] = [
  {
    what: 'erasures',
    read: 'SELECT customer_id, erased_at FROM erasures ORDER BY erased_at, customer_id',
    repeat: (queries, [customerId, erasedAt]) => eraseAgain(queries, customerId ?? '', erasedAt ?? '')
  },
  {
    what: 'phones of erased customers',
    read: `SELECT businesses.id AS shop, salt, hash
      FROM erased_phones JOIN businesses ON businesses.business = erased_phones.business`,
    repeat: statement(
      `INSERT INTO erased_phones (business, salt, hash)
       SELECT business, $2, $3 FROM businesses WHERE id = $1 ON CONFLICT DO NOTHING`
    )
  },
  {
    what: 'revoked tills',
    read: `SELECT tokens.id, businesses.id AS shop, hash, tokens.name, tokens.created_at, revoked_at
      FROM tokens JOIN businesses ON businesses.business = tokens.business WHERE revoked_at IS NOT NULL`,
    repeat: statement(
      `INSERT INTO tokens (id, business, hash, name, created_at, revoked_at)
       SELECT $1, business, $3, $4, $5, $6 FROM businesses WHERE id = $2
       ON CONFLICT (id) DO UPDATE SET revoked_at = coalesce(tokens.revoked_at, excluded.revoked_at)`
    )
  },
  {
    what: 'stopped slips without a connection',
    read: `SELECT DISTINCT tokens.id AS till, coalesce(offline_stopped_at, offline_keys.revoked_at) AS revoked_at,
        offline_stopped_at AS stopped_at
      FROM tokens LEFT JOIN offline_keys ON till = tokens.id
      WHERE coalesce(offline_stopped_at, offline_keys.revoked_at) IS NOT NULL`,
    repeat: async (queries, [till = null, revokedAt = null, stoppedAt = null]) => {
      await queries.write('UPDATE offline_keys SET revoked_at = coalesce(revoked_at, $2) WHERE till = $1', [
        till,
        revokedAt
      ])
      // Without it the till would get another key.
      await queries.write(
        'UPDATE tokens SET offline_stopped_at = coalesce(offline_stopped_at, $2) WHERE id = $1',
        [till, stoppedAt]
      )
    }
  },
  {
    what: 'cancelled codes',
    read: `SELECT code, businesses.id AS shop, CAST(points + returned_points AS TEXT) AS points, CAST(image AS TEXT) AS image,
        codes.created_at, updated_at, expires_at, cancelled_at
      FROM codes JOIN businesses ON businesses.business = codes.business WHERE cancelled_at IS NOT NULL`,
    repeat: statement(
      `INSERT INTO codes (code, business, points, image, created_at, updated_at, expires_at, cancelled_at)
       SELECT $1, business, CAST($3 AS INTEGER), CAST($4 AS INTEGER), $5, $6, $7, $8 FROM businesses WHERE id = $2
       ON CONFLICT (code) DO UPDATE SET cancelled_at = excluded.cancelled_at, updated_at = excluded.updated_at
         WHERE codes.used_at IS NULL AND codes.cancelled_at IS NULL`
    )
  },
  {
    what: 'forgotten cashiers',
    read: `SELECT CAST(cashier AS TEXT) AS cashier, CAST(number AS TEXT) AS number FROM cashiers WHERE name IS NULL`,
    repeat: async (queries, [cashier, number]) => {
      const forgotten = await queries.write(
        'UPDATE cashiers SET name = NULL WHERE cashier = CAST($1 AS INTEGER) AND number = CAST($2 AS INTEGER) RETURNING cashier',
        [cashier ?? null, number ?? null]
      )
      if (forgotten.length === 0) return
      await queries.write('UPDATE explanations SET note = NULL WHERE maker = $1', [
        `cashier:${cashier ?? ''}`
      ])
    }
  },
  {
    what: 'removed staff',
    read: `SELECT staff_members.id, businesses.id AS shop, staff_members.name, role, staff_members.created_at
      FROM staff_members JOIN businesses ON businesses.business = staff_members.business WHERE name_key IS NULL`,
    repeat: statement(
      `INSERT INTO staff_members (id, business, name, role, created_at)
       SELECT $1, business, $3, $4, $5 FROM businesses WHERE id = $2
       ON CONFLICT (id) DO UPDATE SET name_key = NULL, password_hash = NULL`
    )
  },
  {
    what: 'passwords',
    read: 'SELECT id, password_hash FROM staff_members WHERE password_hash IS NOT NULL',
    repeat: statement('UPDATE staff_members SET password_hash = $2 WHERE id = $1 AND name_key IS NOT NULL')
  },
  {
    // Also those that were linked to another customer since.
    what: 'unlinked phones',
    read: `SELECT devices.id, customers.id AS linked
      FROM devices LEFT JOIN customers ON customers.customer = devices.customer`,
    repeat: statement(
      `UPDATE devices SET customer = NULL WHERE id = $1
         AND customer IS NOT NULL AND customer IS NOT (SELECT customer FROM customers WHERE id = $2)`
    )
  }
]

/** What ended, of one kind. */
export interface EndedAccess extends EndedAccessKind {
  /** null if the data could not be read */
  readonly rows: readonly Values[] | null
}

const valuesRow = v.record(v.string(), v.nullable(v.string()))

/** Reads what can be read, also of damaged data and of a newer version. @param replaced null: nothing can be read */
export const readEndedAccess = (replaced: DatabaseSync | null): readonly EndedAccess[] =>
  KINDS.map((kind) => {
    try {
      const rows = v.parse(v.array(valuesRow), replaced?.prepare(kind.read).all())
      return { ...kind, rows: rows.map((row) => Object.values(row)) }
    } catch {
      // Whatever is wrong with the data: they are replaced.
      return { ...kind, rows: null }
    }
  })

/** Ends the same in restored data. Deletes its sessions, and the links and codes that would give access. */
export const repeatEndedAccess = (restored: Database, ended: readonly EndedAccess[]): Promise<void> =>
  restored.transaction(async (queries) => {
    for (const { repeat, rows } of ended) for (const values of rows ?? []) await repeat(queries, values)
    for (const table of ['sessions', 'sign_in_links', 'pairings', 'link_codes']) {
      await queries.write(`DELETE FROM ${table}`)
    }
  })
