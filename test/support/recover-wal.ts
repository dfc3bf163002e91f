/** A worker whose connection recovers a long write-ahead log when it gets a message: see `sqlite-start.test.ts`. */
import { closeSync, openSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

const { file } = workerData as { readonly file: string }
/** Some 30 ms of recovery. */
const LOG_BYTES = 100_000_000
/** Both copies of the header of the index, and the checkpoint data (sqlite.org/walformat.html). */
const INDEX_HEADER_BYTES = 136

const connection = new DatabaseSync(file, { timeout: 5000 })
connection.exec(`PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = OFF;
  CREATE TABLE filler (bytes); INSERT INTO filler VALUES (randomblob(${LOG_BYTES}))`)

parentPort?.once('message', () => {
  // An index without a header is what a machine that lost power leaves: the next reader makes it again.
  const index = openSync(`${file}-shm`, 'r+')
  writeSync(index, Buffer.alloc(INDEX_HEADER_BYTES), 0, INDEX_HEADER_BYTES, 0)
  closeSync(index)
  parentPort?.postMessage('recovers')
  connection.prepare('SELECT count(*) FROM filler').get()
  connection.close()
})
parentPort?.postMessage('ready')
