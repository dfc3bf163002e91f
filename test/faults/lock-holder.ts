/** A program that locks the journal, as backup software or a virus scanner may: `node lock-holder.ts FILE`. */
import { DatabaseSync } from 'node:sqlite'

const database = new DatabaseSync(process.argv[2] ?? '')
database.exec('BEGIN IMMEDIATE')
process.send?.('locked')
process.once('message', () => {
  database.exec('ROLLBACK')
  database.close()
  process.disconnect()
})
