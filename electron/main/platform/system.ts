/** What the till tells the system, and asks of it: language, idle time, the screen lock, sleep. */
import { app, powerMonitor } from 'electron'
import { chooseLanguage, type Language } from '../../contract/language.ts'
import type { SystemSupport } from '../../contract/till.ts'
import type { Logger } from '../log/log.ts'
import { closeConnections } from './fetch.ts'

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

/** The `appId` of `resources/packaging/electron-builder.config.ts`, which the installer gives to the shortcuts and the bundle. */
export const BUNDLE_ID = 'app.tillpoints.till'

/** Has Windows group the windows with their shortcut in the taskbar. Does nothing on other systems. */
export function setAppUserModelId(): void {
  if (process.platform === 'win32') app.setAppUserModelId(BUNDLE_ID)
}

/**
 * Returns the system's first language that the till has, or English. Before the app is ready, Chromium's locale is not
 * known, and only the system's list counts.
 */
export const systemLanguage = (): Language =>
  chooseLanguage([...(app.isReady() ? [app.getLocale()] : []), ...app.getPreferredSystemLanguages()])

/** How the machine is used. */
export const systemUse = {
  /** Returns the seconds since the last user input in any program. */
  idleSeconds: (): number => powerMonitor.getSystemIdleTime(),

  /**
   * Returns whether the screen is locked, for polling. Linux only, where Electron emits no event: there Chromium asks the
   * screen savers of the common desktops (`ui/base/idle/idle_linux.cc`). False where none answers.
   */
  isLocked: (): boolean =>
    // A locked screen is reported whatever the threshold.
    process.platform === 'linux' && powerMonitor.getSystemIdleState(1) === 'locked'
}

/**
 * Calls `onLocked` when the screen is locked (macOS and Windows) or the machine suspends. Call after the app is ready.
 */
export function onSystemLocked(onLocked: () => void): void {
  powerMonitor.on('lock-screen', onLocked)
  powerMonitor.on('suspend', onLocked)
}

/**
 * Calls `onWake` after each sleep. Closes the old connections first, so that pending requests fail at once instead of
 * after their time limit. Call once, after the app is ready.
 */
export function onResume(onWake: () => void, log: Logger): void {
  powerMonitor.on('suspend', () => log.info('system-suspended'))
  powerMonitor.on('resume', () => {
    log.info('system-resumed')
    closeConnections()
      .catch((error: unknown) => log.warn('connections-not-closed', { error }))
      .finally(onWake)
  })
}
