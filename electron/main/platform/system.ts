/** What the till tells the system, and asks of it. */
import { app } from 'electron'
import { chooseLanguage, type Language } from '../../contract/language.ts'
import type { SystemSupport } from '../../contract/till.ts'

/**
 * Returns whether the windows are those of a Wayland session, where the compositor places them: positions are ignored, and
 * a customer display would cover the till. Electron adds the switch before the main script runs, unless the start names one
 * (`ui::SetOzonePlatformForLinuxIfNeeded`); it cannot be changed here any more.
 */
const isNativeWayland = (): boolean =>
  process.platform === 'linux' && app.commandLine.getSwitchValue('ozone-platform') === 'wayland'

/** Returns what the system supports. It does not change while the till runs. */
export const systemSupport = (): SystemSupport => ({
  everyScreenLock: process.platform !== 'linux',
  customerDisplay: !isNativeWayland()
})

/** The `appId` of `resources/packaging/electron-builder.config.ts`, which the installer gives to the shortcuts. */
const APP_USER_MODEL_ID = 'app.tillpoints.till'

/** Has Windows group the windows with their shortcut in the taskbar. Does nothing on other systems. */
export function setAppUserModelId(): void {
  if (process.platform === 'win32') app.setAppUserModelId(APP_USER_MODEL_ID)
}

/**
 * Returns the system's first language that the till has, or English. Before the app is ready, Chromium's locale is not
 * known, and only the system's list counts.
 */
export const systemLanguage = (): Language =>
  chooseLanguage([...(app.isReady() ? [app.getLocale()] : []), ...app.getPreferredSystemLanguages()])
