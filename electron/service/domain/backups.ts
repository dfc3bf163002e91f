/** Names of backups. */

/** A time as part of a file's name, such as `2026-11-21T100000.123Z`: no two files are of one millisecond. */
export const timeInName = (time: Date): string => time.toISOString().replaceAll(':', '')

/** The name of a backup of a moment. */
export const backupName = (time: Date): string => `${timeInName(time)}.sqlite`
