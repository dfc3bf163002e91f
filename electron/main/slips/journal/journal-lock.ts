/** The lock that keeps a second till from a journal that is open. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isLockedError } from './sqlite-errors.ts'

/** Thrown while another process has the journal open. */
export class JournalInUseError extends Error {
  override readonly name = 'JournalInUseError'
}

/**
 * Holds a journal for this process. Electron's single-instance lock is per machine: two machines can start a till on one
 * folder of the network, and the second would end the requests of the first. SQLite locks an empty file beside the
 * journal; the operating system releases it when the process ends, however it ends.
 */
export class JournalLock {
  readonly #database: DatabaseSync

  /** Throws `JournalInUseError` while the journal is held, also by this process; or as SQLite does. */
  constructor(journalFile: string) {
    mkdirSync(dirname(journalFile), { recursive: true })
    this.#database = new DatabaseSync(`${journalFile}.lock`, { timeout: 0 })
    try {
      this.#database.exec('BEGIN IMMEDIATE')
    } catch (error) {
      this.#database.close()
      throw isLockedError(error) ? new JournalInUseError('Another till has the journal open') : error
    }
  }

  release(): void {
    if (this.#database.isOpen) this.#database.close()
  }
}

/** Runs `work` while this process holds the journal. Rejects as `JournalLock` throws. */
export async function withJournalLock<Value>(
  journalFile: string,
  work: () => Promise<Value>
): Promise<Value> {
  const lock = new JournalLock(journalFile)
  try {
    return await work()
  } finally {
    lock.release()
  }
}
