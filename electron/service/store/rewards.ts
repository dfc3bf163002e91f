/** The rewards catalogue in the data file. */
import type { DatabaseSync } from 'node:sqlite'
import * as v from 'valibot'
import type { BusinessNumber } from './businesses.ts'

/** A reward as the interface document calls its fields (part 2). Cost in points; dates in ISO 8601, UTC. */
export interface StoredReward {
  readonly id: string
  readonly name: string
  readonly cost: number
  /** position in the catalogue, from 1 */
  readonly index: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly isEnable: boolean
}

const listRow = v.object({ id: v.string(), name: v.string(), cost: v.number(), index: v.number() })
const detailRow = v.object({
  ...listRow.entries,
  createdAt: v.string(),
  updatedAt: v.string(),
  isEnable: v.pipe(
    v.number(),
    v.transform((flag) => flag === 1)
  )
})

const listColumns = 'id, name, cost, position AS "index"'

/** Reads and adds rewards. Lists are in catalogue order, disabled rewards included. */
export const rewardStore = (database: DatabaseSync) => {
  const list = database.prepare(
    `SELECT ${listColumns} FROM rewards WHERE business = ? ORDER BY position LIMIT ? OFFSET ?`
  )
  const find = database.prepare(
    `SELECT ${listColumns}, created_at AS createdAt, updated_at AS updatedAt, enabled AS isEnable
     FROM rewards WHERE business = ? AND id = ?`
  )
  const insert = database.prepare(
    `INSERT INTO rewards (business, position, id, name, cost, enabled, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
  )
  return {
    /** The list items of the catalogue, from `offset` on. */
    list(business: BusinessNumber, { limit, offset }: { readonly limit: number; readonly offset: number }) {
      return list.all(business, limit, offset).map((found) => v.parse(listRow, found))
    },
    /** One reward with its dates, or null. */
    find(business: BusinessNumber, id: string): StoredReward | null {
      const found = find.get(business, id)
      return found === undefined ? null : v.parse(detailRow, found)
    },
    /** Adds a reward; only the seed does, since the interface has no such operation. */
    add(business: BusinessNumber, reward: StoredReward): void {
      const { index, id, name, cost, isEnable, createdAt, updatedAt } = reward
      insert.run(business, index, id, name, cost, isEnable ? 1 : 0, createdAt, updatedAt)
    }
  }
}

export type RewardStore = ReturnType<typeof rewardStore>
