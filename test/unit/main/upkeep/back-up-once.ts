/** Makes one backup in a child process, and prints its log: `node back-up-once.ts <journal> <folder>`. */
import { Backups } from '../../../../electron/main/upkeep/backups.ts'
import { serialize } from '../../../../electron/main/log/redact.ts'
import type { LogDetails } from '../../../../electron/main/log/log.ts'

const [journalFile = '', folder = ''] = process.argv.slice(2)
const print = (event: string, details: LogDetails = {}): void => {
  process.stdout.write(`${event} ${JSON.stringify(serialize(details, []))}\n`)
}
const backups = new Backups({
  journalFile,
  folder,
  now: () => new Date(),
  log: { error: print, warn: print, info: print, debug: print }
})
await backups.backUpToday()
