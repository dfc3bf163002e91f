/** The rewards of the store, in the order of each catalogue, including disabled ones. */
import * as v from 'valibot'
import type { BusinessKey } from '../domain/businesses.ts'
import type { StoredReward } from '../domain/rewards.ts'
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

  /** Returns one reward, or null. */
  async find(business: BusinessKey, id: string): Promise<StoredReward | null> {
    const [row] = await this.#queries.read(
      `SELECT ${LIST_COLUMNS}, created_at AS "createdAt", updated_at AS "updatedAt", enabled AS "isEnable"
       FROM rewards WHERE business = $1 AND id = $2`,
      [business, id]
    )
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
}
