/** The QR codes of the store. */
import * as v from 'valibot'
import type { CalculatedWith } from '../domain/bills.ts'
import type { BusinessKey, StoredBusiness } from '../domain/businesses.ts'
import type { CashierKey } from '../domain/cashiers.ts'
import type { NewCode, StoredCode } from '../domain/codes.ts'
import type { CustomerKey } from '../domain/customers.ts'
import type { CountedAttempts } from './attempts.ts'
import { BUSINESS_COLUMNS, businessRow } from './businesses.ts'
import { ConflictError, type Queries } from './database.ts'
import { flagColumn, type Statement } from './rows.ts'

const codeRow = v.object({
  code: v.string(),
  points: v.number(),
  image: flagColumn,
  createdAt: v.string(),
  updatedAt: v.string(),
  expiresAt: v.string(),
  usedAt: v.nullable(v.string()),
  cancelledAt: v.nullable(v.string()),
  returnedPoints: v.number(),
  till: v.nullable(v.string()),
  cashier: v.nullable(v.number()),
  reference: v.nullable(v.string()),
  offlineDay: v.nullable(v.string())
})

const COLUMNS = `code, points, image, codes.created_at AS "createdAt", updated_at AS "updatedAt", expires_at AS "expiresAt",
  used_at AS "usedAt", cancelled_at AS "cancelledAt",
  returned_points AS "returnedPoints", till, cashier, reference, offline_day AS "offlineDay"`

const collectionRow = v.object({
  entry: v.string(),
  reversal: v.nullable(v.string()),
  customer: v.string(),
  name: v.string(),
  phone: v.nullable(v.string())
})

/** The entry of a collected code, the one that reverses it if there is one, and and who has the points, without a phone when erased. */
export type CodeCollection = v.InferOutput<typeof collectionRow>

/** A code, the business that issued it, and what was tried at it; null: nothing. */
interface IssuedCode {
  readonly stored: StoredCode
  readonly business: StoredBusiness
  readonly attempts: CountedAttempts | null
}

const SELECT_ISSUED = `SELECT ${COLUMNS}, ${BUSINESS_COLUMNS}, attempts.since AS since, attempts.count AS count
  FROM codes JOIN businesses ON businesses.business = codes.business LEFT JOIN attempts ON attempts.key = $2
  WHERE code = $1`
/** What was tried, where it is read beside something else. */
export const joinedAttemptsRow = v.pipe(
  v.object({ since: v.nullable(v.string()), count: v.nullable(v.number()) }),
  v.transform(({ since, count }): CountedAttempts | null =>
    since === null || count === null ? null : { since, count }
  )
)

const pointsRow = v.object({ points: v.number() })

/** Marks an active code as used at `$3` by `$4`. */
const USE = `UPDATE codes SET used_at = $3, updated_at = $3, used_by = $4
  WHERE business = $1 AND code = $2 AND used_at IS NULL AND cancelled_at IS NULL AND expires_at > $3`

/** The statement of `CodeStore.use`, RETURNING the code as `id` if it was active and has these points: a return lowers them. */
export const usage = (
  business: BusinessKey,
  { code, points }: Pick<StoredCode, 'code' | 'points'>,
  { customer, at }: { readonly customer: CustomerKey; readonly at: string }
): Statement => ({
  sql: `${USE} AND points = $5 RETURNING code AS id`,
  values: [business, code, at, customer, points]
})

/** Who issues codes: a till and a cashier of it; null for any. */
export interface CodeMaker {
  readonly till: string | null
  readonly cashier: CashierKey | null
}

const ANY_MAKER: CodeMaker = { till: null, cashier: null }

interface NewestCodes {
  readonly after: string | null
  readonly limit: number
  readonly by?: CodeMaker
}

export class CodeStore {
  readonly #queries: Queries
  /** the codes that were added with the newest time of creation */
  #added: { readonly createdAt: string; readonly codes: Set<string> } = { createdAt: '', codes: new Set() }

  constructor(queries: Queries) {
    this.#queries = queries
  }

