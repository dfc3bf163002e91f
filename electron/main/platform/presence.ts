/** What the system knows of whether somebody is there. */
import { powerMonitor } from 'electron'

/** Seconds since the system saw a key, a pointer or a touch in any program. */
export const systemIdleSeconds = (): number => powerMonitor.getSystemIdleTime()

/** Calls `left` when the system's own screen is locked, or the machine goes to sleep. After the app is ready. */
export function onSystemLeft(left: () => void): void {
  powerMonitor.on('lock-screen', left)
  powerMonitor.on('suspend', left)
}
