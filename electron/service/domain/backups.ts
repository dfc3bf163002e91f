/** Names of backups, and of data that a backup replaced. */

/** A time as part of a file's name, such as `2026-11-21T100000.123Z`: no two files are of one millisecond. */
const timeInName = (time: Date): string => time.toISOString().replaceAll(':', '')

/** The end of the name of a backup that is compressed. */
export const COMPRESSED_END = '.zst'

/** The name of a backup of a moment. */
export const backupName = (time: Date): string => `${timeInName(time)}.sqlite${COMPRESSED_END}`

/** The name of a backup, compressed or not. */
export const BACKUP_NAME = /\.sqlite(?:\.zst)?$/

/** The name of data that were replaced at a moment. */
export const replacedName = (time: Date): string => `replaced-${timeInName(time)}.sqlite`

/** Such a name, also of what SQLite keeps beside the file. */
export const REPLACED_NAME = /^replaced-.*\.sqlite(?:-journal|-wal|-shm)?$/