  /** Returns one code of a business, or null. */
  async find(business: BusinessKey, code: string): Promise<StoredCode | null> {
    const [row] = await this.#queries.read(`SELECT ${COLUMNS} FROM codes WHERE business = $1 AND code = $2`, [
      business,
      code
    ])
    return row === undefined ? null : v.parse(codeRow, row)
  }

  /**
   * Returns the codes of a business, the newest first.
   *
   * @param after the last code of the page before; null for the first page
   * @param by who issued them: a till and a cashier; null for any
   */
  async newest(
    business: BusinessKey,
    { after, limit, by = ANY_MAKER }: NewestCodes
  ): Promise<readonly StoredCode[]> {
    const values: (string | number)[] = [business, limit]
    const place = (value: string | number): string => `$${String(values.push(value))}`
    const conditions = [
      'business = $1',
      ...(by.till === null ? [] : [`till = ${place(by.till)}`]),
      ...(by.cashier === null ? [] : [`cashier = ${place(by.cashier)}`]),
      ...(after === null
        ? []
        : [
            `(created_at, code) < (SELECT created_at, code FROM codes WHERE business = $1 AND code = ${place(after)})`
          ])
    ]
    const rows = await this.#queries.read(
      `SELECT ${COLUMNS} FROM codes WHERE ${conditions.join(' AND ')} ORDER BY created_at DESC, code DESC LIMIT $2`,
      values
    )
    return rows.map((row) => v.parse(codeRow, row))
  }

  /**
   * Returns a code with the business that issued it, or null: codes are unique over all businesses.
   *
   * @param attempts key of attempts that are read with it, as a statement costs more than a row
   */
  async findIssued(code: string, attempts: string): Promise<IssuedCode | null> {
    const [row] = await this.#queries.read(SELECT_ISSUED, [code, attempts])
    if (row === undefined) return null
    return {
      stored: v.parse(codeRow, row),
      business: v.parse(businessRow, row),
      attempts: v.parse(joinedAttemptsRow, row)
    }
  }

  /** Returns who has the points of a code; null if no customer got them. */
  async collection(business: BusinessKey, code: string): Promise<CodeCollection | null> {
    const [row] = await this.#queries.read(
      `SELECT entries.id AS entry, reversals.id AS reversal, owners.id AS customer, owners.name AS name,
         owners.phone AS phone
       FROM entries
         JOIN customers AS collectors ON collectors.customer = entries.customer
         JOIN customers AS owners ON owners.customer = coalesce(collectors.merged_into, collectors.customer)
         LEFT JOIN entries AS reversals ON reversals.reverses = entries.id
       WHERE entries.business = $1 AND entries.code = $2`,
      [business, code]
    )
    return row === undefined ? null : v.parse(collectionRow, row)
  }

  /**
   * Adds an active code. Returns false, and adds nothing, if any business has this code, unless it is this one, added by
   * a run whose answer was lost.
   */
  async add(business: BusinessKey, stored: NewCode): Promise<boolean> {
    const { code, createdAt } = stored
    const isInserted = await this.insert(business, stored)
    // What this process has added is another one, where the random source repeats itself.
    const isKnown = this.#added.createdAt === createdAt && this.#added.codes.has(code)
    if (this.#added.createdAt !== createdAt) this.#added = { createdAt, codes: new Set() }
    const isAdded = isInserted || (!isKnown && (await this.#isOwn(business, stored)))
    if (isAdded) this.#added.codes.add(code)
    return isAdded
  }

  /** Adds an active code. Returns false, and adds nothing, if any business has this code. */
  async insert(business: BusinessKey, stored: NewCode): Promise<boolean> {
    const { code, points, image, createdAt, updatedAt, expiresAt } = stored
    const { till = null, cashier = null, reference = null, offlineDay = null } = stored
    const { rules = null, bill = null } = stored
    const added = await this.#queries.write(
      `INSERT INTO codes (business, code, points, image, created_at, updated_at, expires_at, till, cashier, reference,
         offline_day, rules, bill)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT (code) DO NOTHING RETURNING code`,
      [
        ...[business, code, points, image ? 1 : 0, createdAt, updatedAt, expiresAt],
        ...[till, cashier, reference, offlineDay, rules, bill]
      ]
    )
    return added.length > 0
  }

  /** Whether the store has a code as it would be added. */
  async #isOwn(business: BusinessKey, { code, points, createdAt, expiresAt }: NewCode): Promise<boolean> {
    const own = await this.#queries.read(
      `SELECT code FROM codes WHERE business = $1 AND code = $2 AND points = $3 AND created_at = $4 AND expires_at = $5
         AND used_at IS NULL AND cancelled_at IS NULL`,
      [business, code, points, createdAt, expiresAt]
    )
    return own.length > 0
  }

  /**
   * Marks an active code as used, for a known or an unknown customer, and returns its points; null, and
   * changes nothing, if the code is not active at `at`. Of several calls at once one gets the points: the statement
   * decides, not the isolation level.
   */
  async use(
    business: BusinessKey,
    code: string,
    { customer, at }: { readonly customer: CustomerKey | null; readonly at: string }
  ): Promise<number | null> {
    const [used] = await this.#queries.write(`${USE} RETURNING points`, [business, code, at, customer])
    return used === undefined ? null : v.parse(pointsRow, used).points
  }

  /**
   * Takes points from a code that is active at `at`, and cancels it at zero. Throws a `ConflictError`, and changes nothing,
   * when it changed since it was read.
   */
  async lower(
    business: BusinessKey,
    code: string,
    { from, by, at }: { readonly from: number; readonly by: number; readonly at: string }
  ): Promise<void> {
    const lowered = await this.#queries.write(
      `UPDATE codes SET points = points - $4, returned_points = returned_points + $4, updated_at = $5,
         cancelled_at = CASE WHEN points = $4 THEN $5 END
       WHERE business = $1 AND code = $2 AND points = $3 AND used_at IS NULL AND cancelled_at IS NULL AND expires_at > $5
       RETURNING code`,
      [business, code, from, by, at]
    )
    if (lowered.length === 0) throw new ConflictError('the code changed meanwhile')
  }

  /**
   * Adds what the till says of a code that a customer has collected before. What was said first stays.
   * @param sale its `createdAt`: null keeps that of the code
   */
  async complete(
    business: BusinessKey,
    code: string,
    {
      createdAt,
      cashier,
      reference,
      rules = null,
      bill = null
    }: Pick<StoredCode, 'cashier' | 'reference'> & CalculatedWith & { readonly createdAt: string | null }
  ): Promise<void> {
    const which = `business = $1 AND code = $2 AND offline_day IS NOT NULL AND cashier IS NULL AND reference IS NULL`
    // Each lets the sums of its day be counted again: that of the day before, and of the new one.
    const before = await this.#queries.write(
      `UPDATE codes SET points = points WHERE ${which}
         AND (created_at <> CAST($3 AS TEXT) OR CAST($4 AS BIGINT) IS NOT NULL OR CAST($5 AS TEXT) IS NOT NULL
           OR rules IS NULL AND CAST($6 AS BIGINT) IS NOT NULL) RETURNING code`,
      [business, code, createdAt, cashier, reference, rules]
    )
    if (before.length === 0) return
    await this.#queries.write(
      `UPDATE codes SET points = points, created_at = coalesce($3, created_at), cashier = $4, reference = $5, rules = $6, bill = $7 WHERE ${which}`,
      [business, code, createdAt, cashier, reference, rules, bill]
    )
  }

  /** Cancels an unused code. Returns false, and changes nothing, if there is none. The first time stays. */
  async cancel(business: BusinessKey, code: string, at: string): Promise<boolean> {
    const cancelled = await this.#queries.write(
      `UPDATE codes SET cancelled_at = coalesce(cancelled_at, $3),
         updated_at = CASE WHEN cancelled_at IS NULL THEN $3 ELSE updated_at END
       WHERE business = $1 AND code = $2 AND used_at IS NULL RETURNING code`,
      [business, code, at]
    )
    return cancelled.length > 0
  }
}
