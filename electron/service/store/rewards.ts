/** The rewards of the store, in the order of each catalogue, including disabled ones. */
import * as v from 'valibot'
import type { BusinessKey } from '../domain/businesses.ts'
import { Refusal } from '../domain/refusal.ts'
import { orderRewards, type RewardTerms, type StoredReward } from '../domain/rewards.ts'
import type { Queries } from './database.ts'
import { flagColumn, type RowRange } from './rows.ts'

const rewardListRow = v.object({ id: v.string(), name: v.string(), cost: v.number(), index: v.number() })
const rewardRow = v.object({
  ...rewardListRow.entries,
  createdAt: v.string(),
  updatedAt: v.string(),
  isEnable: flagColumn
})

const LIST_COLUMNS = 'id, name, cost, position AS "index"'
const COLUMNS = `${LIST_COLUMNS}, created_at AS "createdAt", updated_at AS "updatedAt", enabled AS "isEnable"`

export class RewardStore {
  readonly #queries: Queries

  constructor(queries: Queries) {
    this.#queries = queries
  }

  /** Returns the list items, which have fewer fields than a reward that is read by id. */
  async list(business: BusinessKey, { limit, offset }: RowRange) {
    const rows = await this.#queries.read(
      `SELECT ${LIST_COLUMNS} FROM rewards WHERE business = $1 ORDER BY position LIMIT $2 OFFSET $3`,
      [business, limit, offset]
    )
    return rows.map((row) => v.parse(rewardListRow, row))
  }

  /** Returns the whole catalogue. */
  async all(business: BusinessKey): Promise<readonly StoredReward[]> {
    const rows = await this.#queries.read(
      `SELECT ${COLUMNS} FROM rewards WHERE business = $1 ORDER BY position`,
      [business]
    )
    return rows.map((row) => v.parse(rewardRow, row))
  }

  /** Returns one reward, or null. */
  async find(business: BusinessKey, id: string): Promise<StoredReward | null> {
    const [row] = await this.#queries.read(`SELECT ${COLUMNS} FROM rewards WHERE business = $1 AND id = $2`, [
      business,
      id
    ])
    return row === undefined ? null : v.parse(rewardRow, row)
  }

  /** Adds a reward, unless the store has its id. */
  async add(business: BusinessKey, reward: StoredReward): Promise<void> {
    const { index, id, name, cost, isEnable, createdAt, updatedAt } = reward
    await this.#queries.write(
      `INSERT INTO rewards (business, position, id, name, cost, enabled, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (id) DO NOTHING`,
      [business, index, id, name, cost, isEnable ? 1 : 0, createdAt, updatedAt]
    )
  }

  /** Adds a reward at the end, enabled if nothing is said, unless the store has its id. In a transaction of the caller. */
  async append(
    business: BusinessKey,
    id: string,
    { name, cost, isEnable = true }: RewardTerms & Partial<Pick<StoredReward, 'isEnable'>>,
    at: string
  ): Promise<void> {
    await this.lock(business)
    await this.#queries.write(
      `INSERT INTO rewards (business, position, id, name, cost, enabled, created_at, updated_at)
       SELECT $1, coalesce(max(position), 0) + 1, CAST($2 AS TEXT), CAST($3 AS TEXT), $4, $6, CAST($5 AS TEXT),
         CAST($5 AS TEXT)
       FROM rewards WHERE business = $1 ON CONFLICT (id) DO NOTHING`,
      [business, id, name, cost, at, isEnable ? 1 : 0]
    )
  }

  /** Replaces what is given. Throws a `Refusal` for an unknown reward. Changes nothing that is so already. */
  async update(
    business: BusinessKey,
    id: string,
    changes: Partial<RewardTerms & Pick<StoredReward, 'isEnable'>>,
    at: string
  ): Promise<StoredReward> {
    const { name = null, cost = null, isEnable } = changes
    const enabled = isEnable === undefined ? null : isEnable ? 1 : 0
    await this.#queries.write(
      `UPDATE rewards SET name = coalesce($3, name), cost = coalesce($4, cost), enabled = coalesce($5, enabled),
         updated_at = $6
       WHERE business = $1 AND id = $2
         AND NOT (name = coalesce($3, name) AND cost = coalesce($4, cost) AND enabled = coalesce($5, enabled))`,
      [business, id, name, cost, enabled, at]
    )
    const reward = await this.find(business, id)
    if (reward === null) throw new Refusal('reward-unknown', `There is no reward ${id}.`)
    return reward
  }

  /** Puts rewards first, in this order, in a transaction of the caller. Throws a `Refusal` for an unknown reward. */
  async order(business: BusinessKey, first: readonly string[], at: string): Promise<void> {
    await this.lock(business)
    const catalogue = await this.all(business)
    const ids = new Set(catalogue.map(({ id }) => id))
    const unknown = first.find((id) => !ids.has(id))
    if (unknown !== undefined) {
      throw new Refusal('reward-unknown', `There is no reward ${unknown}.`)
    }
    // Positions are unique at every moment: they are moved out of the way first.
    await this.#queries.write('UPDATE rewards SET position = -position WHERE business = $1', [business])
    for (const [index, id] of orderRewards([...ids], first).entries()) {
      await this.#queries.write(
        `UPDATE rewards SET updated_at = CASE WHEN position = -CAST($3 AS BIGINT) THEN updated_at ELSE $4 END, position = $3
         WHERE business = $1 AND id = $2`,
        [business, id, index + 1, at]
      )
    }
  }

  /** Lets changes of the catalogue follow each other, from here to the end of the transaction of the caller. */
  async lock(business: BusinessKey): Promise<void> {
    await this.#queries.write('UPDATE businesses SET name = name WHERE business = $1', [business])
  }
}
