/** What the till stores between starts: settings, the encrypted token, the languages and the staff. */
import { safeStorage } from 'electron'
import type { Notices, StateChanges } from '../ipc/app-state.ts'
import type { FileLogger } from '../log/log-file.ts'
import type { AppPaths } from '../platform/paths.ts'
import { onSystemLocked, systemLanguage, systemUse } from '../platform/system.ts'
import { TokenStore, type Settings, Languages } from '../settings/index.ts'
import { Staff } from '../staff/staff.ts'

/**
 * Creates the staff and the token store on the settings. Call after the app is ready.
 * @param onChange called when the staff changed
 */
export function createPersistence(settings: Settings, onChange: () => void) {
  const staff = new Staff({ settings, system: systemUse, onChange })
  onSystemLocked(() => staff.handleSystemLock())
  return {
    settings,
    tokens: new TokenStore(safeStorage, process.platform),
    staff,
    languages: new Languages(settings, systemLanguage())
  }
}

export type Persistence = ReturnType<typeof createPersistence>

/** What every part of the till is created with. */
export interface TillContext {
  readonly paths: AppPaths
  readonly persistence: Persistence
  /** a service that changed a part of the till's state emits it there */
  readonly changes: StateChanges
  readonly notices: Notices
  readonly now: () => Date
  readonly log: FileLogger
}
