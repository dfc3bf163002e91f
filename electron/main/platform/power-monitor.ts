/** Electron's `powerMonitor`: idle time, the system's lock screen, and sleep. */
import { powerMonitor } from 'electron'
import type { Logger } from '../log/log.ts'
import { closeConnections } from './fetch.ts'

/** Returns the seconds since the last user input in any program. */
export const systemIdleSeconds = (): number => powerMonitor.getSystemIdleTime()

/** Calls `onLocked` when the system's screen is locked or the machine suspends. Call after the app is ready. */
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
