/** The businesses of the data file, each known by its token (interface document, part 1). */
import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import * as v from 'valibot'

/** Row number of a business: what everything else in the data belongs to. */
export type BusinessNumber = number

const numberRow = v.object({ business: v.number() })

/** What is kept of a token, and what tokens are compared by: equal time for near and far misses. */
export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Reads and adds businesses. */
export const businessStore = (database: DatabaseSync) => {
  const find = database.prepare('SELECT business FROM businesses WHERE token_hash = ?')
  const insert = database.prepare('INSERT INTO businesses (token_hash) VALUES (?) RETURNING business')
  return {
    /** The business of a token, or null where the file has none yet. */
    find(tokenHash: string): BusinessNumber | null {
      const row = find.get(tokenHash)
      return row === undefined ? null : v.parse(numberRow, row).business
    },
    /** Adds the business of a token. */
    add(tokenHash: string): BusinessNumber {
      return v.parse(numberRow, insert.get(tokenHash)).business
    }
  }
}
