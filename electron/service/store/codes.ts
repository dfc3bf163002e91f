/** QR codes in the data file. */
import type { DatabaseSync } from 'node:sqlite'
import * as v from 'valibot'
import type { BusinessNumber } from './businesses.ts'

/** A QR code without its links, which are made from the code. Dates in ISO 8601, UTC. */
export interface StoredCode {
  readonly code: string
  readonly points: number
  /** an image was asked for when the code was made */
  readonly image: boolean
  readonly createdAt: string
  readonly updatedAt: string
  /** null until the code is used */
  readonly usedAt: string | null
}

const row = v.object({
  code: v.string(),
  points: v.number(),
  image: v.pipe(
    v.number(),
    v.transform((flag) => flag === 1)
  ),
  createdAt: v.string(),
  updatedAt: v.string(),
  usedAt: v.nullable(v.string())
})

/** Reads and adds QR codes. */
export const codeStore = (database: DatabaseSync) => {
  const find = database.prepare(
    `SELECT code, points, image, created_at AS createdAt, updated_at AS updatedAt, used_at AS usedAt
     FROM codes WHERE business = ? AND code = ?`
  )
  const insert = database.prepare(
    `INSERT INTO codes (business, code, points, image, created_at, updated_at, used_at)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`
  )
  return {
    /** One code, or null. */
    find(business: BusinessNumber, code: string): StoredCode | null {
      const found = find.get(business, code)
      return found === undefined ? null : v.parse(row, found)
    },
    /** Adds a code; false, and nothing added, when it exists. */
    add(business: BusinessNumber, stored: StoredCode): boolean {
      const { code, points, image, createdAt, updatedAt, usedAt } = stored
      return insert.run(business, code, points, image ? 1 : 0, createdAt, updatedAt, usedAt).changes > 0
    }
  }
}

export type CodeStore = ReturnType<typeof codeStore>
