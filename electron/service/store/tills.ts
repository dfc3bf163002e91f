/** The tills of the store, each with its token. */
import * as v from 'valibot'
import type { BusinessKey } from '../domain/businesses.ts'
import type { Queries } from './database.ts'

/** A till that has a token. Dates in ISO 8601, UTC. */
export interface StoredTill {
  readonly id: string
  readonly business: BusinessKey
  readonly name: string
  /** the place where it stands; null: not named */
  readonly branch: string | null
  readonly createdAt: string
  /** to the minute; null before the first request */
  readonly lastUsedAt: string | null
  /** the token is refused since then */
  readonly revokedAt: string | null
}

const COLUMNS =
  'id, business, name, branch, created_at AS "createdAt", last_used_at AS "lastUsedAt", revoked_at AS "revokedAt"'

const tillRow = v.object({
  id: v.string(),
  business: v.number(),
  name: v.string(),
  branch: v.nullable(v.string()),
  createdAt: v.string(),
  lastUsedAt: v.nullable(v.string()),
  revokedAt: v.nullable(v.string())
})

/** What authentication needs: the till of a token, and what requests need of its business. */
interface TillOfToken extends Pick<StoredTill, 'id' | 'business' | 'lastUsedAt' | 'revokedAt'> {
  readonly codeValidityDays: number
  readonly reversalMinutes: number
  readonly welcomePoints: number
  readonly timeZone: string
  readonly creditLimit: number | null
  readonly creditApprovalLimit: number | null
  /** ISO 3166-1 alpha-2, or another text */
  readonly country: string
}

const tillOfTokenRow = v.object({
  id: v.string(),
  business: v.number(),
  lastUsedAt: v.nullable(v.string()),
  revokedAt: v.nullable(v.string()),
  codeValidityDays: v.number(),
  reversalMinutes: v.number(),
  welcomePoints: v.number(),
  timeZone: v.string(),
  creditLimit: v.nullable(v.number()),
  creditApprovalLimit: v.nullable(v.number()),
  country: v.string()
})

export class TillStore {
  readonly #queries: Queries

  constructor(queries: Queries) {
    this.#queries = queries
  }

  /** Whether any business has a till whose token is valid. */
  async hasAny(): Promise<boolean> {
    return (await this.#queries.read('SELECT id FROM tokens WHERE revoked_at IS NULL LIMIT 1')).length > 0
  }

  /** Adds the token of a till by its hash, unless the store has the till's id. */
  async add(till: Pick<StoredTill, 'id' | 'business' | 'name' | 'createdAt'>, hash: string): Promise<void> {
    await this.#queries.write(
      `INSERT INTO tokens (id, business, hash, name, created_at) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (id) DO NOTHING`,
      [till.id, till.business, hash, till.name, till.createdAt]
    )
  }

  /** Returns the till of a token, which may be revoked, or null. */
  async find(hash: string): Promise<TillOfToken | null> {
    const [row] = await this.#queries.read(
      `SELECT t.id, t.business, t.last_used_at AS "lastUsedAt", t.revoked_at AS "revokedAt",
         b.code_validity_days AS "codeValidityDays", b.reversal_minutes AS "reversalMinutes", b.welcome_points AS "welcomePoints",
         b.time_zone AS "timeZone", b.credit_limit AS "creditLimit",
         b.credit_approval_limit AS "creditApprovalLimit", b.country
       FROM tokens t JOIN businesses b ON b.business = t.business WHERE t.hash = $1`,
      [hash]
    )
    return row === undefined ? null : v.parse(tillOfTokenRow, row)
  }

  /** Returns the tills of a business, revoked ones included, in the order in which they were added. */
  async list(business: BusinessKey): Promise<readonly StoredTill[]> {
    const rows = await this.#queries.read(
      `SELECT ${COLUMNS} FROM tokens WHERE business = $1 ORDER BY created_at, id`,
      [business]
    )
    return rows.map((row) => v.parse(tillRow, row))
  }

  /** Changes the name and the branch of a till. Returns false if the business has no such till. */
  async change(
    business: BusinessKey,
    { id, name, branch }: Pick<StoredTill, 'id' | 'name' | 'branch'>
  ): Promise<boolean> {
    const rows = await this.#queries.write(
      'UPDATE tokens SET name = $3, branch = $4 WHERE business = $1 AND id = $2 RETURNING id',
      [business, id, name, branch]
    )
    return rows.length > 0
  }

  async noteUse(id: string, at: string): Promise<void> {
    await this.#queries.write('UPDATE tokens SET last_used_at = $2 WHERE id = $1', [id, at])
  }

  /** Revokes a till's token for good. Returns false if there is no such till; the first time stays. */
  async revoke(id: string, at: string): Promise<boolean> {
    const rows = await this.#queries.write(
      'UPDATE tokens SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1 RETURNING id',
      [id, at]
    )
    return rows.length > 0
  }
}
