/** Worker thread: runs a `JournalCheck`, and posts whether it found nothing. */
import { closeSync, openSync, readSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

export interface JournalCheck {
  readonly file: string
  readonly pragma: 'quick_check' | 'integrity_check'
  /** whether this process has the file open */
  readonly isOpen: boolean
}

const { file, pragma, isOpen } = workerData as JournalCheck
// After a power cut nothing of the file is in memory. The check reads single pages, which takes ten times as long as
// reading the file from beginning to end before. Closing a file releases all locks that its process has on it (POSIX).
if (!isOpen) {
  const descriptor = openSync(file, 'r')
  const chunk = Buffer.alloc(4 * 2 ** 20)
  while (readSync(descriptor, chunk) > 0);
  closeSync(descriptor)
}
const database = new DatabaseSync(file, { timeout: 5000 })
try {
  const row = database.prepare(`PRAGMA ${pragma}(1)`).get()
  parentPort?.postMessage(row?.[pragma] === 'ok')
} finally {
  database.close()
}
