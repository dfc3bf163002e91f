/** The businesses of the store. */
import * as v from 'valibot'
import type { BusinessKey, NewBusiness, StoredBusiness } from '../domain/businesses.ts'
import type { Database, Queries } from './database.ts'

const keyRow = v.object({ business: v.number() })

/** What `businessRow` parses, also beside the columns of a code. */
export const BUSINESS_COLUMNS = `businesses.business AS key, id, name, time_zone, plan, plan_interval, street, city, state,
  country, zip_code, code_validity_days, collect_pause_minutes, reversal_minutes, credit_limit,
  credit_approval_limit, offline_points_of_code, offline_points_of_day, offline_days, welcome_points, logo,
  businesses.created_at AS created_at,
  customers + (
    SELECT count(*) FROM joined_customers AS joined
    WHERE joined.customer BETWEEN businesses.business * 4294967296 + 1 AND (businesses.business + 1) * 4294967296
  ) AS customers`

/** Parses a row of `BUSINESS_COLUMNS`. */
export const businessRow = v.pipe(
  v.object({
    key: v.number(),
    id: v.string(),
    name: v.string(),
    time_zone: v.string(),
    plan: v.string(),
    plan_interval: v.string(),
    street: v.string(),
    city: v.string(),
    state: v.string(),
    country: v.string(),
    zip_code: v.string(),
    code_validity_days: v.number(),
    collect_pause_minutes: v.number(),
    reversal_minutes: v.number(),
    credit_limit: v.nullable(v.number()),
    credit_approval_limit: v.nullable(v.number()),
    offline_points_of_code: v.number(),
    offline_points_of_day: v.number(),
    offline_days: v.number(),
    welcome_points: v.number(),
    customers: v.number(),
    logo: v.nullable(v.string()),
    created_at: v.string()
  }),
  v.transform((row): StoredBusiness => ({
    key: row.key,
    id: row.id,
    name: row.name,
    timeZone: row.time_zone,
    currentPlan: row.plan,
    currentPlanInterval: row.plan_interval,
    address: {
      street: row.street,
      city: row.city,
      state: row.state,
      country: row.country,
      zipCode: row.zip_code
    },
    codeValidityDays: row.code_validity_days,
    collectPauseMinutes: row.collect_pause_minutes,
    reversalMinutes: row.reversal_minutes,
    creditLimit: row.credit_limit,
    creditApprovalLimit: row.credit_approval_limit,
    offlineLimits: {
      pointsOfCode: row.offline_points_of_code,
      pointsOfDay: row.offline_points_of_day,
      days: row.offline_days
    },
    welcomePoints: row.welcome_points,
    customers: row.customers,
    logo: row.logo,
    createdAt: row.created_at
  }))
)

/** The columns that `add` and `update` write, in the order of `valuesOf`. */
const WRITTEN = [
  'name',
  'time_zone',
  'plan',
  'plan_interval',
  'street',
  'city',
  'state',
  'country',
  'zip_code',
  'code_validity_days',
  'collect_pause_minutes',
  'reversal_minutes',
  'credit_limit',
  'credit_approval_limit',
  'offline_points_of_code',
  'offline_points_of_day',
  'offline_days'
]

const valuesOf = (business: Omit<NewBusiness, 'id' | 'createdAt'>) => {
  const { street, city, state, country, zipCode } = business.address
  const {
    name,
    timeZone,
    currentPlan,
    currentPlanInterval,
    codeValidityDays,
    collectPauseMinutes,
    reversalMinutes,
    creditLimit,
    creditApprovalLimit,
    offlineLimits: { pointsOfCode, pointsOfDay, days }
  } = business
  return [
    name,
    timeZone,
    currentPlan,
    currentPlanInterval,
    ...[street, city, state, country, zipCode],
    codeValidityDays,
    collectPauseMinutes,
    reversalMinutes,
    creditLimit,
    creditApprovalLimit,
    ...[pointsOfCode, pointsOfDay, days]
  ]
}

/** Customers that are counted at a time. */
const COUNTED = 5000

const joinedRow = v.object({ business: v.number() })

/** Adds the customers who joined to the counts of their businesses. Call now and then: every page reads the others. */
export const countJoined = async (database: Database): Promise<void> => {
  for (let counted = COUNTED; counted === COUNTED;) {
    const waiting = await database.read('SELECT customer FROM joined_customers LIMIT 1')
    if (waiting.length === 0) return
    counted = await database.transaction(async (queries) => {
      const rows = await queries.write(
        `DELETE FROM joined_customers WHERE customer IN (
           SELECT customer FROM joined_customers ORDER BY customer LIMIT ${String(COUNTED)}
         ) RETURNING customer / 4294967296 AS business`
      )
      const joined = Map.groupBy(rows, (row) => v.parse(joinedRow, row).business)
      for (const [business, { length }] of joined) {
        await queries.write('UPDATE businesses SET customers = customers + $2 WHERE business = $1', [
          business,
          length
        ])
      }
      return rows.length
    })
  }
}

export class BusinessStore {
  readonly #queries: Queries

  constructor(queries: Queries) {
    this.#queries = queries
  }

  /** Adds a business, unless the store has its id, and returns its key. */
  async add(business: NewBusiness): Promise<BusinessKey> {
    const placeholders = WRITTEN.map((_, index) => `$${index + 3}`)
    const [added] = await this.#queries.write(
      `INSERT INTO businesses (id, created_at, ${WRITTEN.join(', ')}) VALUES ($1, $2, ${placeholders.join(', ')})
       ON CONFLICT (id) DO UPDATE SET id = excluded.id RETURNING business`,
      [business.id, business.createdAt, ...valuesOf(business)]
    )
    return v.parse(keyRow, added).business
  }

  /** Replaces what a business says of itself, and the validity of its next codes. */
  async update({ key, ...business }: StoredBusiness): Promise<void> {
    const changes = WRITTEN.map((column, index) => `${column} = $${index + 2}`)
    await this.#queries.write(`UPDATE businesses SET ${changes.join(', ')} WHERE business = $1`, [
      key,
      ...valuesOf(business)
    ])
  }

  /** Sets what tills may give without a connection: by codes that are not taken yet, too. */
  async setOfflineLimits(
    key: BusinessKey,
    { pointsOfCode, pointsOfDay, days }: StoredBusiness['offlineLimits']
  ): Promise<void> {
    await this.#queries.write(
      `UPDATE businesses SET offline_points_of_code = $2, offline_points_of_day = $3, offline_days = $4
       WHERE business = $1`,
      [key, pointsOfCode, pointsOfDay, days]
    )
  }

  /** Returns one business. Throws if there is none. */
  async get(key: BusinessKey): Promise<StoredBusiness> {
    const [row] = await this.#queries.read(`SELECT ${BUSINESS_COLUMNS} FROM businesses WHERE business = $1`, [
      key
    ])
    return v.parse(businessRow, row)
  }

  /** Returns one business, or null. */
  async find(id: string): Promise<StoredBusiness | null> {
    const [row] = await this.#queries.read(`SELECT ${BUSINESS_COLUMNS} FROM businesses WHERE id = $1`, [id])
    return row === undefined ? null : v.parse(businessRow, row)
  }

  /** Returns all businesses, in the order in which they were added. */
  async list(): Promise<readonly StoredBusiness[]> {
    const rows = await this.#queries.read(`SELECT ${BUSINESS_COLUMNS} FROM businesses ORDER BY business`)
    return rows.map((row) => v.parse(businessRow, row))
  }
}
