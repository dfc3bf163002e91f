/** Makes one backup; run as a program of its own: `node back-up-once.ts <journal> <folder>`. Tells what was logged. */
import { createBackups } from '../../../../electron/main/slips/backups.ts'
import { serialize } from '../../../../electron/main/log/redact.ts'
import type { LogDetails } from '../../../../electron/main/log/log.ts'

const [journalFile = '', folder = ''] = process.argv.slice(2)
const tell = (event: string, details: LogDetails = {}): void => {
  process.stdout.write(`${event} ${JSON.stringify(serialize(details, []))}\n`)
}
const backups = createBackups({
  journalFile,
  folder,
  now: () => new Date(),
  log: { error: tell, warn: tell, info: tell, debug: tell }
})
await backups.today()
