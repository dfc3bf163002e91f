/** What the till remembers: its settings, its token's seal, its languages, and the people who work at it. */
import { app, safeStorage } from 'electron'
import { chooseLanguage, type Language } from '../../contract/language.ts'
import { createTokenKeeper, type Settings } from '../settings/index.ts'
import { onSystemLeft, systemIdleSeconds } from '../platform/power-monitor.ts'
import { Staff } from '../staff/staff.ts'

/**
 * Opens the rest of it; the app must be ready.
 * @param changed called when the people at the till changed
 */
export function openMemory(settings: Settings, changed: () => void) {
  const systemLanguage = chooseLanguage([app.getLocale(), ...app.getPreferredSystemLanguages()])
  const language = (): Language => settings.values.language ?? systemLanguage
  const staff = new Staff({
    store: {
      read: () => settings.values.staff,
      update: (change) => settings.update({ staff: { ...settings.values.staff, ...change } })
    },
    lockAfterMinutes: () => settings.values.lockAfterMinutes,
    systemIdleSeconds,
    onChange: changed
  })
  onSystemLeft(() => staff.handleSystemLock())
  return {
    settings,
    tokens: createTokenKeeper(safeStorage, process.platform),
    staff,
    /** of the screen */
    language,
    slipLanguage: (): Language => settings.values.slipLanguage ?? language()
  }
}

/** What the till remembers. */
export type Memory = ReturnType<typeof openMemory>
