/** What a page of the till may never do, whatever it has been made to load. */
import { app, session } from 'electron'
import { ORIGINS } from './app-protocol.ts'

/**
 * Denies by default: permissions, devices, downloads, new windows, navigation away, embedded pages
 * (Electron security checklist, items 5, 12, 13 and 14). Must run after the app is ready and before a window opens.
 */
export function installSecurityRestrictions(): void {
  const { defaultSession } = session
  defaultSession.setPermissionRequestHandler((_contents, _permission, decide) => decide(false))
  defaultSession.setPermissionCheckHandler(() => false)
  defaultSession.setDevicePermissionHandler(() => false)
  defaultSession.on('will-download', (event) => event.preventDefault())

  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }))
    contents.on('will-navigate', (event) => {
      // Within its own origin: the page of one window is not opened with the bridge of another.
      const isAtHome = Object.values(ORIGINS).some(
        (origin) => event.url.startsWith(`${origin}/`) && contents.getURL().startsWith(`${origin}/`)
      )
      if (!isAtHome) event.preventDefault()
    })
    contents.on('will-redirect', (event) => event.preventDefault())
    contents.on('will-attach-webview', (event) => event.preventDefault())
  })
}
