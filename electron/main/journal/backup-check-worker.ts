/** Worker thread: posts a backup's check, and makes it a single file without a write-ahead log. */
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

try {
  const database = new DatabaseSync(String(workerData))
  try {
    database.exec('PRAGMA journal_mode = DELETE')
    const check = database.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check']
    const slips = database.prepare('SELECT count(*) AS count FROM slips').get()?.['count']
    parentPort?.postMessage(
      check === 'ok' ? { kind: 'intact', slips: Number(slips) } : { kind: 'damaged', reason: String(check) }
    )
  } finally {
    database.close()
  }
} catch (error) {
  parentPort?.postMessage({ kind: 'damaged', reason: String(error) })
}
