/** What the system of this till supports. */
import { app } from 'electron'
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
