/** How the till starts: the service of before, and the window. */
import { app, nativeTheme, type BrowserWindow } from 'electron'
import type { Logger } from '../log/log.ts'
import { parseBaseUrl } from '../loyalty/credentials.ts'
import type { GlobalErrorHandler } from '../platform/global-error-handler.ts'
import type { AppPaths } from '../platform/paths.ts'
import { onResume } from '../platform/power-monitor.ts'
import { reloadAfterCrash } from '../platform/renderer-crash.ts'
import { makeTillWindow, showTill, tillWindow } from '../platform/windows.ts'
import { restoreConnection } from '../session/connection.ts'
import { takeProvisioning } from '../settings/index.ts'
import type { Display } from './customer-display.ts'
import type { Help } from './diagnostics-and-updates.ts'
import type { Memory } from './persistence.ts'
import type { Service } from './session.ts'
import type { Issuing } from './slips.ts'
import type { Standing } from './standing.ts'

/** All that starts. */
interface StartParts extends Pick<Standing, 'standing'> {
  /** made already, without its page */
  readonly window: BrowserWindow
  readonly where: AppPaths
  readonly memory: Memory
  readonly service: Service
  readonly display: Display
  readonly behind: Behind
  readonly lastResort: GlobalErrorHandler
  readonly now: () => Date
  readonly log: Logger
}

/** Connects the session to the service of before. What a person should know of what was kept is noticed. */
async function reconnect({ memory, service, standing }: StartParts): Promise<void> {
  const { values, setAsideAs, isPartlyRead } = memory.settings
  if (setAsideAs !== null)
    standing.notice({ kind: isPartlyRead ? 'settings-partly-read' : 'settings-set-aside', file: setAsideAs })
  const { mode, baseUrl, token } = values
  const started = await restoreConnection(
    service.session,
    { mode, baseUrl, sealedToken: token, provisioning: takeProvisioning(process.env) },
    { memory: service.connectionStore, openSealed: memory.tokens.open, parseBaseUrl }
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
    reloadAfterCrash(window, hopeless, now, log)
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

/* from behind.ts: What begins behind the window, when the page stands: nobody waits for it, and before that it would be in the way. */

/** All that begins. */
interface BehindParts {
  readonly service: Service
  readonly issuing: Issuing
  readonly help: Help
  readonly display: Display
  readonly log: Logger
}

/** Milliseconds after which it begins even behind a page that does not stand: an update may mend that one. */
const AT_LATEST = 10_000

/** What begins behind the window. */
export interface Behind {
  /** The profile is wanted at once, before the page stands: without it the till takes the system's country for its own. */
  profileWanted(): void
  /** The page stands: it begins, unless it has. */
  pageStands(): void
  /** The window is there: it begins in ten seconds, unless it has. */
  windowShows(): void
}

/** Prepares it: the journal is opened, the profile read, the network and updates followed. */
export function prepareBehind({ service, issuing, help, display, log }: BehindParts): Behind {
  let begun = false
  let asked = false
  const askForProfile = (): void => {
    if (asked) return
    asked = true
    void service.session.refresh()
  }
  const begin = (): void => {
    if (begun) return
    begun = true
    askForProfile()
    // A machine that slept has another network under it, perhaps.
    onResume(() => void service.session.retryConnection(), log)
    help.updates.start()
    // It was shown from the disk, and may be another one by now.
    const { business } = service.session
    if (business?.logo) void service.images.refresh(business.logo)
    issuing.begin().then(
      // It can show codes from here on.
      () => display.shows.changed(),
      // Whoever needs it tries again, and is told then.
      (error: unknown) => log.error('slips-not-opened', { error })
    )
  }
  return {
    profileWanted: askForProfile,
    pageStands() {
      // Once: whatever a page says again and again must not push older lines out of the log.
      if (!begun) log.info('page-stands')
      begin()
    },
    windowShows() {
      const late = (): void => {
        if (!begun) log.warn('page-does-not-stand')
        begin()
      }
      setTimeout(late, AT_LATEST).unref()
    }
  }
}
