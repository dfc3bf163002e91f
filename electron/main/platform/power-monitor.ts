/** A machine that slept: its connections are gone, and what the till knew of the service is old. */
import { powerMonitor } from 'electron'
import type { Logger } from '../log/log.ts'
import { dropConnections } from './fetch.ts'

/**
 * After each sleep closes the connections of before, so that what was asked then fails at once instead of waiting for
 * an answer that cannot come, and then calls `onWake`. Call once, after the app is ready.
 */
export function onResume(onWake: () => void, log: Logger): void {
  powerMonitor.on('suspend', () => log.info('machine-sleeps'))
  powerMonitor.on('resume', () => {
    log.info('machine-woke')
    dropConnections()
      .catch((error: unknown) => log.warn('connections-not-closed', { error }))
      .finally(onWake)
  })
}

/* from presence.ts: What the system knows of whether somebody is there. */

/** Seconds since the system saw a key, a pointer or a touch in any program. */
export const systemIdleSeconds = (): number => powerMonitor.getSystemIdleTime()

/** Calls `left` when the system's own screen is locked, or the machine goes to sleep. After the app is ready. */
export function onSystemLeft(left: () => void): void {
  powerMonitor.on('lock-screen', left)
  powerMonitor.on('suspend', left)
}
