/** The mark of a journal that was closed: without it, the file may not be whole. */
import type { DatabaseSync } from 'node:sqlite'
import { versionOf } from './schema.ts'

/** Reads the mark that the till before left when it closed the file. Throws as SQLite does. */
export const wasClosed = (database: DatabaseSync): boolean =>
  versionOf(database) > 1 && database.prepare('SELECT clean FROM closing').get()?.['clean'] === 1
