/** Reloads the page after its renderer process crashed. */
import type { BrowserWindow } from 'electron'
import type { Logger } from '../log/log.ts'

/** After more crashes than this within the time, reloading is given up. */
const MAX_CRASHES = 3
const CRASH_WINDOW_MS = 60_000

export interface ReloadOptions {
  /** called instead of a reload after too many crashes */
  readonly onGivenUp: () => void
  readonly now: () => Date
  readonly log: Logger
}

/** Reloads the window's page after each crash. Main keeps the draft of the checkout meanwhile. */
export function reloadAfterCrash(window: BrowserWindow, { onGivenUp, now, log }: ReloadOptions): void {
  let crashes: number[] = []
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    log.error('renderer-crashed', { reason })
    if (reason === 'clean-exit' || window.isDestroyed()) return
    const time = now().getTime()
    crashes = [...crashes.filter((earlier) => time - earlier < CRASH_WINDOW_MS), time]
    if (crashes.length <= MAX_CRASHES) window.webContents.reload()
    else onGivenUp()
  })
}
