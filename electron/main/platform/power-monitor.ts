/** Electron's `powerMonitor`: idle time, the screen lock, and sleep. */
import { powerMonitor } from 'electron'
import type { Logger } from '../log/log.ts'
import { closeConnections } from './fetch.ts'

/** Returns the seconds since the last user input in any program. */
export const systemIdleSeconds = (): number => powerMonitor.getSystemIdleTime()

/**
 * Returns whether the screen is locked, for polling. Linux only, where Electron emits no event: there Chromium asks the
 * screen savers of the common desktops (`ui/base/idle/idle_linux.cc`). False where none answers.
 */
export const isSystemLocked = (): boolean =>
  // A locked screen is reported whatever the threshold.
  process.platform === 'linux' && powerMonitor.getSystemIdleState(1) === 'locked'

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
