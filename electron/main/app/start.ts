/** How the till starts: the service of before, and the window. */
import { app, nativeTheme, type BrowserWindow } from 'electron'
import type { Log } from '../log/index.ts'
import { parseBaseUrl } from '../loyalty/index.ts'
import { takeProvisioning } from '../settings/index.ts'
import type { LastResort } from '../platform/last-resort.ts'
import { reviveAfterCrashes } from '../platform/page-crash.ts'
import type { Places } from '../platform/places.ts'
import { makeTillWindow, showTill } from '../platform/window.ts'
import { tillWindow } from '../platform/windows.ts'
import { resume } from '../session/index.ts'
import type { Behind } from './behind.ts'
import type { Display } from './display.ts'
import type { Memory } from './memory.ts'
import type { Service } from './service.ts'
import type { Standing } from './standing.ts'

/** All that starts. */
export interface StartParts extends Pick<Standing, 'standing'> {
  /** made already, without its page */
  readonly window: BrowserWindow
  readonly where: Places
  readonly memory: Memory
  readonly service: Service
  readonly display: Display
  readonly behind: Behind
  readonly lastResort: LastResort
  readonly now: () => Date
  readonly log: Log
}

/** Connects the session to the service of before. What a person should know of what was kept is noticed. */
async function reconnect({ memory, service, standing }: StartParts): Promise<void> {
  const { values, setAsideAs, isPartlyRead } = memory.settings
  if (setAsideAs !== null)
    standing.notice({ kind: isPartlyRead ? 'settings-partly-read' : 'settings-set-aside', file: setAsideAs })
  const { mode, baseUrl, token } = values
  const started = await resume(
    service.session,
    { mode, baseUrl, sealedToken: token, provisioning: takeProvisioning(process.env) },
    { memory: service.connectionMemory, openSealed: memory.tokens.open, parseBaseUrl }
  )
  if (started) standing.notice(started)
}

/** Opens the cashier's window, and again whenever the system asks for it. Returns before it shows. */
export async function startTill(parts: StartParts): Promise<void> {
  const { where, memory, display, behind, lastResort, now, log } = parts
  await reconnect(parts)
  const openWindow = (window: BrowserWindow): void => {
    showTill(window, log)
    const hopeless = (): void => lastResort.report('page', new Error('The page crashed again and again'))
    reviveAfterCrashes(window, hopeless, now, log)
    window.on('move', () => display.window.follow())
    window.once('closed', () => display.window.close())
    window.once('ready-to-show', () => behind.windowShows())
    display.window.start()
  }
  log.info('till-started', {
    version: app.getVersion(),
    electron: process.versions['electron'],
    system: `${process.platform} ${process.arch}`,
    mode: memory.settings.values.mode
  })
  openWindow(parts.window)
  const { session } = parts.service
  // A till that was just provisioned knows nothing of its business, and the first phone may be typed in a second.
  if (session.mode === 'business' && session.business === null) behind.profileWanted()
  app.on('second-instance', () => {
    const window = tillWindow()
    if (window?.isMinimized()) window.restore()
    window?.focus()
  })
  app.on('activate', () => {
    if (!tillWindow()) openWindow(makeTillWindow(where, nativeTheme.shouldUseDarkColors))
  })
  app.on('window-all-closed', () => app.quit())
}
