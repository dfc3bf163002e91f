/** What the tables of the store share. */
import * as v from 'valibot'

/** A parameter of a statement. */
export type SqlValue = string | number | null

/** A statement with the values of its parameters `$1`, `$2` … */
export interface Statement {
  readonly sql: string
  readonly values: readonly SqlValue[]
}

/** Which rows of a list to read. */
export interface RowRange {
  readonly limit: number
  readonly offset: number
}

/** A flag is 0 or 1 in both databases. */
export const flagColumn = v.pipe(
  v.number(),
  v.transform((flag) => flag === 1)
)
