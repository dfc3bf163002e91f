/**
 * Reads single columns of a database row, each of the kind that it must be. By hand, because a page of slips is read
 * each time that somebody looks: a schema over the whole row takes ten times as long as SQLite takes to find it.
 */
import type * as v from 'valibot'
import { parse } from 'valibot'

/** Raised by a row that is not one of the journal's. */
export class NotARow extends Error {
  constructor(wanted: string, found: unknown) {
    super(`A column of the journal is no ${wanted} but ${found === null ? 'NULL' : typeof found}`)
  }
}

/** A column that holds text. Throws `NotARow`. */
export function text(column: unknown): string {
  if (typeof column === 'string') return column
  throw new NotARow('text', column)
}

/** A column that holds text or NULL. Throws `NotARow`. */
export const textOrNull = (column: unknown): string | null => (column === null ? null : text(column))

/** A column that holds a number. Throws `NotARow`. */
export function number(column: unknown): number {
  if (typeof column === 'number') return column
  throw new NotARow('number', column)
}

/** A column that holds a number or NULL. Throws `NotARow`. */
export const numberOrNull = (column: unknown): number | null => (column === null ? null : number(column))

/** A column that holds one of these words. Throws `NotARow`. */
export function oneOf<Word extends string>(words: readonly Word[], column: unknown): Word {
  const found = words.find((word) => word === column)
  if (found === undefined) throw new NotARow(words.join(' or '), column)
  return found
}

/** Different texts that are remembered; neighbouring rows have few. */
const MOST_TEXTS = 64

/**
 * Makes the reading of a column by a schema, which looks at each different text once: what rows keep of the business
 * and of the printer is the same for thousands of them. What comes out is shared. Throws a `ValiError`.
 */
export function reading<Schema extends v.GenericSchema>(
  schema: Schema
): (column: unknown) => v.InferOutput<Schema> {
  const known = new Map<unknown, v.InferOutput<Schema>>()
  return (column) => {
    const before = known.get(column)
    if (before !== undefined) return before
    const value = parse(schema, column)
    if (known.size >= MOST_TEXTS) known.clear()
    known.set(column, value)
    return value
  }
}
