/** The backups that are there: one file a day, named after it. */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Days that are kept. */
export const KEPT = 14

const NAME = /^journal-\d{4}-\d\d-\d\d\.sqlite$/

/** The file of the day that `now` is in, by the clock on the wall. */
export function nameOf(now: Date): string {
  const [month, day] = [now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0'))
  return `journal-${String(now.getFullYear())}-${String(month)}-${String(day)}.sqlite`
}

/** Names of the backups in `folder`, newest first; none when it is not there or cannot be read. */
export function backupsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => NAME.test(name))
      .toSorted()
      .toReversed()
  } catch {
    return []
  }
}

/** Removes the oldest beyond those that are kept. Throws as the disk does. */
export function prune(folder: string): void {
  for (const name of backupsIn(folder).slice(KEPT)) rmSync(join(folder, name))
}
