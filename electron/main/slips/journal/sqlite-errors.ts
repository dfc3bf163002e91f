/** What went wrong, by SQLite's primary result codes (sqlite.org/rescode.html). */

const ERROR = 1
const BUSY = 5
const CORRUPT = 11
const NOTADB = 26

/** Returns the primary result code, the low 8 bits; null for an error that is not SQLite's. */
const resultCode = (error: unknown): number | null =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : null

/** Returns whether the error is SQLite's, of any code. */
export const isSqliteError = (error: unknown): boolean => resultCode(error) !== null

/** Returns whether another connection has locked the file. */
export const isLockedError = (error: unknown): boolean => resultCode(error) === BUSY

/** Returns whether the file is damaged, or no database. */
export const isDamageError = (error: unknown): boolean => {
  const code = resultCode(error)
  return code === CORRUPT || code === NOTADB
}

/** Returns whether the file is damaged, no database, or one of another schema. */
export const isForeignFileError = (error: unknown): boolean =>
  isDamageError(error) || resultCode(error) === ERROR
