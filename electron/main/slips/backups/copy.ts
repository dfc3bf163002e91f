/** Copying a journal that is in use. */
import { backup, DatabaseSync } from 'node:sqlite'

/** Pages of a step: between two steps the till does other things. */
const PAGES = 256

/**
 * Writes the journal as it is now to `to`, a file that is not there yet. What is written meanwhile is neither in the
 * copy nor held up: a write-ahead log lets one connection write while another reads an older state. Rejects as SQLite
 * does.
 */
export async function copyJournal(journalFile: string, to: string): Promise<void> {
  const database = new DatabaseSync(journalFile, { readOnly: true, timeout: 5000 })
  try {
    // Without a transaction that holds its state, SQLite begins the copy anew with each slip that is written.
    database.exec('BEGIN')
    database.prepare('PRAGMA schema_version').get()
    await backup(database, to, { rate: PAGES })
  } finally {
    database.close()
  }
}
