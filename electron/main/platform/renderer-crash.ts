/** A page whose process died: it is loaded again, as long as that helps. */
import type { BrowserWindow } from 'electron'
import type { Logger } from '../log/log.ts'

/** More crashes than this within so many ms, and loading the page again does not help. */
const HOPELESS = { crashes: 3, within: 60_000 }

/**
 * Loads the window's page again after each crash: main keeps what stood in it. When it crashes again and again,
 * `onHopeless` is called instead.
 */
export function reloadAfterCrash(
  window: BrowserWindow,
  onHopeless: () => void,
  now: () => Date,
  log: Logger
): void {
  let crashes: number[] = []
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    log.error('page-gone', { reason })
    if (reason === 'clean-exit' || window.isDestroyed()) return
    const moment = now().getTime()
    crashes = [...crashes.filter((earlier) => moment - earlier < HOPELESS.within), moment]
    if (crashes.length <= HOPELESS.crashes) window.webContents.reload()
    else onHopeless()
  })
}
