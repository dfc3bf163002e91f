/** The till's log: what a room needs to write to it, and what the till needs to keep it. */
export { codePrefix, failureDetails, LEVELS } from './log.ts'
export type { Details, Level, Log } from './log.ts'
export { openLogFile } from './log-file.ts'
export type { LogFile } from './log-file.ts'
export { mask, MASKS, withoutSecrets } from './mask.ts'
export { createPlain } from './plain.ts'
