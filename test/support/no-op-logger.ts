/** A log for tests that look at something else. */
import type { Logger } from '../../electron/main/log/log.ts'

const nothing = (): void => undefined

/** Writes nothing anywhere. */
export const noOpLogger: Logger = { error: nothing, warn: nothing, info: nothing, debug: nothing }
