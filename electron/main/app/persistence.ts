/** What the till stores between starts: settings, the encrypted token, the languages and the staff. */
import { safeStorage } from 'electron'
import { onSystemLocked, systemLanguage, systemUse } from '../platform/system.ts'
import { TokenStore, type Settings } from '../settings/index.ts'
import { Languages } from '../settings/languages.ts'
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
