/** A log for tests that look at something else. */
import type { Log } from '../../electron/main/log/index.ts'

const nothing = (): void => undefined

/** Writes nothing anywhere. */
export const noOpLogger: Log = { error: nothing, warn: nothing, info: nothing, debug: nothing }
